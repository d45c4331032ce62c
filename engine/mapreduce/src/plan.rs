//! The plan of a job: scan → map → (combine) → repartition by key → sort → reduce.

use std::sync::Arc;

use arrow::compute::SortOptions;
use arrow::datatypes::SchemaRef;
use chrono::Datelike;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, Partitioning, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::driver::{Driver, Input, Sort};
use super::error_position::driver_error;
use super::job_spec::Period;
use super::pair_emitter::{self, KEY, ORDER};
use super::script_exec::{Role, ScriptExec};
use super::scripts::Scripts;
use quarry_sql::session::tables::{Columns, QueryCatalog};
use quarry_types::{Error, Result};

/// Columns that hold the time of a row in tables that are not the chain's.
const TIMES: [&str; 3] = ["block_timestamp", "block_time", "evt_block_time"];
/// Years in which SQL writes times; a bound outside of them excludes nothing.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// The query that reads an input, and whether the job has a period but the table no column of times to filter by.
pub(super) fn input_query(
    input: &Input,
    period: Period,
    catalog: &QueryCatalog,
    driver: &str,
) -> Result<(String, bool)> {
    let names: Vec<&str> = input.table.split('.').map(str::trim).collect();
    if names.is_empty() || names.len() > 3 || !names.iter().all(|name| is_name(name)) {
        let message = format!("'{}' is not a valid table name.", input.table.chars().take(60).collect::<String>());
        return Err(driver_error(message, &input.table, driver));
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

/// A name is quoted, since it may be a word of SQL; an expression stays as it is.
fn selected(column: &str) -> String {
    let is_column_name = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !column.is_empty();
    if is_column_name { format!("\"{column}\"") } else { column.to_string() }
}

/// Puts the operators above the scans of the inputs, which are in the order of the driver's inputs.
pub(super) fn build(
    scans: Vec<Arc<dyn ExecutionPlan>>,
    driver: &Driver,
    output: SchemaRef,
    partitions: usize,
    scripts: &Arc<Scripts>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let operator = |input, role| -> Arc<dyn ExecutionPlan> { Arc::new(ScriptExec::new(input, scripts, role)) };
    let mapped = scans.into_iter().zip(&driver.inputs).map(|(scan, input)| {
        let name = input.name.clone().unwrap_or_else(|| input.table.clone());
        let map = operator(scan, Role::Map { input: name, batches: driver.batch });
        if scripts.has_combiner() { operator(map, Role::Combine) } else { map }
    });
    let mapped = UnionExec::try_new(mapped.collect()).map_err(Error::internal)?;
    let column =
        |at: usize| -> Arc<dyn PhysicalExpr> { Arc::new(Column::new(pair_emitter::schema().field(at).name(), at)) };
    let partitioned: Arc<dyn ExecutionPlan> = if partitions == 1 && mapped.output_partitioning().partition_count() == 1
    {
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
    let sorted = Arc::new(SortExec::new(order, partitioned).with_preserve_partitioning(true));
    Ok(operator(sorted, Role::Reduce(output)))
}
