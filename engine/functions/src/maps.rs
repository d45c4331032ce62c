//! Builds arrays of maps.

use std::collections::HashMap;

use arrow::array::{MapArray, StructArray, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::Fields;
use datafusion::common::utils::{SingleRowListArrayBuilder, normalize_float_zero_scalar};

use crate::prelude::*;

/// A field of maps with keys and values of these types.
pub(crate) fn map_field(key: &DataType, value: &DataType) -> FieldRef {
    let fields = Fields::from(vec![Field::new("key", key.clone(), false), Field::new("value", value.clone(), true)]);
    let entries = Arc::new(Field::new("entries", DataType::Struct(fields), false));
    Arc::new(Field::new("map", DataType::Map(entries, false), true))
}

fn no_map() -> DataFusionError {
    invalid("Expected a map here.")
}

/// The fields of the keys and of the values of a map type.
pub(crate) fn map_entry(data_type: &DataType) -> Option<(&FieldRef, &FieldRef)> {
    let DataType::Map(entries, _) = data_type else { return None };
    let DataType::Struct(fields) = entries.data_type() else { return None };
    match &fields[..] {
        [key, value] => Some((key, value)),
        _ => None,
    }
}

/// An array of a map type, whose entries have the types of its keys and values.
pub(crate) fn map_array(
    to: &DataType,
    offsets: OffsetBuffer<i32>,
    keys: ArrayRef,
    values: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let DataType::Map(entries, ordered) = to else { return Err(no_map()) };
    let DataType::Struct(fields) = entries.data_type() else { return Err(no_map()) };
    let items = StructArray::try_new(fields.clone(), vec![keys, values], None)?;
    Ok(Arc::new(MapArray::try_new(Arc::clone(entries), offsets, items, nulls, *ordered)?))
}

/// Refuses maps in which a key occurs twice.
pub(crate) fn no_key_twice(maps: &MapArray) -> Result<()> {
    maps.iter()
        .flatten()
        .try_for_each(|entries| MapEntries::new(DuplicateKeys::Error).add_all(entries.column(0), entries.column(1)))
}

/// How a key that occurs again is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DuplicateKeys {
    Error,
    KeepFirst,
    KeepLast,
    /// The value of a key is the list of its values.
    Collect,
}

/// The entries of one map, in the order in which their keys come.
pub(crate) struct MapEntries {
    duplicates: DuplicateKeys,
    positions: HashMap<ScalarValue, usize>,
    keys: Vec<ScalarValue>,
    values: Vec<Vec<ScalarValue>>,
}

impl MapEntries {
    fn new(duplicates: DuplicateKeys) -> MapEntries {
        MapEntries { duplicates, positions: HashMap::new(), keys: Vec::new(), values: Vec::new() }
    }

    pub fn add(&mut self, key: ScalarValue, value: ScalarValue) -> Result<()> {
        let key = normalize_float_zero_scalar(key);
        let Some(&position) = self.positions.get(&key) else {
            self.positions.insert(key.clone(), self.keys.len());
            self.keys.push(key);
            self.values.push(vec![value]);
            return Ok(());
        };
        match self.duplicates {
            DuplicateKeys::Error => return Err(invalid(format!("Duplicate key {key} in a map."))),
            DuplicateKeys::KeepFirst => {}
            DuplicateKeys::KeepLast => self.values[position] = vec![value],
            DuplicateKeys::Collect => self.values[position].push(value),
        }
        Ok(())
    }

    /// Adds an entry for each item of two arrays.
    pub fn add_all(&mut self, keys: &ArrayRef, values: &ArrayRef) -> Result<()> {
        (0..keys.len()).try_for_each(|index| {
            self.add(ScalarValue::try_from_array(keys, index)?, ScalarValue::try_from_array(values, index)?)
        })
    }
}

/// Builds maps of a field's type: `add_entries` adds those of a row, or answers `None` where the map is null.
pub(crate) fn build_maps(
    to: &FieldRef,
    rows: usize,
    duplicates: DuplicateKeys,
    add_entries: impl Fn(usize, &mut MapEntries) -> Result<Option<()>>,
) -> Result<ArrayRef> {
    let (key, value) = map_entry(to.data_type()).ok_or_else(no_map)?;
    let (mut keys, mut values, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let mut entries = MapEntries::new(duplicates);
        valid.push(add_entries(row, &mut entries)?.is_some());
        lengths.push(entries.keys.len());
        keys.extend(entries.keys);
        for mut of_key in entries.values {
            values.push(match duplicates {
                DuplicateKeys::Collect => {
                    SingleRowListArrayBuilder::new(ScalarValue::iter_to_array(of_key)?).build_list_scalar()
                }
                _ => of_key.pop().unwrap_or(ScalarValue::Null),
            });
        }
    }
    let column = |items: Vec<ScalarValue>, field: &FieldRef| -> Result<ArrayRef> {
        match items.is_empty() {
            true => Ok(new_empty_array(field.data_type())),
            false => Ok(cast(&ScalarValue::iter_to_array(items)?, field.data_type())?),
        }
    };
    let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), Some(NullBuffer::from(valid)));
    map_array(to.data_type(), offsets, column(keys, key)?, column(values, value)?, nulls)
}
