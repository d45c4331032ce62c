//! Keeps projections from swapping with filters that have a projection of their own. The stock rule looks for the columns of the
//! predicate, which are those of the filter's input, among the columns that the filter returns: in `select 1 from (select a.k,
//! b.y < b.x as l from b full join a using (k) where b.k is distinct from 1 order by l, k offset 1)` it takes `a.k` for `b.k`, and
//! planning fails. No upstream issue found as of 2026-12.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::ProjectionExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::projection::ProjectionExec;

use crate::node_rules::{PhysicalRule, WrappedRule};
use quarry_functions::tree_walk::TreeWalk;

/// The stock rule on a plan whose filters return all columns, with projections above them; it puts these into the filters again.
pub(crate) fn guard_filter_projections(stock: PhysicalRule) -> PhysicalRule {
    Arc::new(WrappedRule { stock, optimize })
}

fn optimize(
    stock: &PhysicalRule,
    plan: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let separated = plan.transform_up(|plan| {
        let Some(filter) = plan.downcast_ref::<FilterExec>() else { return Ok(Transformed::no(plan)) };
        let Some(columns) = filter.projection() else { return Ok(Transformed::no(plan)) };
        let schema = filter.input().schema();
        let column = |index: &usize| {
            let name = schema.field(*index).name();
            ProjectionExpr { expr: Arc::new(Column::new(name, *index)), alias: name.clone() }
        };
        let whole = FilterExecBuilder::from(filter).apply_projection(None)?.build()?;
        let projection = ProjectionExec::try_new(columns.iter().map(column), Arc::new(whole))?;
        Ok(Transformed::yes(Arc::new(projection) as Arc<dyn ExecutionPlan>))
    })?;
    stock.optimize(separated.data, config)
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_rule_still_swaps_projections_with_filters_that_have_one() {
        let query = "select 1 as one from (select a.k as j, b.y < b.x as l from (values (1, 2, 3)) b(k, x, y) \
            full join (values (1), (2), (3)) a(k) on a.k = b.k where b.k is distinct from 1 order by l, j offset 1)";
        assert_ne!(rows(2, &[query]).await, ["1"], "DataFusion is right now: filters may keep their projections");
    }
}
