//! The minus sign, `numeric(x)` and operations on bits: for any kind of number, exact.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array};
use arrow::compute::kernels::numeric::neg;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use arrow::error::ArrowError;
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{decimal_text, wide_bits};
use crate::simple::{Doc, Simple};
use crate::uint256::{self, to_decimal256};
use quarry_types::byte_columns::is_text;
use quarry_types::type_names::type_name;
use quarry_types::uint256::is_number;
use quarry_types::{invalid, out_of_range};

const NEGATIVE_DOC: Doc = Doc {
    signature: "negative(number)",
    text: "The number with the other sign, as the minus sign before it.",
    example: "select negative(5)",
};
const NUMERIC_DOC: Doc = Doc {
    signature: "numeric(number or text)",
    text: "The number as a decimal with all its digits; what a cast to NUMERIC or DECIMAL without a size does.",
    example: "select numeric('12.50')",
};

macro_rules! of_two {
    ($name:literal, $text:literal, $field:expr, $rows:expr) => {
        Simple::udf(
            $name,
            2..=2,
            Some(Doc {
                signature: concat!($name, "(number, number)"),
                text: $text,
                example: concat!("select ", $name, "(6, 3)"),
            }),
            $field,
            $rows,
        )
    };
}

macro_rules! bits {
    ($name:literal, $text:literal, $work:expr, $wide:expr) => {
        of_two!($name, $text, bits_field, |args, to| match is_number(to.data_type()) {
            true => wide_bits::pairs(args, to, $wide),
            false => pairs(args, $work),
        })
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("negative", 1..=1, Some(NEGATIVE_DOC), negative_field, |args, to| match to.data_type() {
            number if is_number(number) => uint256::negated(&args[0]),
            to => {
                let wide = cast_with_options(&args[0], to, &CastOptions { safe: false, ..CastOptions::default() })?;
                neg(&wide).map_err(|error| match error {
                    ArrowError::ArithmeticOverflow(_) => out_of_range(
                        "A whole number left the range of its type; cast to decimal(38,0) before calculating.",
                    ),
                    other => other.into(),
                })
            }
        }),
        Simple::udf("numeric", 1..=1, Some(NUMERIC_DOC), numeric_field, |args, to| {
            if is_number(args[0].data_type()) {
                return to_decimal256(&args[0]);
            }
            if is_text(args[0].data_type()) {
                return decimal_text::read(&args[0], to);
            }
            let options = CastOptions { safe: false, ..CastOptions::default() };
            cast_with_options(&args[0], to.data_type(), &options)
                .map_err(|_| invalid("This is no number, or has too many digits for a decimal."))
        }),
        bits!("bitwise_and", "Bits that are set in both numbers.", |a, b| Some(a & b), |a, b| a & b),
        bits!("bitwise_or", "Bits that are set in one of two numbers.", |a, b| Some(a | b), |a, b| a | b),
        bits!("bitwise_xor", "Bits that are set in just one of two numbers.", |a, b| Some(a ^ b), |a, b| a ^ b),
        bits!(
            "bitwise_left_shift",
            "A number moved left by a number of bits.",
            |a, b| Some(u32::try_from(b).ok().filter(|by| *by < 64).map_or(0, |by| a << by)),
            wide_bits::left_shift
        ),
        bits!(
            "bitwise_right_shift",
            "A number moved right by a number of bits, filled with zeros.",
            |a, b| Some(u32::try_from(b).ok().filter(|by| *by < 64).map_or(0, |by| (a as u64 >> by) as i64)),
            wide_bits::right_shift
        ),
        of_two!("mod", "What a division of whole numbers leaves.", whole_field, |args, _| {
            pairs(args, |a, b| a.checked_rem(b))
        }),
        of_two!("div", "A division of whole numbers, rounded towards zero.", whole_field, |args, _| {
            pairs(args, |a, b| a.checked_div(b))
        }),
    ]
}

fn negative_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    let data_type = match from {
        from if is_number(from) => return Ok(quarry_types::uint256::field("negative", true)),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::Null => DataType::Int64,
        DataType::UInt64 => DataType::Decimal128(20, 0),
        from if from.is_numeric() => from.clone(),
        DataType::Interval(_) | DataType::Duration(_) => from.clone(),
        other => return Err(invalid(format!("The minus sign needs a number, not {}.", type_name(other, false)))),
    };
    Ok(Arc::new(Field::new("negative", data_type, true)))
}

fn numeric_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = match args.arg_fields[0].data_type() {
        from if is_number(from) => DataType::Decimal256(76, 0),
        from if from.is_integer() || from.is_null() => DataType::Decimal128(38, 0),
        from @ (DataType::Decimal128(..) | DataType::Decimal256(..)) => from.clone(),
        from if from.is_floating() || is_text(from) || from.is_decimal() => DataType::Decimal256(76, 18),
        other => return Err(invalid(format!("A number or a text is needed here, not {}.", type_name(other, false)))),
    };
    Ok(Arc::new(Field::new("numeric", data_type, true)))
}

fn bits_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    wide_bits::field(args).map_or_else(|| whole_field(args), Ok)
}

fn whole_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let whole = |field: &FieldRef| {
        let from = field.data_type();
        from.is_integer() || from.is_null()
    };
    if !args.arg_fields.iter().all(whole) {
        return Err(invalid("Two whole numbers are needed here; % works for other numbers."));
    }
    Ok(Arc::new(Field::new("number", DataType::Int64, true)))
}

fn pairs(args: &[ArrayRef], work: fn(i64, i64) -> Option<i64>) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let whole = |array: &ArrayRef| cast_with_options(array, &DataType::Int64, &options);
    let (left, right) = (whole(&args[0])?, whole(&args[1])?);
    let rows = left.as_primitive::<Int64Type>().iter().zip(right.as_primitive::<Int64Type>());
    let results = rows.map(|(left, right)| match (left, right) {
        (Some(left), Some(right)) => {
            work(left, right).map(Some).ok_or_else(|| out_of_range("A number was divided by zero."))
        }
        _ => Ok(None),
    });
    Ok(Arc::new(results.collect::<Result<Int64Array>>()?))
}
