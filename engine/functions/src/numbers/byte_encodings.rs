//! Numbers as bytes, the highest first, and back: whole numbers in two's complement, floating numbers by IEEE 754.

use arrow::array::Float32Array;
use arrow::datatypes::Float32Type;

use crate::prelude::*;

const FOUR_BYTES: &str = "Expected four bytes here.";
const EIGHT_BYTES: &str = "Expected eight bytes here.";

pub(super) fn udfs() -> [ScalarUDF; 8] {
    let takes_whole =
        |width| takes([DataType::is_integer], "Expected an integer here.", DataType::FixedSizeBinary(width));
    let takes_number =
        |width| takes([DataType::is_numeric], "Expected a number here.", DataType::FixedSizeBinary(width));
    let takes_four = |to| takes([is_bytes], FOUR_BYTES, to);
    let takes_eight = |to| takes([is_bytes], EIGHT_BYTES, to);
    [
        doc(
            "to_big_endian_32(number)",
            "An integer as 4 big-endian bytes in two's complement.",
            "select to_big_endian_32(258)",
        )
        .udf(1..=1, takes_whole(4), |args, _| {
            encode(&int64s(&args[0])?, |number: i64| match i32::try_from(number) {
                Ok(number) => Ok(number.to_be_bytes()),
                Err(_) => Err(out_of_range("The number does not fit in four bytes.")),
            })
        }),
        doc(
            "from_big_endian_32(bytes)",
            "The integer in 4 big-endian bytes in two's complement.",
            "select from_big_endian_32(to_big_endian_32(258))",
        )
        .fallible()
        .udf(1..=1, takes_four(DataType::Int64), |args, _| {
            decode::<Int64Array, _, _>(&args[0], FOUR_BYTES, |bytes| i32::from_be_bytes(bytes).into())
        }),
        doc(
            "to_big_endian_64(number)",
            "An integer as 8 big-endian bytes in two's complement.",
            "select to_big_endian_64(258)",
        )
        .udf(1..=1, takes_whole(8), |args, _| encode(&int64s(&args[0])?, |number: i64| Ok(number.to_be_bytes()))),
        doc(
            "from_big_endian_64(bytes)",
            "The integer in 8 big-endian bytes in two's complement.",
            "select from_big_endian_64(to_big_endian_64(258))",
        )
        .fallible()
        .udf(1..=1, takes_eight(DataType::Int64), |args, _| {
            decode::<Int64Array, _, _>(&args[0], EIGHT_BYTES, i64::from_be_bytes)
        }),
        doc(
            "to_ieee754_32(number)",
            "A number as an IEEE 754 single-precision float in 4 big-endian bytes.",
            "select to_ieee754_32(1.5)",
        )
        .udf(1..=1, takes_number(4), |args, _| {
            let numbers = strict_cast(&args[0], &DataType::Float32)?;
            encode(numbers.as_primitive::<Float32Type>(), |number: f32| Ok(number.to_be_bytes()))
        }),
        doc(
            "from_ieee754_32(bytes)",
            "The IEEE 754 single-precision float in 4 big-endian bytes.",
            "select from_ieee754_32(to_ieee754_32(1.5))",
        )
        .fallible()
        .udf(1..=1, takes_four(DataType::Float32), |args, _| {
            decode::<Float32Array, _, _>(&args[0], FOUR_BYTES, f32::from_be_bytes)
        }),
        doc(
            "to_ieee754_64(number)",
            "A number as an IEEE 754 double-precision float in 8 big-endian bytes.",
            "select to_ieee754_64(1.5)",
        )
        .udf(1..=1, takes_number(8), |args, _| encode(&float64s(&args[0])?, |number: f64| Ok(number.to_be_bytes()))),
        doc(
            "from_ieee754_64(bytes)",
            "The IEEE 754 double-precision float in 8 big-endian bytes.",
            "select from_ieee754_64(to_ieee754_64(1.5))",
        )
        .fallible()
        .udf(1..=1, takes_eight(DataType::Float64), |args, _| {
            decode::<Float64Array, _, _>(&args[0], EIGHT_BYTES, f64::from_be_bytes)
        }),
    ]
}

fn encode<T, const WIDTH: usize>(
    numbers: impl IntoIterator<Item = Option<T>>,
    bytes_of: fn(T) -> Result<[u8; WIDTH]>,
) -> Result<ArrayRef> {
    let rows = numbers.into_iter().map(|number| number.map(bytes_of).transpose());
    fixed(WIDTH as i32, rows.collect::<Result<Vec<_>>>()?)
}

fn decode<A, R, const WIDTH: usize>(
    array: &ArrayRef,
    otherwise: &'static str,
    number_of: fn([u8; WIDTH]) -> R,
) -> Result<ArrayRef>
where
    A: Array + FromIterator<Option<R>> + 'static,
{
    map_rows::<A, _, _>(bytes_of(array)?, |bytes| bytes.try_into().map(number_of).map_err(|_| invalid(otherwise)))
}
