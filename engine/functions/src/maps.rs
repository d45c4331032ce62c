//! Maps that are made row by row.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::common::{Result, ScalarValue};
use quarry_types::invalid;

/// A map of such keys and values.
pub(crate) fn map_field(key: &DataType, value: &DataType) -> FieldRef {
    let fields = Fields::from(vec![Field::new("key", key.clone(), false), Field::new("value", value.clone(), true)]);
    let entries = Arc::new(Field::new("entries", DataType::Struct(fields), false));
    Arc::new(Field::new("map", DataType::Map(entries, false), true))
}

/// Refuses maps in which a key stands twice.
pub(crate) fn no_key_twice(maps: &MapArray) -> Result<()> {
    for row in (0..maps.len()).filter(|row| maps.is_valid(*row)) {
        let entries = maps.value(row);
        let mut found = Found::default();
        for index in 0..entries.len() {
            let (key, value) = pair(entries.column(0), entries.column(1), index)?;
            found.add(key, value, Twice::Error)?;
        }
    }
    Ok(())
}

/// What becomes of a key that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twice {
    Error,
    First,
    Last,
    /// Every value is kept, in a list.
    List,
}

/// The entries of one map, in the order in which their keys were found.
#[derive(Default)]
pub(crate) struct Found {
    places: HashMap<ScalarValue, usize>,
    values: Vec<Vec<ScalarValue>>,
    keys: Vec<ScalarValue>,
}

impl Found {
    pub fn add(&mut self, key: ScalarValue, value: ScalarValue, twice: Twice) -> Result<()> {
        let key = normalize_float_zero_scalar(key);
        match self.places.get(&key) {
            None => {
                self.places.insert(key.clone(), self.keys.len());
                self.keys.push(key);
                self.values.push(vec![value]);
            }
            Some(_) if twice == Twice::Error => return Err(invalid(format!("The key {key} stands in a map twice."))),
            Some(_) if twice == Twice::First => {}
            Some(&place) if twice == Twice::Last => self.values[place] = vec![value],
            Some(&place) => self.values[place].push(value),
        }
        Ok(())
    }
}

/// Maps that are made row by row.
pub(crate) struct Maps<'a> {
    to: &'a DataType,
    keys: Vec<ScalarValue>,
    values: Vec<ScalarValue>,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl<'a> Maps<'a> {
    pub fn new(to: &'a FieldRef) -> Maps<'a> {
        Maps { to: to.data_type(), keys: Vec::new(), values: Vec::new(), lengths: Vec::new(), valid: Vec::new() }
    }

    pub fn add(&mut self, found: Option<Found>, twice: Twice) -> Result<()> {
        self.valid.push(found.is_some());
        let found = found.unwrap_or_default();
        self.lengths.push(found.keys.len());
        self.keys.extend(found.keys);
        for mut values in found.values {
            self.values.push(match twice {
                Twice::List => {
                    let items = ScalarValue::iter_to_array(values)?;
                    ScalarValue::List(ScalarValue::new_list_from_iter(
                        (0..items.len())
                            .map(|index| ScalarValue::try_from_array(&items, index))
                            .collect::<Result<Vec<_>>>()?
                            .into_iter(),
                        items.data_type(),
                        true,
                    ))
                }
                _ => values.pop().unwrap_or(ScalarValue::Null),
            });
        }
        Ok(())
    }

    pub fn finish(self) -> Result<ArrayRef> {
        let DataType::Map(entries, _) = self.to else { return Err(invalid("A map is needed here.")) };
        let DataType::Struct(fields) = entries.data_type() else { return Err(invalid("A map is needed here.")) };
        let column = |items: Vec<ScalarValue>, field: &FieldRef| match items.is_empty() {
            true => Ok(new_empty_array(field.data_type())),
            false => Ok::<_, datafusion::common::DataFusionError>(cast(
                &ScalarValue::iter_to_array(items)?,
                field.data_type(),
            )?),
        };
        let columns = vec![column(self.keys, &fields[0])?, column(self.values, &fields[1])?];
        let items = StructArray::try_new(fields.clone(), columns, None)?;
        let nulls = Some(NullBuffer::from(self.valid));
        Ok(Arc::new(MapArray::try_new(entries.clone(), OffsetBuffer::from_lengths(self.lengths), items, nulls, false)?))
    }
}

pub(crate) fn pair(keys: &ArrayRef, values: &ArrayRef, index: usize) -> Result<(ScalarValue, ScalarValue)> {
    Ok((ScalarValue::try_from_array(keys, index)?, ScalarValue::try_from_array(values, index)?))
}

/// The list of one row, if there is one.
pub(crate) fn list(array: &ArrayRef, row: usize) -> Option<ArrayRef> {
    array.as_list_opt::<i32>().filter(|lists| lists.is_valid(row)).map(|lists| lists.value(row))
}
