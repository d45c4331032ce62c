//! The plan of a job: scan → map → (combine) → divide by key → sort → reduce.

use std::sync::Arc;

use arrow::compute::SortOptions;
use arrow::datatypes::SchemaRef;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, Partitioning, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::code::Code;
use super::driver::{Driver, Input, Sort};
use super::found::wrong;
use super::map::MapExec;
use super::pairs::{self, KEY, ORDER};
use super::reduce::{ReduceExec, Role};
use chrono::Datelike;

use super::spec::Period;
use quarry_sql::session::tables::{Columns, QueryCatalog};
use quarry_types::{Error, Result};

/// Columns that hold the time of a row in tables that are not the chain's.
const TIMES: [&str; 3] = ["block_timestamp", "block_time", "evt_block_time"];
/// Years in which SQL writes times; an end beyond them leaves nothing out.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// The query that reads an input. `None` beside it when the table has no time to choose by and the period says one.
pub(super) fn query(input: &Input, period: Period, catalog: &QueryCatalog, driver: &str) -> Result<(String, bool)> {
    let names: Vec<&str> = input.table.split('.').map(str::trim).collect();
    if names.is_empty() || names.len() > 3 || !names.iter().all(|name| is_name(name)) {
        let message = format!("'{}' is not the name of a table.", input.table.chars().take(60).collect::<String>());
        return Err(wrong(message, &input.table, driver));
    }
    let columns = match &input.columns {
        None => "*".to_string(),
        Some(columns) => columns.iter().map(|column| selected(column)).collect::<Vec<_>>().join(", "),
    };
    let mut conditions: Vec<String> = input.filter.iter().map(|filter| format!("({filter}\n)")).collect();
    let time = match catalog.columns(&names) {
        Columns::Known { chain: Some(table), .. } => Some(table.def().time.to_string()),
        Columns::Known { names, .. } => {
            TIMES.into_iter().find(|time| names.iter().any(|name| name == time)).map(str::to_string)
        }
        Columns::Unknown => None,
    };
    let bounded = period != Period::default();
    if let Some(time) = &time {
        let moment = |moment: chrono::NaiveDateTime| moment.format("%Y-%m-%d %H:%M:%S").to_string();
        let [from, until] = [period.from, period.until].map(|end| end.filter(|end| YEARS.contains(&end.year())));
        conditions.extend(from.map(|from| format!("{time} >= timestamp '{}'", moment(from))));
        conditions.extend(until.map(|until| format!("{time} < timestamp '{}'", moment(until))));
    }
    let filter = if conditions.is_empty() { String::new() } else { format!(" where {}", conditions.join(" and ")) };
    Ok((format!("select {columns} from {}{filter}", names.join(".")), bounded && time.is_none()))
}

fn is_name(name: &str) -> bool {
    let rest = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    name.starts_with(|first: char| first.is_alphabetic() || first == '_') && name.chars().all(rest)
}

/// A name is quoted, since it may be a word of SQL; an expression stands as it is.
fn selected(column: &str) -> String {
    let plain = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !column.is_empty();
    if plain { format!("\"{column}\"") } else { column.to_string() }
}

/// Puts the operators above the scans of the inputs, in the order of the driver's inputs.
pub(super) fn build(
    scans: Vec<Arc<dyn ExecutionPlan>>,
    driver: &Driver,
    output: SchemaRef,
    partitions: usize,
    code: &Arc<Code>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let mapped = scans.into_iter().zip(&driver.inputs).map(|(scan, input)| {
        let name = input.name.as_deref().unwrap_or(&input.table);
        let map: Arc<dyn ExecutionPlan> = Arc::new(MapExec::new(scan, code, name, driver.batch));
        match code.combiner {
            Some(_) => Arc::new(ReduceExec::new(map, code, Role::Combine)) as Arc<dyn ExecutionPlan>,
            None => map,
        }
    });
    let mapped = UnionExec::try_new(mapped.collect()).map_err(Error::internal)?;
    let column = |at: usize| -> Arc<dyn PhysicalExpr> { Arc::new(Column::new(pairs::schema().field(at).name(), at)) };
    let divided: Arc<dyn ExecutionPlan> = if partitions == 1 && mapped.output_partitioning().partition_count() == 1 {
        mapped
    } else {
        let by_key = Partitioning::Hash(vec![column(KEY)], partitions);
        Arc::new(RepartitionExec::try_new(mapped, by_key).map_err(Error::internal)?)
    };
    let ascending = SortOptions { descending: false, nulls_first: true };
    let mut order = vec![PhysicalSortExpr::new(column(KEY), ascending)];
    if let Some(sort) = driver.sort {
        let descending = sort == Sort::Descending;
        order.push(PhysicalSortExpr::new(column(ORDER), SortOptions { descending, nulls_first: !descending }));
    }
    let order = LexOrdering::new(order).ok_or_else(|| Error::internal("pairs are sorted by their key"))?;
    let sorted = Arc::new(SortExec::new(order, divided).with_preserve_partitioning(true));
    Ok(Arc::new(ReduceExec::new(sorted, code, Role::Reduce(output))))
}
