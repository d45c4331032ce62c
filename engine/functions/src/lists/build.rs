//! Builds arrays of lists.

use std::ops::Range;

use arrow::array::{ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::take;
use arrow::datatypes::Fields;

use crate::prelude::*;

fn no_list() -> DataFusionError {
    invalid("Expected a list here.")
}

/// A field of lists of a type.
pub(crate) fn list_field(name: &str, item: DataType) -> FieldRef {
    Arc::new(Field::new(name, DataType::new_list(item, true), true))
}

/// The field of the items of a list type.
pub(crate) fn list_item(data_type: &DataType) -> Result<&FieldRef> {
    match data_type {
        DataType::List(item) => Ok(item),
        _ => Err(no_list()),
    }
}

/// The fields of a struct type.
pub(crate) fn struct_fields(data_type: &DataType) -> Option<&Fields> {
    match data_type {
        DataType::Struct(fields) => Some(fields),
        _ => None,
    }
}

/// An array of a list type.
pub(crate) fn list_array(
    to: &DataType,
    offsets: OffsetBuffer<i32>,
    items: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    Ok(Arc::new(ListArray::try_new(Arc::clone(list_item(to)?), offsets, items, nulls)?))
}

/// The range of a list's items among those of all lists; empty for a null list.
pub(crate) fn item_range(lists: &ListArray, row: usize) -> Range<u32> {
    let offsets = lists.value_offsets();
    if lists.is_null(row) { 0..0 } else { offsets[row] as u32..offsets[row + 1] as u32 }
}

/// A builder of lists whose items are rows of a column.
#[derive(Debug, Default)]
pub(crate) struct ListRows {
    pub rows: Vec<u32>,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl ListRows {
    /// Adds a list.
    pub fn push(&mut self, rows: impl IntoIterator<Item = u32>) {
        let before = self.rows.len();
        self.rows.extend(rows);
        self.lengths.push(self.rows.len() - before);
        self.valid.push(true);
    }

    pub fn push_null(&mut self) {
        self.lengths.push(0);
        self.valid.push(false);
    }

    /// The lists with items of a column.
    pub fn finish(self, to: &DataType, column: &dyn Array) -> Result<ArrayRef> {
        let items = take(column, &UInt32Array::from(self.rows), None)?;
        list_array(to, OffsetBuffer::from_lengths(self.lengths), items, Some(NullBuffer::from(self.valid)))
    }
}
