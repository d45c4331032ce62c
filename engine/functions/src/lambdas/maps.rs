//! Functions of maps and a lambda: `map_filter`, `transform_keys`, `transform_values` and `map_zip_with`.

use std::collections::HashMap;

use arrow::array::{MapArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{interleave, take};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::function::{LambdaFunction, check_condition, evaluate};
use crate::maps::{map_array, map_entry, map_field, no_key_twice};
use crate::prelude::*;

pub(super) const FILTER_DOC: Doc = Doc {
    signature: "map_filter(map, (key, value) -> condition)",
    text: "The entries of a map for which the condition is true.",
    example: "select map_filter(map(array['a', 'b'], array[1, 2]), (k, v) -> v > 1)",
};
pub(super) const KEYS_DOC: Doc = Doc {
    signature: "transform_keys(map, (key, value) -> key)",
    text: "The map with each key replaced by the result of the lambda for its entry.",
    example: "select transform_keys(map(array['a'], array[1]), (k, v) -> upper(k))",
};
pub(super) const VALUES_DOC: Doc = Doc {
    signature: "transform_values(map, (key, value) -> value)",
    text: "The map with each value replaced by the result of the lambda for its entry.",
    example: "select transform_values(map(array['a'], array[1]), (k, v) -> v * 2)",
};
pub(super) const ZIP_WITH_DOC: Doc = Doc {
    signature: "map_zip_with(map, map, (key, x, y) -> value)",
    text: "A map of each key of two maps to the result of the lambda for its two values; a missing value is null.",
    example: "select map_zip_with(map(['a', 'b'], [1, 2]), map(['b', 'c'], [4, 9]), (k, x, y) -> coalesce(x, 0) + coalesce(y, 0))",
};

pub(super) fn functions() -> Vec<HigherOrderUDF> {
    let filter = LambdaFunction {
        name: "map_filter",
        arguments: "a map and a lambda such as (key, value) -> value",
        values: 1,
        value_types: check_maps,
        parameters: |values| entry_fields(&values[0]).map(Vec::from),
        returns: |values, lambda| {
            check_condition(lambda)?;
            Ok(Arc::new(values[0].as_ref().clone().with_nullable(true)))
        },
        invoke: |values, lambda, _| filter_entries(maps_of(&values[0])?, lambda),
    };
    let transform_keys = LambdaFunction {
        name: "transform_keys",
        returns: |values, lambda| Ok(map_field(lambda.data_type(), entry_fields(&values[0])?[1].data_type())),
        invoke: |values, lambda, to| {
            let entries = Entries::new(maps_of(&values[0])?, lambda)?;
            let maps = entries.maps(to.data_type(), &entries.answers, &entries.values()?, &entries.each())?;
            no_key_twice(maps.as_map())?;
            Ok(maps)
        },
        ..filter
    };
    let transform_values = LambdaFunction {
        name: "transform_values",
        returns: |values, lambda| Ok(map_field(entry_fields(&values[0])?[0].data_type(), lambda.data_type())),
        invoke: |values, lambda, to| {
            let entries = Entries::new(maps_of(&values[0])?, lambda)?;
            entries.maps(to.data_type(), &entries.keys()?, &entries.answers, &entries.each())
        },
        ..filter
    };
    let zip_with = LambdaFunction {
        name: "map_zip_with",
        arguments: "two maps and a lambda such as (key, x, y) -> x + y",
        values: 2,
        value_types: check_maps,
        parameters: |values| {
            let ([key, first], [other, second]) = (entry_fields(&values[0])?, entry_fields(&values[1])?);
            match key.data_type() == other.data_type() {
                true => Ok(vec![key, first, second]),
                false => Err(invalid("The two maps must have keys of the same type; cast one of them.")),
            }
        },
        returns: |values, lambda| Ok(map_field(entry_fields(&values[0])?[0].data_type(), lambda.data_type())),
        invoke: zip_maps,
    };
    vec![filter.udf(), transform_keys.udf(), transform_values.udf(), zip_with.udf()]
}

fn check_maps(types: &[DataType]) -> Result<Vec<DataType>> {
    match types.iter().find(|data_type| !matches!(data_type, DataType::Map(..))) {
        Some(other) => Err(invalid(format!("Expected a map here, got {}.", type_name(other, false)))),
        None => Ok(types.to_vec()),
    }
}

/// The fields of a map's keys and values.
fn entry_fields(map: &FieldRef) -> Result<[FieldRef; 2]> {
    let (key, value) = map_entry(map.data_type()).ok_or_else(|| invalid("Expected a map here."))?;
    Ok([key.clone(), Arc::new(value.as_ref().clone().with_nullable(true))])
}

fn maps_of(array: &ArrayRef) -> Result<&MapArray> {
    array.as_map_opt().ok_or_else(|| invalid("Expected a map here."))
}

/// The entries of all maps that are not null, with the answer of a lambda for each.
struct Entries<'a> {
    maps: &'a MapArray,
    /// The row of each entry, and where it is among those of all maps.
    rows: UInt32Array,
    entries: UInt32Array,
    answers: ArrayRef,
}

impl<'a> Entries<'a> {
    fn new(maps: &'a MapArray, lambda: &LambdaArgument) -> Result<Entries<'a>> {
        let offsets = maps.value_offsets();
        let all = (0..maps.len())
            .filter(|row| maps.is_valid(*row))
            .flat_map(|row| (offsets[row]..offsets[row + 1]).map(move |entry| (row as u32, entry as u32)));
        let (rows, entries): (Vec<u32>, Vec<u32>) = all.unzip();
        let (rows, entries) = (UInt32Array::from(rows), UInt32Array::from(entries));
        let answers = evaluate(lambda, &[(maps.keys(), &entries), (maps.values(), &entries)], &rows)?;
        Ok(Entries { maps, rows, entries, answers })
    }

    fn keys(&self) -> Result<ArrayRef> {
        Ok(take(self.maps.keys(), &self.entries, None)?)
    }

    fn values(&self) -> Result<ArrayRef> {
        Ok(take(self.maps.values(), &self.entries, None)?)
    }

    /// The indices of all entries.
    fn each(&self) -> UInt32Array {
        UInt32Array::from_iter_values(0..self.rows.len() as u32)
    }

    /// Maps of some of the entries with these keys and values.
    fn maps(&self, to: &DataType, keys: &ArrayRef, values: &ArrayRef, indices: &UInt32Array) -> Result<ArrayRef> {
        let (key, value) = map_entry(to).ok_or_else(|| invalid("Expected a map here."))?;
        let mut lengths = vec![0; self.maps.len()];
        indices.values().iter().for_each(|index| lengths[self.rows.value(*index as usize) as usize] += 1);
        let keys = take(&cast(keys, key.data_type())?, indices, None)?;
        if keys.null_count() > 0 {
            return Err(invalid("A key of a map can't be null."));
        }
        let values = take(&cast(values, value.data_type())?, indices, None)?;
        map_array(to, OffsetBuffer::from_lengths(lengths), keys, values, self.maps.nulls().cloned())
    }
}

fn filter_entries(maps: &MapArray, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let entries = Entries::new(maps, lambda)?;
    let conditions = cast(&entries.answers, &DataType::Boolean)?;
    let conditions = conditions.as_boolean().iter().zip(0..);
    let passing = conditions.filter_map(|(condition, index)| (condition == Some(true)).then_some(index));
    entries.maps(maps.data_type(), &entries.keys()?, &entries.values()?, &passing.collect::<Vec<u32>>().into())
}

/// The value of a key that one of the maps does not have is null.
fn zip_maps(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let (left, right) = (maps_of(&values[0])?, maps_of(&values[1])?);
    let valid: Vec<bool> = (0..left.len()).map(|row| left.is_valid(row) && right.is_valid(row)).collect();
    let mut lengths = Vec::with_capacity(left.len());
    // For each key: its row, its first map and its entry there, and the entries of its values.
    let (mut rows, mut keys, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (row, valid) in valid.iter().enumerate() {
        let before = rows.len();
        if *valid {
            let mut only_right: HashMap<ScalarValue, u32> = keys_of(right, row).collect::<Result<_>>()?;
            for key in keys_of(left, row) {
                let (key, entry) = key?;
                keys.push((0, entry as usize));
                first.push(Some(entry));
                second.push(only_right.remove(&key));
            }
            for key in keys_of(right, row) {
                let (key, entry) = key?;
                if only_right.contains_key(&key) {
                    keys.push((1, entry as usize));
                    first.push(None);
                    second.push(Some(entry));
                }
            }
            rows.resize(keys.len(), row as u32);
        }
        lengths.push(rows.len() - before);
    }
    let (rows, first, second) = (UInt32Array::from(rows), UInt32Array::from(first), UInt32Array::from(second));
    let keys = interleave(&[left.keys().as_ref(), right.keys().as_ref()], &keys)?;
    let each = UInt32Array::from_iter_values(0..rows.len() as u32);
    let answers = evaluate(lambda, &[(&keys, &each), (left.values(), &first), (right.values(), &second)], &rows)?;
    let (key, value) = map_entry(to.data_type()).ok_or_else(|| invalid("Expected a map here."))?;
    let (keys, values) = (cast(&keys, key.data_type())?, cast(&answers, value.data_type())?);
    map_array(to.data_type(), OffsetBuffer::from_lengths(lengths), keys, values, Some(NullBuffer::from(valid)))
}

/// The keys of one map and where each is among those of all maps.
fn keys_of(maps: &MapArray, row: usize) -> impl Iterator<Item = Result<(ScalarValue, u32)>> {
    let offsets = maps.value_offsets();
    (offsets[row]..offsets[row + 1]).map(|entry| {
        let key = ScalarValue::try_from_array(maps.keys(), entry as usize)?;
        Ok((normalize_float_zero_scalar(key), entry as u32))
    })
}
