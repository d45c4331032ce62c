//! Bits of one number: `bitwise_not`, a shift that keeps the sign, and how many are set.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::wide_bits;
use crate::simple::{Doc, Simple};
use quarry_types::type_names::type_name;
use quarry_types::uint256::is_number;
use quarry_types::{invalid, out_of_range};

const NOT_DOC: Doc = Doc {
    signature: "bitwise_not(number)",
    text: "The number with every bit turned.",
    example: "select bitwise_not(19)",
};
const SHIFT_DOC: Doc = Doc {
    signature: "bitwise_arithmetic_shift_right(number, bits)",
    text: "A number moved right by a number of bits, filled with its sign.",
    example: "select bitwise_arithmetic_shift_right(-8, 1)",
};
const COUNT_DOC: Doc = Doc {
    signature: "bit_count(number, bits)",
    text: "How many bits of a number are set, where it is written in so many bits, 64 at most.",
    example: "select bit_count(7, 64)",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("bitwise_not", 1..=1, Some(NOT_DOC), whole_or_wide, |args, to| {
            if is_number(to.data_type()) {
                return wide_bits::each(&args[0], to, |number| !number);
            }
            let numbers = numbers(&args[0])?;
            Ok(Arc::new(numbers.iter().map(|number| number.map(|number| !number)).collect::<Int64Array>()))
        }),
        Simple::udf("bitwise_arithmetic_shift_right", 2..=2, Some(SHIFT_DOC), whole_or_wide, |args, to| {
            if is_number(to.data_type()) {
                return wide_bits::shifted_with_sign(args, to);
            }
            pairs(args, |number, by| match by {
                0..64 => Ok(number >> by),
                _ => Ok(if number < 0 { -1 } else { 0 }),
            })
        })
        .with_aliases(["bitwise_right_shift_arithmetic"]),
        Simple::udf("bit_count", 2..=2, Some(COUNT_DOC), whole, |args, _| pairs(args, count)),
    ]
}

fn whole_or_wide(args: &ReturnFieldArgs) -> Result<FieldRef> {
    wide_bits::field(args).map_or_else(|| whole(args), Ok)
}

fn whole(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let other =
        args.arg_fields.iter().map(|field| field.data_type()).find(|from| !from.is_integer() && !from.is_null());
    match other {
        None => Ok(Arc::new(Field::new("number", DataType::Int64, true))),
        Some(other) => Err(invalid(format!("A whole number is needed here, not {}.", type_name(other, false)))),
    }
}

fn numbers(array: &ArrayRef) -> Result<Int64Array> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    Ok(cast_with_options(array, &DataType::Int64, &options)?.as_primitive::<Int64Type>().clone())
}

fn pairs(args: &[ArrayRef], work: fn(i64, i64) -> Result<i64>) -> Result<ArrayRef> {
    let (left, right) = (numbers(&args[0])?, numbers(&args[1])?);
    let rows =
        left.iter().zip(&right).map(|(left, right)| left.zip(right).map(|(left, right)| work(left, right)).transpose());
    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
}

fn count(number: i64, bits: i64) -> Result<i64> {
    if !(2..=64).contains(&bits) {
        return Err(invalid("A number is written in 2 to 64 bits."));
    }
    let unused = (64 - bits) as u32;
    if (number << unused) >> unused != number {
        return Err(out_of_range(format!("{number} can't be written in {bits} bits.")));
    }
    Ok((((number << unused) as u64).count_ones()).into())
}
