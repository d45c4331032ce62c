//! An expression that the optimizer leaves as it is. It would compare the value inside a cast in place of the cast, and take a
//! decimal that was rounded, or a number that did not fit, for what it was before.

use datafusion::logical_expr::expr::ScalarFunction;

use crate::prelude::*;

const NAME: &str = "settled";

pub fn opaque(expr: Expr) -> Expr {
    if is_opaque(&expr) {
        return expr;
    }
    shared!(scalar_udf(NAME, 1..=1, returns_first, |args, _| Ok(args[0].clone()))).call(vec![expr])
}

/// Whether an expression is one already.
pub fn is_opaque(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(ScalarFunction { func, .. }) if func.name() == NAME)
}
