//! `-0.0` and `0.0` are one number, and NaN is one value, whatever its sign: processors make NaN with one (`inf - inf`). The stock
//! comparisons, `IN`, `CASE x WHEN`, `nullif`, `greatest`, DISTINCT, GROUP BY, PARTITION BY and ORDER BY compare doubles bit by bit
//! (<https://github.com/apache/datafusion/issues/11108>; <https://github.com/apache/datafusion/pull/22835> fixed some of them for zeros).

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{Between, Case, InList, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Distinct, Expr, ExprSchemable, GroupingSet, LogicalPlan, LogicalPlanBuilder, SortExpr,
};

use crate::node_rules::rewrite_expressions;
use quarry_functions::casts::numbers;
use quarry_functions::{has_floats, one_zero};

/// Functions that compare their arguments, or the items of them.
const COMPARING_FUNCTIONS: [&str; 16] = [
    "array_has",
    "array_has_all",
    "array_has_any",
    "array_position",
    "array_positions",
    "array_remove",
    "array_remove_all",
    "array_remove_n",
    "array_replace",
    "array_replace_all",
    "array_replace_n",
    "greatest",
    "least",
    "nested_order",
    "nullif",
    "rows_equal",
];

/// Runs when types are known.
pub(crate) fn normalize_floats(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, normalize_compared)?.transform_data(normalize_keys)
}

/// Casts doubles to decimals by their shortest text. Runs when all casts are in the plan.
pub(crate) fn cast_floats_to_decimals(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |expr, schema| Ok(numbers::float_as_decimal(expr, schema)))
}

/// A double with one zero and one NaN, and a list or a row with such doubles; anything else as it is.
fn normalize(expr: Expr, schema: &DFSchema) -> Expr {
    let has_doubles = expr.get_type(schema).is_ok_and(|data_type| has_floats(&data_type));
    let is_normalized = matches!(&expr, Expr::ScalarFunction(call) if call.func == one_zero());
    if has_doubles && !is_normalized { one_zero().call(vec![expr]) } else { expr }
}

fn normalize_all(exprs: Vec<Expr>, schema: &DFSchema) -> Vec<Expr> {
    exprs.into_iter().map(|expr| normalize(expr, schema)).collect()
}

fn normalize_sort(keys: Vec<SortExpr>, schema: &DFSchema) -> Vec<SortExpr> {
    keys.into_iter().map(|key| SortExpr { expr: normalize(key.expr, schema), ..key }).collect()
}

/// Normalizes what an expression compares.
fn normalize_compared(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    Ok(match expr {
        Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
            let columns = subquery.subquery.schema();
            let has_doubles = columns.fields().iter().all(|field| has_floats(field.data_type()));
            let subquery = match has_doubles {
                true => {
                    let column = normalize_named(Expr::Column(Column::from(columns.qualified_field(0))), columns);
                    let plan =
                        LogicalPlanBuilder::from(Arc::clone(&subquery.subquery)).project(vec![column])?.build()?;
                    subquery.with_plan(Arc::new(plan))
                }
                false => subquery,
            };
            let expr = Box::new(normalize(*expr, schema));
            Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated }))
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if op.supports_propagation() => {
            let (left, right) = (Box::new(normalize(*left, schema)), Box::new(normalize(*right, schema)));
            Transformed::yes(Expr::BinaryExpr(BinaryExpr { left, op, right }))
        }
        Expr::Between(Between { expr, negated, low, high }) => {
            let [expr, low, high] = [expr, low, high].map(|part| Box::new(normalize(*part, schema)));
            Transformed::yes(Expr::Between(Between { expr, negated, low, high }))
        }
        Expr::InList(InList { expr, list, negated }) => {
            let list = InList { expr: Box::new(normalize(*expr, schema)), list: normalize_all(list, schema), negated };
            Transformed::yes(Expr::InList(list))
        }
        Expr::Case(Case { expr: Some(value), when_then_expr, else_expr }) => {
            let cases =
                when_then_expr.into_iter().map(|(when, then)| (Box::new(normalize(*when, schema)), then)).collect();
            let case = Case { expr: Some(Box::new(normalize(*value, schema))), when_then_expr: cases, else_expr };
            Transformed::yes(Expr::Case(case))
        }
        Expr::ScalarFunction(mut call) if COMPARING_FUNCTIONS.contains(&call.func.name()) => {
            call.args = normalize_all(call.args, schema);
            Transformed::yes(Expr::ScalarFunction(call))
        }
        Expr::AggregateFunction(mut call) if call.params.distinct => {
            call.params.args = normalize_all(call.params.args, schema);
            Transformed::yes(Expr::AggregateFunction(call))
        }
        Expr::WindowFunction(mut call) => {
            let params = &mut call.params;
            params.partition_by = normalize_all(std::mem::take(&mut params.partition_by), schema);
            params.order_by = normalize_sort(std::mem::take(&mut params.order_by), schema);
            Transformed::yes(Expr::WindowFunction(call))
        }
        other => Transformed::no(other),
    })
}

/// Normalizes the keys of a node: those of groups and sorts, and the columns of DISTINCT.
fn normalize_keys(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    Ok(match plan {
        LogicalPlan::Aggregate(Aggregate { input, group_expr, aggr_expr, .. }) => {
            let groups = group_expr.into_iter().map(|expr| normalize_group(expr, input.schema())).collect();
            Transformed::yes(LogicalPlan::Aggregate(Aggregate::try_new(input, groups, aggr_expr)?))
        }
        LogicalPlan::Distinct(Distinct::All(input)) => {
            let schema = input.schema();
            let has_doubles = schema.fields().iter().any(|field| has_floats(field.data_type()));
            if !has_doubles {
                return Ok(Transformed::no(LogicalPlan::Distinct(Distinct::All(input))));
            }
            let columns: Vec<Expr> =
                schema.iter().map(|column| normalize_named(Expr::Column(Column::from(column)), schema)).collect();
            let input = LogicalPlanBuilder::from(input).project(columns)?.build()?;
            Transformed::yes(LogicalPlan::Distinct(Distinct::All(Arc::new(input))))
        }
        LogicalPlan::Sort(mut sort) => {
            sort.expr = normalize_sort(sort.expr, sort.input.schema());
            Transformed::yes(LogicalPlan::Sort(sort))
        }
        other => Transformed::no(other),
    })
}

/// A group key under the name that it had.
fn normalize_named(expr: Expr, schema: &DFSchema) -> Expr {
    let name = NamePreserver::new_for_projection().save(&expr);
    name.restore(normalize(expr, schema))
}

fn normalize_group(expr: Expr, schema: &DFSchema) -> Expr {
    let all = |exprs: Vec<Expr>| exprs.into_iter().map(|expr| normalize_named(expr, schema)).collect();
    match expr {
        Expr::GroupingSet(GroupingSet::Rollup(exprs)) => Expr::GroupingSet(GroupingSet::Rollup(all(exprs))),
        Expr::GroupingSet(GroupingSet::Cube(exprs)) => Expr::GroupingSet(GroupingSet::Cube(all(exprs))),
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            Expr::GroupingSet(GroupingSet::GroupingSets(sets.into_iter().map(all).collect()))
        }
        other => normalize_named(other, schema),
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn stock_comparisons_still_have_two_zeros() {
        let create = "create table t as select cast(column1 as double) as x, cast(column2 as double) as y from (values ('-0.0', '0.0'))";
        let query = "select case x when y then 1 end, nullif(x, y) from t";
        assert_ne!(
            rows(1, &[create, query]).await,
            ["1 null"],
            "DataFusion is right now: most of `normalize_floats` can go"
        );
    }
}
