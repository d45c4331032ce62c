//! uint256 and int256 in queries: one type of exact whole numbers, 33 bytes each.
//!
//! The first byte is the sign, the other 32 the magnitude, big-endian (inverted for negative numbers). So bytes sort as the numbers
//! do, and every operator of DataFusion that compares, groups, joins or copies values handles them. No other type has 33 bytes, so
//! they can't be mixed up with hashes. Files hold 32 bytes, which `quarry_functions::uint256::table` widens. The metadata of a field
//! says whether its numbers are signed (`quarry.meaning` is `int256`).

mod number;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};

pub use number::Number;

use crate::meaning::MEANING;

/// Bytes of a number: its sign and its magnitude.
pub const WIDTH: i32 = 33;
/// The type of both kinds.
pub const NUMBER: DataType = DataType::FixedSizeBinary(WIDTH);

const SIGNED: &str = "int256";
const UNSIGNED: &str = "uint256";

/// Whether a type holds such numbers.
pub fn is_number(data_type: &DataType) -> bool {
    data_type == &NUMBER
}

/// Whether a field of a table or of a query holds such numbers.
pub fn is_uint256(field: &Field) -> bool {
    is_number(field.data_type()) || is_stored(field)
}

/// Whether a field of a file holds such numbers: 32 bytes marked as one.
pub fn is_stored(field: &Field) -> bool {
    field.data_type() == &DataType::FixedSizeBinary(32) && is_unsigned(field)
}

/// Whether a number may be below zero.
pub fn is_signed(field: &Field) -> bool {
    field.metadata().get(MEANING).is_some_and(|meaning| meaning == SIGNED)
}

/// Whether a number is marked as never below zero.
pub fn is_unsigned(field: &Field) -> bool {
    field.metadata().get(MEANING).is_some_and(|meaning| meaning == UNSIGNED)
}

/// A field of a file as queries see it.
pub fn in_queries(field: &Field) -> Field {
    match field.data_type() {
        _ if is_stored(field) => field.clone().with_data_type(NUMBER),
        DataType::List(item) => field.clone().with_data_type(DataType::List(Arc::new(in_queries(item)))),
        _ => field.clone(),
    }
}

/// The field of a number.
pub fn field(name: &str, signed: bool) -> FieldRef {
    let meaning = if signed { SIGNED } else { UNSIGNED };
    Arc::new(Field::new(name, NUMBER, true).with_metadata(HashMap::from([(MEANING.to_string(), meaning.to_string())])))
}
