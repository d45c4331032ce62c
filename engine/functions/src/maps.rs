//! Maps that are built row by row.

use std::collections::HashMap;

use arrow::array::{MapArray, StructArray, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::Fields;
use datafusion::common::utils::{SingleRowListArrayBuilder, normalize_float_zero_scalar};

use crate::prelude::*;

/// A field of maps with such keys and values.
pub(crate) fn map_field(key: &DataType, value: &DataType) -> FieldRef {
    let fields = Fields::from(vec![Field::new("key", key.clone(), false), Field::new("value", value.clone(), true)]);
    let entries = Arc::new(Field::new("entries", DataType::Struct(fields), false));
    Arc::new(Field::new("map", DataType::Map(entries, false), true))
}

/// Refuses maps in which a key stands twice.
pub(crate) fn no_key_twice(maps: &MapArray) -> Result<()> {
    maps.iter()
        .flatten()
        .try_for_each(|entries| MapEntries::new(DuplicateKeys::Error).add_all(entries.column(0), entries.column(1)))
}

/// What becomes of a key that is there already.
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
            DuplicateKeys::Error => return Err(invalid(format!("The key {key} stands in a map twice."))),
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
    let DataType::Map(entries_field, _) = to.data_type() else { return Err(invalid("A map is needed here.")) };
    let DataType::Struct(fields) = entries_field.data_type() else { return Err(invalid("A map is needed here.")) };
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
    let columns = vec![column(keys, &fields[0])?, column(values, &fields[1])?];
    let items = StructArray::try_new(fields.clone(), columns, None)?;
    let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), Some(NullBuffer::from(valid)));
    Ok(Arc::new(MapArray::try_new(entries_field.clone(), offsets, items, nulls, false)?))
}
