//! Keeps filters above aggregates that have a row also for no rows: `count(*)` without GROUP BY, and
//! grouping sets with an empty one. The stock optimizer pushes a filter that names no column below every aggregate,
//! such as `'b' = 'a'` of `select * from (select count(*), 'b' as kind from t) where kind = 'a'`: it removes the rows
//! that are counted, and a row with zero is left. No upstream issue found as of 2026-11. No filter is pushed below a
//! limit, so each of these aggregates gets one that limits nothing.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Aggregate, Expr, GroupingSet, Limit, LogicalPlan, SkipType, lit};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

use crate::subqueries::refers_outside;

/// Runs before filters are pushed down.
pub(crate) fn hold_filters_above_aggregates(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let names = NamePreserver::new(&plan);
    let plan = plan.map_exprs(|expr| {
        let name = names.save(&expr);
        Ok(expr.transform_up(limit_compared_query)?.update_data(|expr| name.restore(expr)))
    })?;
    plan.transform_data(|plan| match &plan {
        LogicalPlan::Filter(_) => plan.map_children(limit_aggregates),
        LogicalPlan::Join(join) if join.filter.is_some() => plan.map_children(limit_aggregates),
        _ => Ok(Transformed::no(plan)),
    })
}

/// `x IN (query)` and `x < ANY (query)`: the comparison becomes a filter of the query. Correlated queries are joined in another way.
fn limit_compared_query(mut expr: Expr) -> Result<Transformed<Expr>> {
    let query = match &mut expr {
        Expr::InSubquery(expr) => &mut expr.subquery,
        Expr::SetComparison(expr) => &mut expr.subquery,
        _ => return Ok(Transformed::no(expr)),
    };
    if refers_outside(&query.subquery)? {
        return Ok(Transformed::no(expr));
    }
    let plan = limit_aggregates(query.subquery.as_ref().clone())?;
    query.subquery = Arc::new(plan.data);
    Ok(Transformed::new(expr, plan.transformed, TreeNodeRecursion::Continue))
}

/// The plan with limits above such aggregates.
fn limit_aggregates(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    plan.transform_down(|plan| match plan {
        LogicalPlan::Aggregate(aggregate) if has_row_for_no_rows(&aggregate) => {
            let input = Arc::new(LogicalPlan::Aggregate(aggregate));
            let limit = Limit { skip: None, fetch: Some(Box::new(all_rows())), input };
            Ok(Transformed::new(LogicalPlan::Limit(limit), true, TreeNodeRecursion::Jump))
        }
        // `offset 0` is gone when filters are pushed down; any other limit stops them.
        LogicalPlan::Limit(limit)
            if limit.fetch.is_some() || !matches!(limit.get_skip_type()?, SkipType::Literal(0)) =>
        {
            Ok(Transformed::new(LogicalPlan::Limit(limit), false, TreeNodeRecursion::Jump))
        }
        LogicalPlan::Subquery(_) => Ok(Transformed::new(plan, false, TreeNodeRecursion::Jump)),
        plan => Ok(Transformed::no(plan)),
    })
}

fn all_rows() -> Expr {
    lit(i64::MAX)
}

/// Whether a limit is one of those that are put above aggregates here.
pub fn limits_nothing(limit: &Limit) -> bool {
    limit.skip.is_none() && limit.fetch.as_deref() == Some(&all_rows())
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
        assert!(!rows(1, &[query]).await.is_empty(), "DataFusion is right now: `hold_filters_above_aggregates` can go");
    }
}
