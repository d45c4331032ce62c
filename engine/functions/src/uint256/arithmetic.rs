//! The exact operators on 256-bit numbers.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow::array::ArrayRef;
use arrow::datatypes::FieldRef;
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{below_zero, too_large};
use super::{read, write};
use crate::shared;
use crate::simple::Simple;
use quarry_types::uint256::{Number, field, is_signed};
use quarry_types::{ErrorCode, refuse};

macro_rules! operator {
    ($name:literal, $work:expr) => {
        shared(Simple::udf(
            $name,
            2..=2,
            None,
            |args| result($name, args),
            |args, to| {
                let (left, right) = (read(&args[0])?, read(&args[1])?);
                let signed = is_signed(to);
                let pairs = left.into_iter().zip(right);
                let results: Result<Vec<_>> = pairs
                    .map(|(left, right)| match (left, right) {
                        (Some(left), Some(right)) => $work(left, right, signed).map(Some),
                        _ => Ok(None),
                    })
                    .collect();
                write(results?)
            },
        ))
    };
}

/// The result of an operator is signed as soon as one of its sides is.
fn result(name: &str, args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(field(name, args.arg_fields.iter().any(|field| is_signed(field))))
}

fn by_zero() -> datafusion::common::DataFusionError {
    refuse(ErrorCode::Arithmetic, "A number was divided by zero.")
}

/// Two unsigned numbers have an unsigned difference, as in contracts: one below zero is an error.
fn subtract(a: Number, b: Number, signed: bool) -> Result<Number> {
    let difference = a.checked_add(b.negate()).ok_or_else(too_large)?;
    let unsigned = !signed && !a.is_negative() && !b.is_negative();
    if unsigned && difference.is_negative() { Err(below_zero()) } else { Ok(difference) }
}

static OPERATORS: LazyLock<HashMap<char, Arc<ScalarUDF>>> = LazyLock::new(|| {
    HashMap::from([
        ('+', operator!("uint256_add", |a: Number, b: Number, _| a.checked_add(b).ok_or_else(too_large))),
        ('-', operator!("uint256_subtract", subtract)),
        ('*', operator!("uint256_multiply", |a: Number, b: Number, _| a.checked_mul(b).ok_or_else(too_large))),
        ('/', operator!("uint256_divide", |a: Number, b: Number, _| a.checked_div(b).ok_or_else(by_zero))),
        ('%', operator!("uint256_rest", |a: Number, b: Number, _| a.checked_rem(b).ok_or_else(by_zero))),
    ])
});

static NEGATE: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf("int256_negate", 1..=1, None, |_| Ok(field("int256_negate", true)), |args, _| negated(&args[0])))
});

/// The exact form of `+ - * / %` on 256-bit numbers.
pub fn uint256_op(sign: char) -> Option<Arc<ScalarUDF>> {
    OPERATORS.get(&sign).cloned()
}

/// The minus sign of a 256-bit number.
pub fn negate() -> Arc<ScalarUDF> {
    NEGATE.clone()
}

/// A column with the other sign.
pub fn negated(array: &ArrayRef) -> Result<ArrayRef> {
    write(read(array)?.into_iter().map(|row| row.map(Number::negate)).collect())
}
