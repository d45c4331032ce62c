//! The exact operators on 256-bit numbers.

use quarry_types::uint256::{field, is_signed};

use super::{below_zero, read, too_large, write};
use crate::prelude::*;

/// The exact form of `+ - * / %` on 256-bit numbers.
pub fn uint256_op(sign: char) -> Option<Arc<ScalarUDF>> {
    Some(match sign {
        '+' => shared!(udf("uint256_add", FailsOn::Nothing, |a, b, _| a.checked_add(b).ok_or_else(too_large))),
        '-' => shared!(udf("uint256_subtract", FailsOn::AnyArgument, subtract)),
        '*' => shared!(udf("uint256_multiply", FailsOn::Nothing, |a, b, _| a.checked_mul(b).ok_or_else(too_large))),
        '/' => shared!(udf("uint256_divide", FailsOn::Divisor, |a, b, _| a.checked_div(b).ok_or_else(by_zero))),
        '%' => shared!(udf("uint256_rest", FailsOn::Divisor, |a, b, _| a.checked_rem(b).ok_or_else(by_zero))),
        _ => return None,
    })
}

/// The result of an operator is signed as soon as one of its sides is.
fn udf(name: &'static str, fails_on: FailsOn, apply: fn(Number, Number, bool) -> Result<Number>) -> ScalarUDF {
    let returns =
        |args: &ReturnFieldArgs<'_>| Ok(field("number", args.arg_fields.iter().any(|field| is_signed(field))));
    undocumented(name).fails_on(fails_on).udf(2..=2, returns, move |args, to| {
        let signed = is_signed(to);
        let pairs = read(&args[0])?.into_iter().zip(read(&args[1])?);
        let results = pairs.map(|(left, right)| left.zip(right).map(|(a, b)| apply(a, b, signed)).transpose());
        write(results.collect::<Result<_>>()?)
    })
}

fn by_zero() -> DataFusionError {
    refuse(ErrorCode::Arithmetic, "A number was divided by zero.")
}

/// Two unsigned numbers have an unsigned difference, as in contracts: one below zero is an error.
fn subtract(a: Number, b: Number, signed: bool) -> Result<Number> {
    let difference = a.checked_add(b.negate()).ok_or_else(too_large)?;
    let unsigned = !signed && !a.is_negative() && !b.is_negative();
    if unsigned && difference.is_negative() { Err(below_zero()) } else { Ok(difference) }
}

/// The minus sign of a 256-bit number.
pub fn negate() -> Arc<ScalarUDF> {
    shared!(scalar_udf("int256_negate", 1..=1, |_| Ok(field("int256_negate", true)), |args, _| negated(&args[0])))
}

/// A column with the other sign.
pub fn negated(array: &ArrayRef) -> Result<ArrayRef> {
    write(read(array)?.into_iter().map(|row| row.map(Number::negate)).collect())
}
