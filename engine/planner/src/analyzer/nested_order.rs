//! Compares lists and rows as `ORDER BY` sorts them: nulls inside come last. The stock comparison puts them first, so that
//! `array[null] < array[3]` holds, and its options can't be set (so `compare_op_for_nested` says in `datafusion-physical-expr-common`;
//! no upstream issue found as of 2026-11).

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::Between;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, binary_expr, lit};

use crate::node_rules::rewrite_expressions;
use quarry_functions::nested_order;

/// Runs when both operands of each comparison have one type. Spark, and so HiveQL, compares as DataFusion does.
pub(crate) fn compare_nested_values(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let function = nested_order();
    let compare = |left: Expr, operator: Operator, right: Expr| {
        binary_expr(function.call(vec![left, right]), operator, lit(0_i8))
    };
    rewrite_expressions(plan, |expr, schema| {
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
            other => Transformed::no(other),
        })
    })
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
