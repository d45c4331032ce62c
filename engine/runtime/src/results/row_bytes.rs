//! Limits the bytes of a row, since pages and exports need several copies of it.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{ArrowNativeType, DataType};
use arrow::record_batch::RecordBatch;

/// Limit of a row, and of a single value, in bytes.
pub(super) const MAX_ROW_BYTES: usize = 32 << 20;

/// What exceeds the limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TooLong {
    /// A value in the column with this index.
    Value(usize),
    Row,
}

/// Finds a value or row with more than [`MAX_ROW_BYTES`] bytes.
pub(super) fn find_too_long(batch: &RecordBatch) -> Option<TooLong> {
    // Nearly all batches are smaller than the limit of a row.
    if batch.get_array_memory_size() <= MAX_ROW_BYTES {
        return None;
    }
    let mut rows = vec![0; batch.num_rows()];
    for (index, column) in batch.columns().iter().enumerate() {
        for (row, bytes) in rows.iter_mut().zip(value_bytes(column)) {
            if bytes > MAX_ROW_BYTES {
                return Some(TooLong::Value(index));
            }
            *row += bytes;
        }
    }
    rows.into_iter().any(|bytes| bytes > MAX_ROW_BYTES).then_some(TooLong::Row)
}

/// Bytes of each value of a column.
fn value_bytes(array: &ArrayRef) -> Vec<usize> {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().offsets().lengths().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().offsets().lengths().collect(),
        DataType::Binary => array.as_binary::<i32>().offsets().lengths().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().offsets().lengths().collect(),
        DataType::Utf8View => array.as_string_view().lengths().map(|bytes| bytes as usize).collect(),
        DataType::BinaryView => array.as_binary_view().lengths().map(|bytes| bytes as usize).collect(),
        DataType::List(_) => list_bytes(array.as_list::<i32>().offsets(), array.as_list::<i32>().values()),
        DataType::LargeList(_) => list_bytes(array.as_list::<i64>().offsets(), array.as_list::<i64>().values()),
        DataType::Map(..) => {
            let map = array.as_map();
            let entries: ArrayRef = Arc::new(map.entries().clone());
            list_bytes(map.offsets(), &entries)
        }
        DataType::FixedSizeList(_, length) => {
            let length = usize::try_from(*length).unwrap_or(1).max(1);
            let items = value_bytes(array.as_fixed_size_list().values());
            items.chunks(length).map(|items| items.iter().sum()).collect()
        }
        DataType::Struct(_) => {
            let mut rows = vec![0; array.len()];
            for member in array.as_struct().columns() {
                rows.iter_mut().zip(value_bytes(member)).for_each(|(row, bytes)| *row += bytes);
            }
            rows
        }
        DataType::FixedSizeBinary(width) => vec![usize::try_from(*width).unwrap_or(0); array.len()],
        other => vec![other.primitive_width().unwrap_or(1); array.len()],
    }
}

/// Bytes of each list.
fn list_bytes<O: ArrowNativeType>(offsets: &OffsetBuffer<O>, items: &ArrayRef) -> Vec<usize> {
    // A slice of a list array has the items of the whole array.
    let (first, last) = (offsets[0].as_usize(), offsets[offsets.len() - 1].as_usize());
    let mut before = Vec::with_capacity(last - first + 1);
    before.push(0);
    for bytes in value_bytes(&items.slice(first, last - first)) {
        before.push(before[before.len() - 1] + bytes);
    }
    let until = |offset: O| before[offset.as_usize() - first];
    offsets.windows(2).map(|ends| until(ends[1]) - until(ends[0])).collect()
}

#[cfg(test)]
mod tests {
    use arrow::array::{Int64Array, ListArray, MapBuilder, StringBuilder, StringViewArray, StructArray};
    use arrow::datatypes::{Field, Int64Type};

    use super::*;

    fn text(bytes: usize) -> ArrayRef {
        Arc::new(StringViewArray::from_iter_values(["a", &"x".repeat(bytes)]))
    }

    fn found(columns: &[ArrayRef]) -> Option<TooLong> {
        let named = columns.iter().enumerate().map(|(index, column)| (index.to_string(), column.clone()));
        find_too_long(&RecordBatch::try_from_iter(named).unwrap())
    }

    #[test]
    fn values_and_rows_have_limits() {
        assert_eq!(found(&[text(MAX_ROW_BYTES)]), None);
        assert_eq!(found(&[text(1), text(MAX_ROW_BYTES + 1)]), Some(TooLong::Value(1)));
        assert_eq!(found(&[text(MAX_ROW_BYTES / 2), text(MAX_ROW_BYTES / 2)]), None);
        assert_eq!(found(&[text(MAX_ROW_BYTES / 2), text(MAX_ROW_BYTES / 2), text(1)]), Some(TooLong::Row));
    }

    #[test]
    fn lists_count_all_of_their_items() {
        let list = |items: i64| -> ArrayRef {
            let items = (0..items).map(Some).collect::<Vec<_>>();
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([None, Some(items)]))
        };
        assert_eq!((found(&[list(4 << 20)]), found(&[list((4 << 20) + 1)])), (None, Some(TooLong::Value(0))));
        // One long item among many short ones.
        let texts: ArrayRef = Arc::new(StringViewArray::from_iter_values(
            (0..1_000).map(|item| if item == 500 { "x".repeat(MAX_ROW_BYTES + 1) } else { String::new() }),
        ));
        let field = Arc::new(Field::new_list_field(DataType::Utf8View, true));
        let of_texts: ArrayRef = Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([400, 600]), texts, None));
        assert_eq!(value_bytes(&of_texts), [0, MAX_ROW_BYTES + 1]);
        assert_eq!(value_bytes(&of_texts.slice(1, 1)), [MAX_ROW_BYTES + 1]);
        assert_eq!(found(&[of_texts]), Some(TooLong::Value(0)));
    }

    #[test]
    fn maps_and_structs_count_all_members() {
        let mut map = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        map.keys().append_value("key");
        map.values().append_value("value");
        map.append(true).unwrap();
        map.append(true).unwrap();
        let map: ArrayRef = Arc::new(map.finish());
        assert_eq!(value_bytes(&map), [8, 0]);
        let number: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        let fields = [("n", number), ("t", text(3))];
        let members = fields.map(|(name, array)| (Arc::new(Field::new(name, array.data_type().clone(), true)), array));
        let both: ArrayRef = Arc::new(StructArray::from(members.to_vec()));
        assert_eq!(value_bytes(&both), [9, 11]);
    }
}
