//! The order of subqueries. `collect_list` and `collect_set` collect values in the order of the subquery that they
//! read; below other groups, joins and sorts such an order means nothing, and is dropped.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::{
    Aggregate, Expr, ExprSchemable, Filter, Limit, LogicalPlan, LogicalPlanBuilder, Projection, Sort, SubqueryAlias,
};

use quarry_functions::hive::collect::{by_key, can_be_key, key};

/// Name of the column with the sort key.
const KEY: &str = "__order_key";

pub(crate) fn use_subquery_order(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Aggregate(aggregate) => {
            let mut aggregate = collect_in_order(aggregate)?;
            drop_order(&mut aggregate.input)?;
            Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
        }
        LogicalPlan::Sort(mut sort) => {
            let is_dropped = drop_order(&mut sort.input)?;
            Ok(Transformed::new_transformed(LogicalPlan::Sort(sort), is_dropped))
        }
        LogicalPlan::Join(mut join) => {
            let is_dropped = [drop_order(&mut join.left)?, drop_order(&mut join.right)?].contains(&true);
            Ok(Transformed::new_transformed(LogicalPlan::Join(join), is_dropped))
        }
        other => Ok(Transformed::no(other)),
    }
}

/// Groups whose lists have the order of the input.
fn collect_in_order(aggregate: Aggregate) -> Result<Aggregate> {
    let is_collect = |expr: &Expr| matches!(expr, Expr::AggregateFunction(call) if by_key(call.func.name()).is_some());
    if !aggregate.aggr_expr.iter().any(is_collect) {
        return Ok(aggregate);
    }
    let Some((input, key)) = with_key_column(&aggregate.input, false)? else { return Ok(aggregate) };
    let with_key = |expr: Expr| {
        let name = expr.schema_name().to_string();
        let Expr::AggregateFunction(AggregateFunction { func, mut params }) = expr else { return expr };
        let Some(by_key) = by_key(func.name()) else {
            return Expr::AggregateFunction(AggregateFunction { func, params });
        };
        params.args.push(Expr::Column(key.clone()));
        Expr::AggregateFunction(AggregateFunction { func: by_key, params }).alias(name)
    };
    let lists = aggregate.aggr_expr.into_iter().map(with_key).collect();
    Aggregate::try_new(Arc::new(input), aggregate.group_expr, lists)
}

/// A plan with a column for the order of its rows, and that column; `None` if they have no order.
fn with_key_column(plan: &LogicalPlan, is_limited: bool) -> Result<Option<(LogicalPlan, Column)>> {
    let below = match plan {
        LogicalPlan::Sort(sort) => {
            let schema = sort.input.schema();
            let is_possible = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| can_be_key(&data_type));
            if !sort.expr.iter().all(|sort| is_possible(&sort.expr)) {
                return Ok(None);
            }
            let columns = schema.columns().into_iter().map(Expr::Column);
            let columns: Vec<Expr> = columns.chain([key(&sort.expr).alias(KEY)]).collect();
            let from = if is_limited || sort.fetch.is_some() { plan } else { sort.input.as_ref() };
            let plan = LogicalPlanBuilder::from(from.clone()).project(columns)?.build()?;
            return Ok(Some((plan, Column::from_name(KEY))));
        }
        LogicalPlan::Limit(limit) => with_key_column(&limit.input, true)?,
        LogicalPlan::Projection(projection) => with_key_column(&projection.input, is_limited)?,
        LogicalPlan::Filter(filter) => with_key_column(&filter.input, is_limited)?,
        LogicalPlan::SubqueryAlias(alias) => with_key_column(&alias.input, is_limited)?,
        _ => None,
    };
    let Some((input, key)) = below else { return Ok(None) };
    let input = Arc::new(input);
    Ok(Some(match plan {
        LogicalPlan::Limit(limit) => (LogicalPlan::Limit(Limit { input, ..limit.clone() }), key),
        LogicalPlan::Projection(projection) => {
            let columns = projection.expr.iter().cloned().chain([Expr::Column(key.clone())]).collect();
            (LogicalPlan::Projection(Projection::try_new(columns, input)?), key)
        }
        LogicalPlan::Filter(filter) => (LogicalPlan::Filter(Filter::try_new(filter.predicate.clone(), input)?), key),
        LogicalPlan::SubqueryAlias(alias) => {
            let key = Column::new(Some(alias.alias.clone()), KEY);
            (LogicalPlan::SubqueryAlias(SubqueryAlias::try_new(input, alias.alias.clone())?), key)
        }
        _ => return Ok(None),
    }))
}

/// A plan without the order of its rows, when it has one.
fn unordered(plan: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    let input = match plan {
        LogicalPlan::Sort(Sort { input, fetch: None, .. }) => {
            return Ok(Some(unordered(input)?.unwrap_or_else(|| input.as_ref().clone())));
        }
        LogicalPlan::Projection(projection) => &projection.input,
        LogicalPlan::Filter(filter) => &filter.input,
        LogicalPlan::SubqueryAlias(alias) => &alias.input,
        _ => return Ok(None),
    };
    let Some(input) = unordered(input)? else { return Ok(None) };
    plan.with_new_exprs(plan.expressions(), vec![input]).map(Some)
}

/// The same for the input of a node.
fn drop_order(input: &mut Arc<LogicalPlan>) -> Result<bool> {
    let Some(plan) = unordered(input)? else { return Ok(false) };
    *input = Arc::new(plan);
    Ok(true)
}
