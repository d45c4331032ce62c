//! Dune's functions that read bytes as numbers: `bytearray_to_uint256(bytes)` and its like.

use arrow::array::Decimal128Array;
use quarry_types::uint256::field;

use super::bytearray::takes_bytes;
use crate::prelude::*;
use crate::uint256;

pub(super) fn udfs() -> [ScalarUDF; 5] {
    [
        doc(
            "bytearray_to_uint256(bytes)",
            "Up to 32 big-endian bytes as a number; empty bytes are 0.",
            "select bytearray_to_uint256(0x0de0b6b3a7640000)",
        )
        .aliases(["varbinary_to_uint256"])
        .fallible()
        .udf(
            1..=1,
            |args| takes_bytes(DataType::Binary)(args).map(|_| field("uint256", false)),
            |args, _| numbers(&args[0], Number::from_be_bytes),
        ),
        doc(
            "bytearray_to_int256(bytes)",
            "Up to 32 bytes as a number; 32 bytes are read as two's complement.",
            "select bytearray_to_int256(0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff)",
        )
        .aliases(["varbinary_to_int256"])
        .fallible()
        .udf(
            1..=1,
            |args| takes_bytes(DataType::Binary)(args).map(|_| field("int256", true)),
            |args, _| numbers(&args[0], Number::from_twos_complement),
        ),
        doc(
            "bytearray_to_bigint(bytes)",
            "Up to 8 bytes as an integer; 8 bytes are read as two's complement.",
            "select bytearray_to_bigint(0x01f4)",
        )
        .aliases(["varbinary_to_bigint"])
        .fallible()
        .udf(1..=1, takes_bytes(DataType::Int64), |args, _| integers::<8>(&args[0])),
        doc(
            "bytearray_to_integer(bytes)",
            "Up to 4 bytes as an integer; 4 bytes are read as two's complement.",
            "select bytearray_to_integer(0x01f4)",
        )
        .aliases(["varbinary_to_integer"])
        .fallible()
        .udf(1..=1, takes_bytes(DataType::Int64), |args, _| integers::<4>(&args[0])),
        doc(
            "bytearray_to_decimal(bytes)",
            "Up to 16 bytes as a decimal; 16 bytes are read as two's complement.",
            "select bytearray_to_decimal(0x0de0b6b3a7640000)",
        )
        .aliases(["varbinary_to_decimal"])
        .fallible()
        .udf(1..=1, takes_bytes(DataType::Decimal128(38, 0)), |args, _| decimals(&args[0])),
    ]
}

fn numbers(array: &ArrayRef, read: fn(&[u8]) -> Number) -> Result<ArrayRef> {
    let rows = bytes_of(array)?.into_iter().map(|row| row.map(|bytes| at_most(bytes, 32).map(read)).transpose());
    uint256::write(rows.collect::<Result<_>>()?)
}

/// The bytes, when there are not too many of them.
fn at_most(bytes: &[u8], most: usize) -> Result<&[u8]> {
    match bytes.len() <= most {
        true => Ok(bytes),
        false => Err(out_of_range(format!("Got {} bytes, but this number type holds at most {most}.", bytes.len()))),
    }
}

fn integers<const WIDTH: usize>(array: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<Int64Array, _, _>(bytes_of(array)?, |bytes| {
        let number = at_most(bytes, WIDTH)?.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let unused = 64 - 8 * WIDTH as u32;
        Ok(if bytes.len() == WIDTH { (number << unused) as i64 >> unused } else { number as i64 })
    })
}

fn decimals(array: &ArrayRef) -> Result<ArrayRef> {
    let read = |bytes: &[u8]| {
        let number = at_most(bytes, 16)?.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte)) as i128;
        match number.unsigned_abs() < 10u128.pow(38) {
            true => Ok(number),
            false => {
                Err(out_of_range("The number has more than 38 digits; use bytearray_to_uint256 to read it exactly."))
            }
        }
    };
    let rows = bytes_of(array)?.into_iter().map(|row| row.map(read).transpose());
    Ok(Arc::new(rows.collect::<Result<Decimal128Array>>()?.with_precision_and_scale(38, 0)?))
}
