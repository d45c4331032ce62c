//! Correlated subqueries with a limit: `(select … where t.a = o.a order by b limit 1)` as a value, and
//! `lateral (select … where t.a = o.a order by b limit 3)`. The stock rules join no subquery that has a limit and a filter on
//! outer columns; with the rows numbered for each key instead of the limit they join it as any other.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::functions_aggregate::first_last::first_value_udaf;
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::expr::{Sort as SortExpr, WindowFunction};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprFunctionExt, FetchType, Filter, Limit, LogicalPlan, LogicalPlanBuilder, Operator, SkipType,
    Sort, Subquery, SubqueryAlias, WindowFunctionDefinition,
};
use datafusion::prelude::lit;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// Names of the columns of keys and of row numbers.
const KEY: &str = "__limited_key";
const NUMBER: &str = "__limited_number";

/// Runs before the stock rules that join such subqueries.
pub(crate) fn number_limited_subqueries(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    if let LogicalPlan::Subquery(lateral) = &plan {
        let Some(numbered) = numbered(&lateral.subquery)? else { return Ok(Transformed::no(plan)) };
        return Ok(Transformed::yes(LogicalPlan::Subquery(lateral.with_plan(Arc::new(numbered)))));
    }
    plan.map_exprs(|expr| expr.transform_up(number_scalar_subquery))
}

/// Whether the rule numbers the rows of a subquery.
pub fn is_limited(plan: &LogicalPlan) -> Result<bool> {
    Ok(numbered(plan)?.is_some())
}

/// A scalar subquery with a limit, as an aggregate of its only row.
fn number_scalar_subquery(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::ScalarSubquery(query) = &expr else { return Ok(Transformed::no(expr)) };
    // The stock rules report subqueries with several rows.
    let single = matches!(query.subquery.as_ref(), LogicalPlan::Limit(limit) if first_rows(limit) <= Some(1));
    let Some(numbered) = single.then(|| numbered(&query.subquery)).transpose()?.flatten() else {
        return Ok(Transformed::no(expr));
    };
    let (table, field) = numbered.schema().qualified_field(0);
    let (column, name) = (Expr::Column(Column::from((table, field))), field.name().clone());
    let first = first_value_udaf().call(vec![column]).alias(name);
    let one = LogicalPlanBuilder::from(numbered).aggregate(Vec::<Expr>::new(), vec![first])?.build()?;
    Ok(Transformed::yes(Expr::ScalarSubquery(Subquery { subquery: Arc::new(one), ..query.clone() })))
}

/// The rows of a limited subquery, numbered for each value of the outer columns; `None` for any other.
fn numbered(plan: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    let LogicalPlan::Limit(limit) = plan else { return Ok(None) };
    let Some(count) = first_rows(limit) else { return Ok(None) };
    let (columns, sorted) = match limit.input.as_ref() {
        LogicalPlan::Projection(projection) if matches!(projection.input.as_ref(), LogicalPlan::Sort(_)) => {
            (Some(projection.expr.clone()), projection.input.as_ref())
        }
        other => (None, other),
    };
    let (order, rows): (Vec<SortExpr>, &LogicalPlan) = match sorted {
        LogicalPlan::Sort(Sort { expr, input, fetch: None }) => (expr.clone(), input),
        other => (Vec::new(), other),
    };
    let is_outer_order = order.iter().any(|order| order.expr.contains_outer());
    if is_outer_order || columns.iter().flatten().any(Expr::contains_outer) {
        return Ok(None);
    }
    let columns = columns.unwrap_or_else(|| rows.schema().columns().into_iter().map(Expr::Column).collect());
    let Some(Uncorrelated { plan, keys, outer }) = uncorrelated(rows)? else { return Ok(None) };
    if keys.is_empty() {
        return Ok(None);
    }
    let number = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let number =
        Expr::WindowFunction(Box::new(number)).partition_by(keys.clone()).order_by(order).build()?.alias(NUMBER);
    let is_first = Expr::Column(Column::new_unqualified(NUMBER)).lt_eq(lit(count));
    let equal = keys.into_iter().zip(outer).map(|(key, outer)| key.eq(outer));
    let condition = equal.fold(is_first, Expr::and);
    let all = LogicalPlanBuilder::from(plan).window(vec![number])?.filter(condition)?.project(columns)?.build()?;
    Ok(Some(all))
}

/// How many rows a limit returns, when it skips none.
fn first_rows(limit: &Limit) -> Option<u64> {
    match (limit.get_skip_type().ok()?, limit.get_fetch_type().ok()?) {
        (SkipType::Literal(0), FetchType::Literal(Some(count))) => u64::try_from(count).ok(),
        _ => None,
    }
}

/// A plan without its filters on outer columns, the keys that they compare, and the outer expressions.
struct Uncorrelated {
    plan: LogicalPlan,
    keys: Vec<Expr>,
    outer: Vec<Expr>,
}

/// `None` where outer columns occur other than in `key = outer`.
fn uncorrelated(plan: &LogicalPlan) -> Result<Option<Uncorrelated>> {
    match plan {
        LogicalPlan::Filter(Filter { predicate, input, .. }) if predicate.contains_outer() => {
            let (mut keys, mut outer, mut own) = (Vec::new(), Vec::new(), Vec::new());
            for part in split_conjunction(predicate) {
                match part {
                    part if !part.contains_outer() => own.push(part.clone()),
                    Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
                        let (key, value) = if left.contains_outer() { (right, left) } else { (left, right) };
                        if key.contains_outer() || !value.column_refs().is_empty() {
                            return Ok(None);
                        }
                        keys.push(key.as_ref().clone());
                        outer.push(value.as_ref().clone());
                    }
                    _ => return Ok(None),
                }
            }
            let mut rows = LogicalPlanBuilder::from(input.as_ref().clone());
            if let Some(own) = conjunction(own) {
                rows = rows.filter(own)?;
            }
            Ok((!has_outer_columns(input)?).then_some(Uncorrelated { plan: rows.build()?, keys, outer }))
        }
        LogicalPlan::Projection(projection) => {
            let Some(below) = uncorrelated(&projection.input)? else { return Ok(None) };
            if below.keys.is_empty() || projection.expr.iter().any(Expr::contains_outer) {
                return Ok((!has_outer_columns(plan)?).then(|| Uncorrelated { plan: plan.clone(), ..below }));
            }
            let named = below.keys.into_iter().enumerate().map(|(index, key)| key.alias(format!("{KEY}_{index}")));
            let columns: Vec<Expr> = projection.expr.iter().cloned().chain(named).collect();
            let keys =
                (0..below.outer.len()).map(|index| Expr::Column(Column::new_unqualified(format!("{KEY}_{index}"))));
            let plan = LogicalPlanBuilder::from(below.plan).project(columns)?.build()?;
            Ok(Some(Uncorrelated { plan, keys: keys.collect(), outer: below.outer }))
        }
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
            let Some(below) = uncorrelated(input)? else { return Ok(None) };
            let named = |key: Expr| match key {
                Expr::Column(column) => Some(Expr::Column(Column::new(Some(alias.clone()), column.name))),
                _ => None,
            };
            let Some(keys) = below.keys.into_iter().map(named).collect::<Option<Vec<_>>>() else { return Ok(None) };
            let plan = LogicalPlanBuilder::from(below.plan).alias(alias.clone())?.build()?;
            Ok(Some(Uncorrelated { plan, keys, outer: below.outer }))
        }
        other => {
            let free = !has_outer_columns(other)?;
            Ok(free.then(|| Uncorrelated { plan: other.clone(), keys: Vec::new(), outer: Vec::new() }))
        }
    }
}

/// Whether a plan refers to outer columns anywhere.
fn has_outer_columns(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|plan| Ok(plan.contains_outer_reference()))
}
