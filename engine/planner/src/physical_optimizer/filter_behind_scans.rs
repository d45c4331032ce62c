//! Takes `x is not null` out of scans whose rows nearly all pass it. Inside the Parquet decoder a condition means that its
//! column is read first and the rows that pass are looked up in the others: worth it when that spares rows, and lost time
//! when it spares none.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, Statistics};
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, FileSource, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::expressions::{Column, IsNotNullExpr, lit};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{PhysicalExpr, conjunction, split_conjunction};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::FilterExec;

/// Of so many rows one at most may fall out.
const OF_ROWS: usize = 10;

/// Runs when all conditions are where they go.
#[derive(Debug)]
pub struct FilterBehindScans;

impl PhysicalOptimizerRule for FilterBehindScans {
    fn name(&self) -> &str {
        "filter_behind_scans"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let behind = plan.transform_up(|plan| {
            Ok(match plan.downcast_ref::<DataSourceExec>().map(behind).transpose()?.flatten() {
                Some(filtered) => Transformed::yes(filtered),
                None => Transformed::no(plan),
            })
        })?;
        Ok(behind.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// A scan with such conditions behind it; `None` when it has none, or counts the rows that pass.
fn behind(scan: &DataSourceExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some((config, parquet)) = scan.downcast_to_file_source::<ParquetSource>() else { return Ok(None) };
    let Some(predicate) = parquet.filter().filter(|_| config.limit.is_none()) else { return Ok(None) };
    let statistics = config.statistics();
    let projection = parquet.projection();
    let (mut late, mut early) = (Vec::new(), Vec::new());
    for part in split_conjunction(&predicate) {
        let column = column_of(part).filter(|column| mostly_there(&statistics, column.index()));
        match column.and_then(|column| shown(column, projection)) {
            Some(shown) => late.push(Arc::new(IsNotNullExpr::new(Arc::new(shown))) as Arc<dyn PhysicalExpr>),
            None => early.push(Arc::clone(part)),
        }
    }
    if late.is_empty() {
        return Ok(None);
    }
    let early = if early.is_empty() { lit(true) } else { conjunction(early) };
    let source = parquet.with_predicate(early);
    let config = FileScanConfigBuilder::from(config.clone()).with_source(Arc::new(source)).build();
    let scan = DataSourceExec::from_data_source(config);
    Ok(Some(Arc::new(FilterExec::try_new(conjunction(late), scan)?)))
}

/// The column that must not be null.
fn column_of(part: &Arc<dyn PhysicalExpr>) -> Option<&Column> {
    part.downcast_ref::<IsNotNullExpr>()?.arg().downcast_ref::<Column>()
}

/// The column of the scan's rows that shows one of the file, if any does: it may have the name of another one there.
fn shown(column: &Column, projection: Option<&ProjectionExprs>) -> Option<Column> {
    let Some(projection) = projection else { return Some(column.clone()) };
    projection.iter().enumerate().find_map(|(index, made)| {
        let shows = made.expr.downcast_ref::<Column>().is_some_and(|shown| shown.index() == column.index());
        shows.then(|| Column::new(&made.alias, index))
    })
}

/// Whether few of a column's values are null.
fn mostly_there(statistics: &Statistics, column: usize) -> bool {
    let nulls = statistics.column_statistics.get(column).and_then(|column| column.null_count.get_value());
    matches!((nulls, statistics.num_rows.get_value()), (Some(nulls), Some(rows)) if nulls.saturating_mul(OF_ROWS) <= *rows)
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

    use super::*;

    /// What stands above the scan, and how many rows come out.
    async fn asked(context: &SessionContext, question: &str) -> (bool, usize) {
        let rows = context.sql(question).await.unwrap();
        let plan = rows.clone().create_physical_plan().await.unwrap();
        let filtered = displayable(plan.as_ref()).indent(true).to_string().contains("FilterExec");
        let batches = rows.collect().await.unwrap();
        (filtered, batches.iter().map(|batch| batch.num_rows()).sum())
    }

    #[tokio::test]
    async fn only_what_most_rows_pass_is_asked_behind_the_scan() {
        let mut config = SessionConfig::new().with_collect_statistics(true);
        config.options_mut().execution.parquet.pushdown_filters = true;
        let state = SessionStateBuilder::new().with_config(config).with_default_features();
        let state = state.with_physical_optimizer_rule(Arc::new(FilterBehindScans)).build();
        let context = SessionContext::new_with_state(state);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let rows =
            "select i, nullif(i % 50, 0) as often, nullif(i % 2, 0) as rarely from generate_series(1, 1000) t(i)";
        let copy = format!("copy ({rows}) to '{}' stored as parquet", path.display());
        context.sql(&copy).await.unwrap().collect().await.unwrap();
        context.register_parquet("t", path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
        assert_eq!(asked(&context, "select often from t where often is not null").await, (true, 980));
        assert_eq!(asked(&context, "select often from t where often is not null and i <= 100").await, (true, 98));
        assert_eq!(asked(&context, "select rarely from t where rarely is not null").await, (false, 500));
        // The scan would have to show a column for it that nobody asks for.
        assert_eq!(asked(&context, "select i from t where often is not null").await, (false, 980));
        assert_eq!(asked(&context, "select often from t where often is not null limit 7").await.1, 7);
        // Its name may be that of another column there.
        let swapped = "select sum(often), sum(rarely) from (select often as rarely, rarely as often from t)";
        let rows = context.sql(&format!("{swapped} where rarely is not null")).await.unwrap().collect().await.unwrap();
        assert_eq!(rows[0].column(0).as_primitive::<Int64Type>().value(0), 500);
    }
}
