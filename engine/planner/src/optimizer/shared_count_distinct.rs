//! `count(distinct x)` beside other aggregates becomes an aggregate with one set of values for each group.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::{Aggregate, Expr, LogicalPlan};

use quarry_functions::count_distinct;

/// Runs after the stock rule that turns a single `count(distinct x)` into two levels of groups.
pub(crate) fn share_count_distinct(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Aggregate(aggregate) = plan else { return Ok(Transformed::no(plan)) };
    if !aggregate.aggr_expr.iter().any(is_count_distinct) {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    }
    let Aggregate { input, group_expr, aggr_expr, schema, .. } = aggregate;
    let aggr_expr = aggr_expr.into_iter().map(replace).collect();
    let aggregate = Aggregate::try_new_with_schema(input, group_expr, aggr_expr, schema)?;
    Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
}

fn is_count_distinct(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(alias) => is_count_distinct(&alias.expr),
        Expr::AggregateFunction(AggregateFunction { func, params }) => {
            func.name() == "count" && params.distinct && params.args.len() == 1 && params.order_by.is_empty()
        }
        _ => false,
    }
}

fn replace(expr: Expr) -> Expr {
    if !is_count_distinct(&expr) {
        return expr;
    }
    match expr {
        Expr::Alias(mut alias) => {
            *alias.expr = replace(*alias.expr);
            Expr::Alias(alias)
        }
        Expr::AggregateFunction(AggregateFunction { mut params, .. }) => {
            params.distinct = false;
            Expr::AggregateFunction(AggregateFunction { func: count_distinct(), params })
        }
        other => other,
    }
}
