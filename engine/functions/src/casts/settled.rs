//! A cast that stays one. The optimizer compares what is inside a cast instead, and takes a decimal that was rounded, or a number
//! that did not fit, for what it was before.

use std::sync::{Arc, LazyLock};

use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ScalarUDF};

use crate::shared;
use crate::simple::Simple;

const NAME: &str = "settled";

static SETTLED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(NAME, 1..=1, None, |args| Ok(args.arg_fields[0].clone()), |args, _| Ok(args[0].clone())))
});

/// The value of an expression that the optimizer leaves as it is.
pub fn settled(expr: Expr) -> Expr {
    if is_settled(&expr) { expr } else { SETTLED.call(vec![expr]) }
}

/// Whether an expression is one already.
pub fn is_settled(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(ScalarFunction { func, .. }) if func.name() == NAME)
}
