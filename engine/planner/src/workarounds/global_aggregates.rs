//! Keeps filters above aggregates that have a row also for no rows: `count(*)` without GROUP BY, and
//! grouping sets with an empty one. The stock optimizer pushes a filter that names no column below every aggregate,
//! such as `'b' = 'a'` of `select * from (select count(*), 'b' as kind from t) where kind = 'a'`: it removes the rows
//! that are counted, and a row with zero is left. No upstream issue found as of 2026-12.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Aggregate, Expr, GroupingSet, LogicalPlan};
use datafusion::optimizer::OptimizerConfig;

use crate::node_rules::{LogicalRule, WrappedLogicalRule};

/// The stock rule, which leaves filters above such aggregates.
pub(crate) fn keep_filters_above_aggregates(stock: LogicalRule) -> LogicalRule {
    Arc::new(WrappedLogicalRule { stock, rewrite })
}

fn rewrite(stock: &LogicalRule, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    match &plan {
        LogicalPlan::Filter(filter) if is_filtered_aggregate(&filter.input) => Ok(Transformed::no(plan)),
        _ => stock.rewrite(plan, config),
    }
}

/// Whether a plan is such an aggregate, or filters of one, which the stock rule takes together.
fn is_filtered_aggregate(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Aggregate(aggregate) => has_row_for_no_rows(aggregate),
        LogicalPlan::Filter(filter) => is_filtered_aggregate(&filter.input),
        _ => false,
    }
}

/// Whether an aggregate has a row for no rows.
pub fn has_row_for_no_rows(aggregate: &Aggregate) -> bool {
    match aggregate.group_expr.as_slice() {
        [] => true,
        [Expr::GroupingSet(GroupingSet::GroupingSets(sets))] => sets.iter().any(Vec::is_empty),
        [Expr::GroupingSet(_)] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_optimizer_still_pushes_constant_conditions_below_a_count() {
        let query = "select * from (select count(*), 'b' as kind from (values (1)) t(x)) where kind = 'a'";
        assert!(!rows(1, &[query]).await.is_empty(), "DataFusion is right now: `keep_filters_above_aggregates` can go");
    }
}
