//! Reading and making columns of bytes, whichever of Arrow's types holds them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, FixedSizeBinaryArray};
use arrow::buffer::{Buffer, NullBuffer};
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

/// The bytes of each row. How a number of 256 bits lies in memory is nobody's business.
pub fn bytes_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    if is_number(array.data_type()) { Err(invalid(NO_BYTES)) } else { memory_of(array) }
}

/// The bytes of each row, those of numbers of 256 bits too.
pub fn memory_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    Ok(match array.data_type() {
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::Null => vec![None; array.len()],
        other => return Err(invalid(format!("Bytes are needed here, not {}.", type_name(other, false)))),
    })
}

/// What is said where bytes are asked for and a number of 256 bits is there.
const NO_BYTES: &str = "Bytes are needed here, not uint256; cast(… as varbinary) makes 32 bytes of it.";

/// The text of each row.
pub fn text_of(array: &ArrayRef) -> Result<Vec<Option<&str>>> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().collect(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        DataType::Null => vec![None; array.len()],
        other => return Err(invalid(format!("Text is needed here, not {}.", type_name(other, false)))),
    })
}

/// A column of `width` bytes a row.
pub fn fixed(width: i32, rows: impl IntoIterator<Item = Option<Vec<u8>>>) -> Result<ArrayRef> {
    let mut values = Vec::new();
    let mut valid = Vec::new();
    for row in rows {
        valid.push(row.is_some());
        match row {
            Some(bytes) => values.extend_from_slice(&bytes),
            None => values.resize(values.len() + width as usize, 0),
        }
    }
    let nulls = Some(NullBuffer::from(valid)).filter(|nulls| nulls.null_count() > 0);
    Ok(Arc::new(FixedSizeBinaryArray::try_new(width, Buffer::from_vec(values), nulls)?))
}

pub fn variable(rows: Vec<Option<Vec<u8>>>) -> ArrayRef {
    Arc::new(rows.iter().map(|row| row.as_deref()).collect::<BinaryArray>())
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

/// Whether a text begins as one of hex digits does.
pub fn has_hex_prefix(text: &str) -> bool {
    text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"))
}

/// Whether a text spells out bytes: `0x` and pairs of hex digits.
pub fn is_hex(text: &str) -> bool {
    has_hex_prefix(text) && parse_hex(text).is_some()
}

/// The bytes that a literal spells out, as such or as hex in a text.
pub fn literal_bytes(value: &ScalarValue) -> Option<Vec<u8>> {
    match value {
        ScalarValue::Binary(Some(bytes))
        | ScalarValue::BinaryView(Some(bytes))
        | ScalarValue::LargeBinary(Some(bytes))
        | ScalarValue::FixedSizeBinary(_, Some(bytes)) => Some(bytes.clone()),
        text => text.try_as_str().flatten().filter(|text| is_hex(text)).and_then(parse_hex),
    }
}
