//! Takes `x is not null` out of scans where nearly all rows pass it. Inside the Parquet decoder a filter means that its column
//! is decoded first and the rows that pass are selected in the others: worth it when that skips rows, and lost time when it
//! skips none.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, FileSource, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::expressions::{Column, IsNotNullExpr, lit};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{PhysicalExpr, conjunction, split_conjunction};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::FilterExec;

/// At most one in so many values is null where the filter leaves the scan.
const MIN_ROWS_PER_NULL: usize = 10;

/// Runs when all filters are where they are evaluated.
pub(crate) fn pull_up_null_filters(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    Ok(match plan.downcast_ref::<DataSourceExec>().map(filter_above_scan).transpose()?.flatten() {
        Some(filter) => Transformed::yes(filter),
        None => Transformed::no(plan),
    })
}

/// A scan with such filters above it; `None` when it has none, or has a limit, which counts the rows that pass.
fn filter_above_scan(scan: &DataSourceExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some((config, parquet)) = scan.downcast_to_file_source::<ParquetSource>() else { return Ok(None) };
    let Some(predicate) = parquet.filter().filter(|_| config.limit.is_none()) else { return Ok(None) };
    let statistics = config.statistics();
    let projection = parquet.projection();
    let (mut above, mut inside) = (Vec::new(), Vec::new());
    for part in split_conjunction(&predicate) {
        let column = not_null_column(part).filter(|column| has_few_nulls(&statistics, column.index()));
        match column.and_then(|column| output_column(column, projection)) {
            Some(output) => above.push(Arc::new(IsNotNullExpr::new(Arc::new(output))) as Arc<dyn PhysicalExpr>),
            None => inside.push(Arc::clone(part)),
        }
    }
    if above.is_empty() {
        return Ok(None);
    }
    let inside = if inside.is_empty() { lit(true) } else { conjunction(inside) };
    let source = parquet.with_predicate(inside);
    let config = FileScanConfigBuilder::from(config.clone()).with_source(Arc::new(source)).build();
    let scan = DataSourceExec::from_data_source(config);
    Ok(Some(Arc::new(FilterExec::try_new(conjunction(above), scan)?)))
}

/// The column that must not be null.
fn not_null_column(part: &Arc<dyn PhysicalExpr>) -> Option<&Column> {
    part.downcast_ref::<IsNotNullExpr>()?.arg().downcast_ref::<Column>()
}

/// The column of the scan's output for a column of the file, if there is one. It may have the name of another column of the file.
fn output_column(column: &Column, projection: Option<&ProjectionExprs>) -> Option<Column> {
    let Some(projection) = projection else { return Some(column.clone()) };
    projection.iter().enumerate().find_map(|(index, output)| {
        let is_column = output.expr.downcast_ref::<Column>().is_some_and(|input| input.index() == column.index());
        is_column.then(|| Column::new(&output.alias, index))
    })
}

/// Whether few of a column's values are null.
fn has_few_nulls(statistics: &Statistics, column: usize) -> bool {
    let nulls = statistics.column_statistics.get(column).and_then(|column| column.null_count.get_value());
    matches!((nulls, statistics.num_rows.get_value()), (Some(nulls), Some(rows)) if nulls.saturating_mul(MIN_ROWS_PER_NULL) <= *rows)
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

    use super::*;
    use crate::node_rules::RewriteOperators;

    /// Whether there is a filter above the scan, and how many rows pass.
    async fn run(context: &SessionContext, query: &str) -> (bool, usize) {
        let rows = context.sql(query).await.unwrap();
        let plan = rows.clone().create_physical_plan().await.unwrap();
        let filtered = displayable(plan.as_ref()).indent(true).to_string().contains("FilterExec");
        let batches = rows.collect().await.unwrap();
        (filtered, batches.iter().map(|batch| batch.num_rows()).sum())
    }

    #[tokio::test]
    async fn only_filters_that_most_rows_pass_leave_the_scan() {
        let mut config = SessionConfig::new().with_collect_statistics(true);
        config.options_mut().execution.parquet.pushdown_filters = true;
        let rule = RewriteOperators { name: "pull_up_null_filters", rewrites: vec![pull_up_null_filters] };
        let state = SessionStateBuilder::new().with_config(config).with_default_features();
        let state = state.with_physical_optimizer_rule(Arc::new(rule)).build();
        let context = SessionContext::new_with_state(state);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let rows =
            "select i, nullif(i % 50, 0) as often, nullif(i % 2, 0) as rarely from generate_series(1, 1000) t(i)";
        let copy = format!("copy ({rows}) to '{}' stored as parquet", path.display());
        context.sql(&copy).await.unwrap().collect().await.unwrap();
        context.register_parquet("t", path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
        assert_eq!(run(&context, "select often from t where often is not null").await, (true, 980));
        assert_eq!(run(&context, "select often from t where often is not null and i <= 100").await, (true, 98));
        assert_eq!(run(&context, "select rarely from t where rarely is not null").await, (false, 500));
        // The scan would need a further column in its output.
        assert_eq!(run(&context, "select i from t where often is not null").await, (false, 980));
        assert_eq!(run(&context, "select often from t where often is not null limit 7").await.1, 7);
        // In the output it may have the name of another column of the file.
        let swapped = "select sum(often), sum(rarely) from (select often as rarely, rarely as often from t)";
        let rows = context.sql(&format!("{swapped} where rarely is not null")).await.unwrap().collect().await.unwrap();
        assert_eq!(rows[0].column(0).as_primitive::<Int64Type>().value(0), 500);
    }
}
