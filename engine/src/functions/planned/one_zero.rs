//! The number itself, with one zero: `-0.0` is `0.0`, and doubles that are equal are equal bit by bit.

use std::sync::{Arc, LazyLock};

use datafusion::common::utils::normalize_float_zero;
use datafusion::logical_expr::ScalarUDF;

use crate::functions::shared;
use crate::functions::simple::Simple;

/// Name of the function; people don't write it.
const NAME: &str = "one_zero";

static ONE_ZERO: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let same = |args: &[arrow::array::ArrayRef], _: &_| Ok(normalize_float_zero(&args[0]));
    shared(Simple::udf(NAME, 1..=1, None, |args| Ok(args.arg_fields[0].clone()), same))
});

/// The shared function.
pub(crate) fn one_zero() -> Arc<ScalarUDF> {
    ONE_ZERO.clone()
}
