//! Floating numbers as the bytes they are held in (IEEE 754), the highest first, and back.

use std::sync::Arc;

use arrow::array::{AsArray, Float32Array, Float64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Float32Type, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, fixed, is_bytes};
use quarry_types::invalid;

macro_rules! float {
    ($to:literal, $from:literal, $width:literal, $type:ty, $data:expr, $array:ty, $words:literal) => {
        [
            Simple::udf(
                $to,
                1..=1,
                Some(Doc {
                    signature: concat!($to, "(number)"),
                    text: concat!("A number as the ", $words, " bytes of a floating number, the highest first."),
                    example: concat!("select ", $to, "(1.5)"),
                }),
                |args| number(args, DataType::FixedSizeBinary($width)),
                |args, _| {
                    let options = CastOptions { safe: false, ..CastOptions::default() };
                    let numbers = cast_with_options(&args[0], &$data, &options)?;
                    let bytes = numbers.as_primitive::<$type>().iter();
                    fixed($width, bytes.map(|number| number.map(|number| number.to_be_bytes().to_vec())))
                },
            ),
            Simple::udf(
                $from,
                1..=1,
                Some(Doc {
                    signature: concat!($from, "(bytes)"),
                    text: concat!("The floating number that ", $words, " bytes are, the highest first."),
                    example: concat!("select ", $from, "(", $to, "(1.5))"),
                }),
                |args| match args.arg_fields[0].data_type() {
                    from if is_bytes(from) || from.is_null() => Ok(Arc::new(Field::new("number", $data, true))),
                    _ => Err(invalid(concat!("Bytes are needed here: ", $words, " of them."))),
                },
                |args, _| {
                    let read = |bytes: &[u8]| {
                        let held = bytes.try_into();
                        held.map(<$type as arrow::datatypes::ArrowPrimitiveType>::Native::from_be_bytes)
                            .map_err(|_| invalid(concat!("Bytes are needed here: ", $words, " of them.")))
                    };
                    let rows = bytes_of(&args[0])?.into_iter().map(|bytes| bytes.map(read).transpose());
                    Ok(Arc::new(rows.collect::<Result<$array>>()?))
                },
            ),
        ]
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let singles = float!("to_ieee754_32", "from_ieee754_32", 4, Float32Type, DataType::Float32, Float32Array, "four");
    let doubles = float!("to_ieee754_64", "from_ieee754_64", 8, Float64Type, DataType::Float64, Float64Array, "eight");
    singles.into_iter().chain(doubles).collect()
}

fn number(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match from.is_numeric() || from.is_null() {
        true => Ok(Arc::new(Field::new("bytes", to, true))),
        false => Err(invalid("A number is needed here.")),
    }
}
