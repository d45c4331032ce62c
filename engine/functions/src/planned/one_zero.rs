//! The number itself, with one zero and one NaN: `-0.0` is `0.0`, and doubles that are equal are equal bit by bit.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, AsArray, PrimitiveArray};
use arrow::datatypes::{ArrowPrimitiveType, Float32Type, Float64Type};
use datafusion::common::utils::normalize_float_zero;
use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::Simple;

/// Name of the function; people don't write it.
const NAME: &str = "one_zero";

static ONE_ZERO: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let same = |args: &[ArrayRef], _: &_| Ok(one_nan(normalize_float_zero(&args[0])));
    shared(Simple::udf(NAME, 1..=1, None, |args| Ok(args.arg_fields[0].clone()), same))
});

/// The shared function.
pub fn one_zero() -> Arc<ScalarUDF> {
    ONE_ZERO.clone()
}

/// Doubles with one NaN. Processors make NaN with a sign (`inf - inf`), which sorts before all numbers.
fn one_nan(values: ArrayRef) -> ArrayRef {
    if let Some(doubles) = values.as_primitive_opt::<Float64Type>() {
        return replaced(doubles, |value| value.is_nan().then_some(f64::NAN)).unwrap_or(values);
    }
    if let Some(floats) = values.as_primitive_opt::<Float32Type>() {
        return replaced(floats, |value| value.is_nan().then_some(f32::NAN)).unwrap_or(values);
    }
    values
}

/// The values with those replaced for which there is another one; `None` if there are none.
fn replaced<T: ArrowPrimitiveType>(
    values: &PrimitiveArray<T>,
    other: impl Fn(T::Native) -> Option<T::Native>,
) -> Option<ArrayRef> {
    let any = values.values().iter().any(|value| other(*value).is_some());
    any.then(|| Arc::new(values.unary::<_, T>(|value| other(value).unwrap_or(value))) as ArrayRef)
}
