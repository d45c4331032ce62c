//! Compares lists and rows as `ORDER BY` sorts them: nulls inside come last. The stock comparison puts them first, so that
//! `array[null] < array[3]` holds, and its options can't be set (so `compare_op_for_nested` says in `datafusion-physical-expr-common`;
//! no upstream issue found as of 2026-11). `=` and `<>` of rows leave open what a null leaves open.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, Case, InList};
use datafusion::logical_expr::utils::{conjunction, split_conjunction, split_conjunction_owned};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, binary_expr, lit, not};

use super::in_lists::balanced_tree;
use super::nullif::{null_where, repeatable_nullif};
use crate::node_rules::rewrite_expressions;
use crate::subqueries::contains_subquery;
use quarry_functions::{nested_order, rows_equal};

/// The most rows of a list that are compared one by one; a longer list is looked up as a whole.
const MAX_ROWS: usize = 1_000;

/// Runs when both operands of each comparison have one type. Spark, and so HiveQL, compares as DataFusion does.
pub(crate) fn compare_nested_values(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let function = nested_order();
    let compare = |left: Expr, operator: Operator, right: Expr| {
        binary_expr(function.call(vec![left, right]), operator, lit(0_i8))
    };
    let compared = rewrite_expressions(plan, |expr, schema| {
        let is_nested = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| data_type.is_nested());
        Ok(match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right })
                if matches!(op, Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq)
                    && is_nested(&left)
                    && is_nested(&right) =>
            {
                Transformed::yes(compare(*left, op, *right))
            }
            Expr::Between(Between { expr, negated, low, high }) if is_nested(&expr) => {
                let within = compare(*expr.clone(), Operator::GtEq, *low).and(compare(*expr, Operator::LtEq, *high));
                Transformed::yes(if negated { Expr::Not(Box::new(within)) } else { within })
            }
            other => return equal_rows(other, schema),
        })
    })?;
    compared.transform_data(|plan| Ok(keep_join_keys(plan)))
}

/// Rows are equal field by field, and it is unknown whether they are where a null leaves it open. The stock comparison takes a null
/// in a row for a value.
fn equal_rows(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_row = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| matches!(data_type, DataType::Struct(_)));
    let is_null = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| data_type.is_null());
    // What is written once and compared several times.
    let is_repeatable = |expr: &Expr| is_row(expr) && !expr.is_volatile() && !contains_subquery(expr);
    let equal = |left: Expr, right: Expr| rows_equal().call(vec![left, right]);
    Ok(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::Eq | Operator::NotEq), right })
            if is_row(&left) && is_row(&right) =>
        {
            let equal = equal(*left, *right);
            Transformed::yes(if op == Operator::NotEq { not(equal) } else { equal })
        }
        Expr::InList(InList { expr, list, negated })
            if (1..=MAX_ROWS).contains(&list.len())
                && is_repeatable(&expr)
                && list.iter().all(|item| is_row(item) || is_null(item)) =>
        {
            let each = list.into_iter().map(|item| equal((*expr).clone(), item)).collect();
            let listed = balanced_tree(each, Operator::Or).unwrap_or_else(|| lit(false));
            Transformed::yes(if negated { not(listed) } else { listed })
        }
        Expr::Case(Case { expr: Some(value), when_then_expr, else_expr })
            if is_repeatable(&value) && when_then_expr.iter().all(|(when, _)| is_row(when)) =>
        {
            let equal = |when: Expr| Box::new(equal((*value).clone(), when));
            let when_then_expr = when_then_expr.into_iter().map(|(when, then)| (equal(*when), then)).collect();
            Transformed::yes(Expr::Case(Case { expr: None, when_then_expr, else_expr }))
        }
        other => match repeatable_nullif(&other) {
            Some((value, compared)) if is_repeatable(value) && is_row(compared) => {
                Transformed::yes(null_where(equal(value.clone(), compared.clone()), value.clone(), schema)?)
            }
            _ => Transformed::no(other),
        },
    })
}

/// Adds the stock comparison beside that of ours, of which the optimizer makes join keys. It is true wherever ours is.
fn keep_join_keys(plan: LogicalPlan) -> Transformed<LogicalPlan> {
    match plan {
        LogicalPlan::Filter(mut filter) => {
            let condition = with_keys(filter.predicate);
            filter.predicate = condition.data;
            Transformed::new_transformed(LogicalPlan::Filter(filter), condition.transformed)
        }
        LogicalPlan::Join(mut join) => {
            let condition = join.filter.map(with_keys);
            let is_changed = condition.as_ref().is_some_and(|condition| condition.transformed);
            join.filter = condition.map(|condition| condition.data);
            Transformed::new_transformed(LogicalPlan::Join(join), is_changed)
        }
        other => Transformed::no(other),
    }
}

/// A condition that holds for the same rows. A condition that was here before gets no second stock comparison.
fn with_keys(condition: Expr) -> Transformed<Expr> {
    let function = rows_equal();
    let compared = |part: &Expr| match part {
        Expr::ScalarFunction(call) if call.func == function && !part.is_volatile() && !contains_subquery(part) => {
            Some(call.args.clone())
        }
        _ => None,
    };
    if !split_conjunction(&condition).into_iter().any(|part| compared(part).is_some()) {
        return Transformed::no(condition);
    }
    let mut parts: Vec<Expr> = Vec::new();
    for part in split_conjunction_owned(condition) {
        if let Some(mut rows) = compared(&part) {
            if parts.contains(&part) {
                continue;
            }
            if let (Some(right), Some(left)) = (rows.pop(), rows.pop()) {
                parts.push(binary_expr(left, Operator::Eq, right));
            }
        }
        parts.push(part);
    }
    Transformed::yes(conjunction(parts).unwrap_or_else(|| lit(true)))
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_comparison_still_puts_nulls_first() {
        let query = "select make_array(null) < make_array(3)";
        assert_ne!(rows(1, &[query]).await, ["false"], "DataFusion is right now: `compare_nested_values` can go");
    }
}
