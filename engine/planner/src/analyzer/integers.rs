//! Puts checked operators in the place of `+ - *` and the minus sign of integers, once all types are settled.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::pass::every_part;
use quarry_functions::{checked, checked_negative};

/// The pass over the plan.
#[derive(Debug)]
pub struct CheckedIntegers;

impl AnalyzerRule for CheckedIntegers {
    fn name(&self) -> &str {
        "checked_integers"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |expr, schema| Ok(rewrite(expr, schema)))
    }
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_integer = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| data_type.is_integer());
    match expr {
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
    }
}
