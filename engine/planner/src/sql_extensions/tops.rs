//! The first rows for each row outside: `(select … where t.a = o.a order by b limit 1)` as a value, and
//! `lateral (select … where t.a = o.a order by b limit 3)`. The stock rules join no query that has a limit and a condition on
//! outer columns; with the rows counted for each key instead they join it as any other.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, Result};
use datafusion::functions_aggregate::first_last::first_value_udaf;
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::expr::{Sort as Order, WindowFunction};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprFunctionExt, FetchType, Filter, Limit, LogicalPlan, LogicalPlanBuilder, Operator, SkipType,
    Sort, Subquery, SubqueryAlias, WindowFunctionDefinition,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::lit;

/// What the keys of rows and their places are called.
const KEY: &str = "key_of_row";
const PLACE: &str = "place_of_row";

/// Runs before the stock rules that turn such queries into joins.
#[derive(Debug)]
pub struct TopOfEach;

impl OptimizerRule for TopOfEach {
    fn name(&self) -> &str {
        "top_of_each"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if let LogicalPlan::Subquery(lateral) = &plan {
            let Some(counted) = of_each(&lateral.subquery)? else { return Ok(Transformed::no(plan)) };
            return Ok(Transformed::yes(LogicalPlan::Subquery(lateral.with_plan(Arc::new(counted)))));
        }
        plan.map_expressions(|expr| expr.transform_up(value))
    }
}

/// Whether the rule counts the rows of a query.
pub fn is_top_of_each(plan: &LogicalPlan) -> Result<bool> {
    Ok(of_each(plan)?.is_some())
}

/// A value that is asked for with a limit, as an aggregate of the one row there is.
fn value(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::ScalarSubquery(asked) = &expr else { return Ok(Transformed::no(expr)) };
    // With more rows than one it is no value, which the stock rules say.
    let single = matches!(asked.subquery.as_ref(), LogicalPlan::Limit(limit) if first_rows(limit) <= Some(1));
    let Some(counted) = single.then(|| of_each(&asked.subquery)).transpose()?.flatten() else {
        return Ok(Transformed::no(expr));
    };
    let (table, field) = counted.schema().qualified_field(0);
    let (column, name) = (Expr::Column(Column::from((table, field))), field.name().clone());
    let first = first_value_udaf().call(vec![column]).alias(name);
    let one = LogicalPlanBuilder::from(counted).aggregate(Vec::<Expr>::new(), vec![first])?.build()?;
    Ok(Transformed::yes(Expr::ScalarSubquery(Subquery { subquery: Arc::new(one), ..asked.clone() })))
}

/// The rows of a limited query that depends on outer columns, counted for each of their values; `None` for any other.
fn of_each(plan: &LogicalPlan) -> Result<Option<LogicalPlan>> {
    let LogicalPlan::Limit(limit) = plan else { return Ok(None) };
    let Some(count) = first_rows(limit) else { return Ok(None) };
    let (shown, sorted) = match limit.input.as_ref() {
        LogicalPlan::Projection(projection) if matches!(projection.input.as_ref(), LogicalPlan::Sort(_)) => {
            (Some(projection.expr.clone()), projection.input.as_ref())
        }
        other => (None, other),
    };
    let (order, rows): (Vec<Order>, &LogicalPlan) = match sorted {
        LogicalPlan::Sort(Sort { expr, input, fetch: None }) => (expr.clone(), input),
        other => (Vec::new(), other),
    };
    let outside = order.iter().any(|order| order.expr.contains_outer());
    if outside || shown.iter().flatten().any(Expr::contains_outer) {
        return Ok(None);
    }
    let shown = shown.unwrap_or_else(|| rows.schema().columns().into_iter().map(Expr::Column).collect());
    let Some(Apart { plan, keys, outer }) = apart(rows)? else { return Ok(None) };
    if keys.is_empty() {
        return Ok(None);
    }
    let place = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let place = Expr::WindowFunction(Box::new(place)).partition_by(keys.clone()).order_by(order).build()?.alias(PLACE);
    let is_first = Expr::Column(Column::new_unqualified(PLACE)).lt_eq(lit(count));
    let equal = keys.into_iter().zip(outer).map(|(key, outer)| key.eq(outer));
    let condition = equal.fold(is_first, Expr::and);
    let all = LogicalPlanBuilder::from(plan).window(vec![place])?.filter(condition)?.project(shown)?.build()?;
    Ok(Some(all))
}

/// How many rows a limit lets through, when it leaves none out before.
fn first_rows(limit: &Limit) -> Option<u64> {
    match (limit.get_skip_type().ok()?, limit.get_fetch_type().ok()?) {
        (SkipType::Literal(0), FetchType::Literal(Some(count))) => u64::try_from(count).ok(),
        _ => None,
    }
}

/// A plan without its conditions on outer columns, the keys that they compare, and what with.
struct Apart {
    plan: LogicalPlan,
    keys: Vec<Expr>,
    outer: Vec<Expr>,
}

/// `None` where outer columns are asked for otherwise than as `key = outer`.
fn apart(plan: &LogicalPlan) -> Result<Option<Apart>> {
    match plan {
        LogicalPlan::Filter(Filter { predicate, input, .. }) if predicate.contains_outer() => {
            let (mut keys, mut outer, mut own) = (Vec::new(), Vec::new(), Vec::new());
            for part in split_conjunction(predicate) {
                match part {
                    part if !part.contains_outer() => own.push(part.clone()),
                    Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
                        let (key, of) = if left.contains_outer() { (right, left) } else { (left, right) };
                        if key.contains_outer() || !of.column_refs().is_empty() {
                            return Ok(None);
                        }
                        keys.push(key.as_ref().clone());
                        outer.push(of.as_ref().clone());
                    }
                    _ => return Ok(None),
                }
            }
            let mut rows = LogicalPlanBuilder::from(input.as_ref().clone());
            if let Some(own) = conjunction(own) {
                rows = rows.filter(own)?;
            }
            Ok((!asks_outside(input)?).then_some(Apart { plan: rows.build()?, keys, outer }))
        }
        LogicalPlan::Projection(projection) => {
            let Some(below) = apart(&projection.input)? else { return Ok(None) };
            if below.keys.is_empty() || projection.expr.iter().any(Expr::contains_outer) {
                return Ok((!asks_outside(plan)?).then(|| Apart { plan: plan.clone(), ..below }));
            }
            let named = below.keys.into_iter().enumerate().map(|(place, key)| key.alias(format!("{KEY}_{place}")));
            let columns: Vec<Expr> = projection.expr.iter().cloned().chain(named).collect();
            let keys =
                (0..below.outer.len()).map(|place| Expr::Column(Column::new_unqualified(format!("{KEY}_{place}"))));
            let plan = LogicalPlanBuilder::from(below.plan).project(columns)?.build()?;
            Ok(Some(Apart { plan, keys: keys.collect(), outer: below.outer }))
        }
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
            let Some(below) = apart(input)? else { return Ok(None) };
            let named = |key: Expr| match key {
                Expr::Column(column) => Some(Expr::Column(Column::new(Some(alias.clone()), column.name))),
                _ => None,
            };
            let Some(keys) = below.keys.into_iter().map(named).collect::<Option<Vec<_>>>() else { return Ok(None) };
            let plan = LogicalPlanBuilder::from(below.plan).alias(alias.clone())?.build()?;
            Ok(Some(Apart { plan, keys, outer: below.outer }))
        }
        other => {
            let free = !asks_outside(other)?;
            Ok(free.then(|| Apart { plan: other.clone(), keys: Vec::new(), outer: Vec::new() }))
        }
    }
}

/// Whether a plan names outer columns anywhere.
fn asks_outside(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|plan| Ok(plan.contains_outer_reference()))
}
