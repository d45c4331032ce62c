//! `+`, `-` and `*` of integers and their minus sign fail on overflow.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan};

use crate::node_rules::rewrite_expressions;
use quarry_functions::{checked, checked_negative};

/// Runs when types are known.
pub(crate) fn check_integer_overflow(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |expr, schema| {
        let is_integer = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| data_type.is_integer());
        Ok(match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => match checked(op) {
                Some(function) if is_integer(&left) && is_integer(&right) => {
                    Transformed::yes(function.call(vec![*left, *right]))
                }
                _ => Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right })),
            },
            Expr::Negative(inner) if is_integer(&inner) && !matches!(*inner, Expr::Literal(..)) => {
                Transformed::yes(checked_negative().call(vec![*inner]))
            }
            other => Transformed::no(other),
        })
    })
}
