//! Columns of bytes and texts in any of Arrow's types for them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray};
use arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, ScalarValue};

use crate::error::invalid;
use crate::type_names::type_name;
use crate::uint256::is_number;

/// Whether a type holds bytes.
pub fn is_bytes(data_type: &DataType) -> bool {
    matches!(data_type, DataType::FixedSizeBinary(_) | DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

pub fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The bytes of each row; an error for 256-bit numbers, whose bytes are an internal encoding.
pub fn bytes_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    match is_number(array.data_type()) {
        true => Err(invalid("Expected bytes here, got uint256; cast(… as varbinary) returns its 32 bytes.")),
        false => memory_of(array),
    }
}

/// The bytes of each row, also those that encode 256-bit numbers.
pub fn memory_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    Ok(match array.data_type() {
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::Null => vec![None; array.len()],
        other => return Err(invalid(format!("Expected bytes here, got {}.", type_name(other, false)))),
    })
}

/// The text of each row.
pub fn text_of(array: &ArrayRef) -> Result<Vec<Option<&str>>> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().collect(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        DataType::Null => vec![None; array.len()],
        other => return Err(invalid(format!("Expected a string here, got {}.", type_name(other, false)))),
    })
}

/// A column of `width` bytes a row.
pub fn fixed(width: i32, rows: impl IntoIterator<Item = Option<impl AsRef<[u8]>>>) -> Result<ArrayRef> {
    Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows.into_iter(), width)?))
}

/// The bytes that hex digits stand for, with or without `0x`, in any letter case.
pub fn parse_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    hex::decode(digits).ok()
}

/// Whether a column holds bytes that are shown as hex.
pub fn shows_hex(field: &Field) -> bool {
    is_shown(field.data_type())
}

/// Whether values of a type are bytes that are shown as hex.
pub fn is_shown(data_type: &DataType) -> bool {
    is_bytes(data_type) && !is_number(data_type)
}

/// Whether a text begins with `0x`.
pub fn has_hex_prefix(text: &str) -> bool {
    text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"))
}

/// Whether a text spells bytes: `0x` and pairs of hex digits.
pub fn is_hex(text: &str) -> bool {
    has_hex_prefix(text) && parse_hex(text).is_some()
}

/// The bytes of a constant, or those that a constant text spells in hex.
pub fn literal_bytes(value: &ScalarValue) -> Option<Vec<u8>> {
    match value {
        ScalarValue::Binary(Some(bytes))
        | ScalarValue::BinaryView(Some(bytes))
        | ScalarValue::LargeBinary(Some(bytes))
        | ScalarValue::FixedSizeBinary(_, Some(bytes)) => Some(bytes.clone()),
        text => text.try_as_str().flatten().filter(|text| is_hex(text)).and_then(parse_hex),
    }
}
