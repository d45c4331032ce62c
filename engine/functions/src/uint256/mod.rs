//! Functions of uint256 and int256, whose type is in `quarry_types::uint256`.

mod arithmetic;
mod construct;
mod convert;
pub mod table;

use arrow::datatypes::Decimal256Type;
use quarry_types::uint256::WIDTH;

use crate::prelude::*;

pub use arithmetic::{negate, negated, uint256_op};
pub use construct::{int256, try_int256, try_uint256, uint256};
pub use convert::{number_to, rounded, to_decimal256};

pub(super) fn udfs() -> [ScalarUDF; 4] {
    [uint256(), int256(), try_uint256(), try_int256()].map(|function| function.as_ref().clone())
}

/// The numbers of a column, converted when they are of another type: 32 bytes are read big-endian, text as digits.
pub(super) fn read(array: &ArrayRef) -> Result<Vec<Option<Number>>> {
    match array.data_type() {
        from if is_number(from) => Ok(array.as_fixed_size_binary().iter().map(|row| row.map(Number::decode)).collect()),
        DataType::FixedSizeBinary(width) if *width <= 32 => {
            Ok(array.as_fixed_size_binary().iter().map(|row| row.map(Number::from_be_bytes)).collect())
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            bytes_of(array)?.into_iter().map(|row| row.map(Number::from_long_bytes).transpose()).collect()
        }
        DataType::Null => Ok(vec![None; array.len()]),
        from if is_text(from) => text_of(array)?.into_iter().map(|text| text.map(Number::parse).transpose()).collect(),
        from if from.is_floating() => {
            let doubles = cast(array, &DataType::Float64)?;
            let doubles = doubles.as_primitive::<Float64Type>();
            doubles.iter().map(|value| value.map(Number::from_float).transpose()).collect()
        }
        from if from.is_integer() || from.is_decimal() => {
            let scale = scale(from);
            let wide = cast(array, &DataType::Decimal256(76, scale))?;
            let wide = wide.as_primitive::<Decimal256Type>();
            wide.iter().map(|value| value.map(|value| Number::from_decimal(value, scale)).transpose()).collect()
        }
        other => Err(invalid(format!("Expected an integer, a string or bytes here, got {other}."))),
    }
}

/// Numbers as a column.
pub(super) fn write(rows: Vec<Option<Number>>) -> Result<ArrayRef> {
    fixed(WIDTH, rows.into_iter().map(|row| row.map(Number::encode)))
}

/// Digits after the point of a type.
pub(super) fn scale(data_type: &DataType) -> i8 {
    match data_type {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => *scale,
        _ => 0,
    }
}

pub(super) fn too_large() -> DataFusionError {
    out_of_range("A uint256 can't be larger than 2^256 - 1.")
}

pub(super) fn below_zero() -> DataFusionError {
    out_of_range("A uint256 can't be below zero; cast to int256 before subtracting.")
}
