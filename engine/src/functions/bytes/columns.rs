//! Reading and making columns of bytes, whichever of Arrow's types holds them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, FixedSizeBinaryArray};
use arrow::buffer::{Buffer, NullBuffer};
use arrow::datatypes::DataType;
use datafusion::common::Result;

use crate::exec::results::type_name;
use crate::functions::simple::invalid;
use crate::functions::uint256::is_number;

/// Whether a type holds bytes.
pub(crate) fn is_bytes(data_type: &DataType) -> bool {
    matches!(data_type, DataType::FixedSizeBinary(_) | DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

pub(crate) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The bytes of each row. How a number of 256 bits lies in memory is nobody's business.
pub(in crate::functions) fn bytes_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    if is_number(array.data_type()) { Err(invalid(NO_BYTES)) } else { memory_of(array) }
}

/// The bytes of each row, those of numbers of 256 bits too.
pub(in crate::functions) fn memory_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
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
pub(in crate::functions) fn text_of(array: &ArrayRef) -> Result<Vec<Option<&str>>> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().collect(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        DataType::Null => vec![None; array.len()],
        other => return Err(invalid(format!("Text is needed here, not {}.", type_name(other, false)))),
    })
}

/// A column of `width` bytes a row.
pub(crate) fn fixed(width: i32, rows: impl IntoIterator<Item = Option<Vec<u8>>>) -> Result<ArrayRef> {
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

pub(super) fn variable(rows: Vec<Option<Vec<u8>>>) -> ArrayRef {
    Arc::new(rows.iter().map(|row| row.as_deref()).collect::<BinaryArray>())
}

/// The bytes that hex digits stand for, with or without `0x`, in any letter case.
pub(crate) fn parse_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    hex::decode(digits).ok()
}
