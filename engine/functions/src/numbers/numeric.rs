//! `negative(x)` and `numeric(x)` of any kind of number, exact; `div` and `mod` of whole numbers.

use arrow::compute::kernels::numeric::neg;

use super::bitwise::{TWO_NUMBERS, whole_field};
use super::decimal_text;
use super::float_decimals::decimals_of_floats;
use super::operators::{overflow, too_large};
use crate::prelude::*;
use crate::uint256::{self, to_decimal256};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        doc(
            "negative(number)",
            "The negation of a number, the same as the unary minus operator.",
            "select negative(5)",
        )
        .udf(1..=1, negative_field, |args, to| match to.data_type() {
            number if is_number(number) => uint256::negated(&args[0]),
            to => neg(&strict_cast(&args[0], to)?).map_err(overflow),
        }),
        doc(
            "numeric(number or text)",
            "The number as a decimal with all its digits, the same as a cast to NUMERIC or DECIMAL without precision.",
            "select numeric('12.50')",
        )
        .fallible()
        .udf(1..=1, numeric_field, |args, to| match args[0].data_type() {
            from if is_number(from) => to_decimal256(&args[0]),
            from if is_text(from) => decimal_text::read(&args[0], to),
            _ => decimals_of_floats(&args[0], to.data_type(), false)
                .map_err(|_| invalid("This is not a number, or it has too many digits for a decimal.")),
        }),
        doc("mod(number, number)", "The remainder of an integer division.", "select mod(6, 3)")
            .fails_on(FailsOn::Divisor)
            .udf(2..=2, |args| whole_field(args, TWO_NUMBERS), |args, _| pairs(args, remainder)),
        doc("div(number, number)", "The quotient of an integer division, truncated toward zero.", "select div(6, 3)")
            .fails_on(FailsOn::Divisor)
            .udf(2..=2, |args| whole_field(args, TWO_NUMBERS), |args, _| pairs(args, quotient)),
    ]
}

fn remainder(number: i64, divisor: i64) -> Result<i64> {
    match divisor {
        0 => Err(out_of_range("A number was divided by zero.")),
        // The least number divided by -1 leaves nothing, though its quotient is too large.
        _ => Ok(number.wrapping_rem(divisor)),
    }
}

fn quotient(number: i64, divisor: i64) -> Result<i64> {
    remainder(number, divisor)?;
    number.checked_div(divisor).ok_or_else(too_large)
}

fn pairs(args: &[ArrayRef], apply: impl Fn(i64, i64) -> Result<i64>) -> Result<ArrayRef> {
    zip_rows::<Int64Array, _, _, _>(&int64s(&args[0])?, &int64s(&args[1])?, apply)
}

fn negative_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    returns(match args.arg_fields[0].data_type() {
        from if is_number(from) => return Ok(quarry_types::uint256::field("negative", true)),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::Null => DataType::Int64,
        DataType::UInt64 => DataType::Decimal128(20, 0),
        from @ (DataType::Interval(_) | DataType::Duration(_)) => from.clone(),
        from if from.is_numeric() => from.clone(),
        other => return Err(invalid(format!("The minus sign expects a number, got {}.", type_name(other, false)))),
    })(args)
}

fn numeric_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    returns(match args.arg_fields[0].data_type() {
        from if is_number(from) => DataType::Decimal256(76, 0),
        from if from.is_integer() || from.is_null() => DataType::Decimal128(38, 0),
        from @ (DataType::Decimal128(..) | DataType::Decimal256(..)) => from.clone(),
        from if from.is_floating() || is_text(from) || from.is_decimal() => DataType::Decimal256(76, 18),
        other => return Err(invalid(format!("Expected a number or a string here, got {}.", type_name(other, false)))),
    })(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_divided_by_minus_one_is_too_large() {
        assert_eq!(remainder(i64::MIN, -1).unwrap(), 0);
        assert_eq!((quotient(-7, 2).unwrap(), remainder(-7, 2).unwrap()), (-3, -1));
        let message = |result: Result<i64>| result.unwrap_err().to_string();
        assert!(message(quotient(i64::MIN, -1)).contains("out of range"));
        assert!(message(quotient(1, 0)).contains("divided by zero") && message(remainder(1, 0)).contains("by zero"));
    }
}
