//! `map_zip_with(map, map, (key, x, y) -> …)`: two maps key by key; null stands for what one of them has not.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, MapArray, StructArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{cast, interleave, take, take_arrays};
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::higher::Higher;
use super::maps::{entry, maps_of};
use crate::maps::map_field;
use crate::simple::Doc;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

pub(super) const DOC: Doc = Doc {
    signature: "map_zip_with(map, map, (key, x, y) -> value)",
    text: "The map of what the lambda makes of the values that two maps have for each key; null stands for what one of them has not.",
    example: "select map_zip_with(map(['a', 'b'], [1, 2]), map(['b', 'c'], [4, 9]), (k, x, y) -> coalesce(x, 0) + coalesce(y, 0))",
};

pub(super) fn function() -> HigherOrderUDF {
    let higher = Higher {
        name: "map_zip_with",
        arguments: "two maps and a lambda such as (key, x, y) -> x + y",
        values: |types| {
            let [DataType::Map(..), DataType::Map(..)] = types else {
                let other = types.iter().find(|data_type| !matches!(data_type, DataType::Map(..)));
                let other = other.map_or_else(String::new, |data_type| type_name(data_type, false));
                return Err(invalid(format!("A map is needed here, not {other}.")));
            };
            Ok(types.to_vec())
        },
        count: 2,
        parameters: |values| {
            let ((key, first), (other, second)) = (entry(&values[0])?, entry(&values[1])?);
            match key.data_type() == other.data_type() {
                true => Ok(vec![key, first, second]),
                false => Err(invalid("The two maps have keys of the same type; cast one of them.")),
            }
        },
        returns: |values, lambda| Ok(map_field(entry(&values[0])?.0.data_type(), lambda.data_type())),
        invoke: zip_with,
    };
    higher.function()
}

fn zip_with(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let DataType::Map(entries, _) = to.data_type() else { return Err(invalid("A map is needed here.")) };
    let DataType::Struct(fields) = entries.data_type() else { return Err(invalid("A map is needed here.")) };
    let (left, right) = (maps_of(&values[0])?, maps_of(&values[1])?);
    let valid: Vec<bool> = (0..left.len()).map(|row| left.is_valid(row) && right.is_valid(row)).collect();
    let mut lengths = Vec::with_capacity(left.len());
    // Of each key: its row, in which map it stands first and where, and where its values are.
    let (mut rows, mut keys, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (row, valid) in valid.iter().enumerate() {
        let before = rows.len();
        if *valid {
            let mut of_right: HashMap<ScalarValue, u32> = keys_of(right, row).collect::<Result<_>>()?;
            for found in keys_of(left, row) {
                let (key, place) = found?;
                rows.push(row as u32);
                keys.push((0, place as usize));
                first.push(Some(place));
                second.push(of_right.remove(&key));
            }
            for found in keys_of(right, row) {
                let (key, place) = found?;
                if of_right.contains_key(&key) {
                    rows.push(row as u32);
                    keys.push((1, place as usize));
                    first.push(None);
                    second.push(Some(place));
                }
            }
        }
        lengths.push(rows.len() - before);
    }
    let rows = UInt32Array::from(rows);
    let (first, second) = (UInt32Array::from(first), UInt32Array::from(second));
    let keys = interleave(&[left.keys().as_ref(), right.keys().as_ref()], &keys)?;
    let key = || Ok(keys.clone());
    let x = || Ok(take(left.values(), &first, None)?);
    let y = || Ok(take(right.values(), &second, None)?);
    let made = lambda.evaluate(&[&key, &x, &y], |captured| Ok(take_arrays(captured, &rows, None)?))?;
    let made = cast(&made.into_array(rows.len())?, fields[1].data_type())?;
    let keys = cast(&keys, fields[0].data_type())?;
    let items = StructArray::try_new(fields.clone(), vec![keys, made], None)?;
    let nulls = Some(NullBuffer::from(valid));
    Ok(Arc::new(MapArray::try_new(entries.clone(), OffsetBuffer::from_lengths(lengths), items, nulls, false)?))
}

/// The keys of one map and where each stands among those of all maps.
fn keys_of(maps: &MapArray, row: usize) -> impl Iterator<Item = Result<(ScalarValue, u32)>> {
    let offsets = maps.value_offsets();
    let places = offsets[row]..offsets[row + 1];
    places.map(|place| {
        let key = ScalarValue::try_from_array(maps.keys(), usize::try_from(place).unwrap_or_default())?;
        Ok((normalize_float_zero_scalar(key), place.unsigned_abs()))
    })
}
