//! uint256 and int256 in queries: one type of exact whole numbers, 33 bytes each.
//!
//! The first byte is the sign, the others the magnitude big-endian (inverted below zero), so that byte order is number
//! order: every part of the query engine that compares, groups, joins or passes on values treats them right, and since
//! the type has a width of its own they are never taken for hashes, whatever they travel through. Files hold 32 bytes
//! ([`table`] widens them). That a number is signed is told by the field (`quarry.meaning` is `int256`).

mod arithmetic;
mod construct;
mod convert;
pub(crate) mod table;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal256Type, Field, FieldRef};
use datafusion::common::Result;

pub(crate) use arithmetic::{negate, negated, uint256_op};
pub(crate) use construct::{int256, try_int256, try_uint256, uint256};
pub(crate) use convert::{number_to, rounded, to_decimal256};
pub(crate) use value::Number;

use super::bytes::{fixed, is_text, text_of};
use super::simple::invalid;
use crate::lake::tables::MEANING;

/// Bytes of a number: its sign and its magnitude.
pub(crate) const WIDTH: i32 = 33;
/// The type of both kinds.
pub(crate) const NUMBER: DataType = DataType::FixedSizeBinary(WIDTH);

const SIGNED: &str = "int256";
const UNSIGNED: &str = "uint256";

/// Whether a type holds such numbers.
pub(crate) fn is_number(data_type: &DataType) -> bool {
    data_type == &NUMBER
}

/// Whether a field of a table or of a query holds such numbers.
pub(crate) fn is_uint256(field: &Field) -> bool {
    is_number(field.data_type()) || is_stored(field)
}

/// Whether a field of a file does: 32 bytes that are said to be a number.
pub(crate) fn is_stored(field: &Field) -> bool {
    field.data_type() == &DataType::FixedSizeBinary(32)
        && field.metadata().get(MEANING).is_some_and(|meaning| meaning == UNSIGNED)
}

/// Whether a number may be below zero.
pub(crate) fn is_signed(field: &Field) -> bool {
    field.metadata().get(MEANING).is_some_and(|meaning| meaning == SIGNED)
}

/// Whether a number is said never to be below zero.
pub(crate) fn is_unsigned(field: &Field) -> bool {
    field.metadata().get(MEANING).is_some_and(|meaning| meaning == UNSIGNED)
}

/// A field of a file as queries see it.
pub(crate) fn in_queries(field: &Field) -> Field {
    match field.data_type() {
        _ if is_stored(field) => field.clone().with_data_type(NUMBER),
        DataType::List(item) => field.clone().with_data_type(DataType::List(Arc::new(in_queries(item)))),
        _ => field.clone(),
    }
}

/// The field of a number.
pub(crate) fn field(name: &str, signed: bool) -> FieldRef {
    let meaning = if signed { SIGNED } else { UNSIGNED };
    Arc::new(Field::new(name, NUMBER, true).with_metadata(HashMap::from([(MEANING.to_string(), meaning.to_string())])))
}

/// The functions people call by name.
pub(super) fn udfs() -> [datafusion::logical_expr::ScalarUDF; 4] {
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
            let rows = super::bytes::bytes_of(array)?.into_iter();
            rows.map(|row| row.map(Number::from_long_bytes).transpose()).collect()
        }
        DataType::Null => Ok(vec![None; array.len()]),
        from if is_text(from) => text_of(array)?.into_iter().map(|text| text.map(Number::parse).transpose()).collect(),
        from if from.is_floating() => {
            let wide = cast(array, &DataType::Float64)?;
            let wide = wide.as_primitive::<arrow::datatypes::Float64Type>();
            wide.iter().map(|value| value.map(Number::from_float).transpose()).collect()
        }
        from if from.is_integer() || from.is_decimal() => {
            let scale = scale(from);
            let wide = cast(array, &DataType::Decimal256(76, scale))?;
            let wide = wide.as_primitive::<Decimal256Type>();
            wide.iter().map(|value| value.map(|value| Number::from_decimal(value, scale)).transpose()).collect()
        }
        other => Err(invalid(format!("A whole number, text or bytes are needed here, not {other}."))),
    }
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

/// Numbers as a column.
pub(super) fn write(rows: Vec<Option<Number>>) -> Result<ArrayRef> {
    fixed(WIDTH, rows.into_iter().map(|row| row.map(|number| number.encode().to_vec())))
}
