//! `map_filter`, `transform_keys` and `transform_values`: maps made of maps, entry by entry.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{cast, take, take_arrays};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::higher::Higher;
use crate::maps::{map_field, no_key_twice};
use crate::simple::Doc;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

pub(super) const FILTER_DOC: Doc = Doc {
    signature: "map_filter(map, (key, value) -> condition)",
    text: "The entries of a map for which the condition is true.",
    example: "select map_filter(map(array['a', 'b'], array[1, 2]), (k, v) -> v > 1)",
};
pub(super) const KEYS_DOC: Doc = Doc {
    signature: "transform_keys(map, (key, value) -> key)",
    text: "The map with the keys that the lambda makes of each entry.",
    example: "select transform_keys(map(array['a'], array[1]), (k, v) -> upper(k))",
};
pub(super) const VALUES_DOC: Doc = Doc {
    signature: "transform_values(map, (key, value) -> value)",
    text: "The map with the values that the lambda makes of each entry.",
    example: "select transform_values(map(array['a'], array[1]), (k, v) -> v * 2)",
};

pub(super) fn functions() -> Vec<HigherOrderUDF> {
    vec![
        of_map(
            "map_filter",
            |values, lambda| match lambda.data_type() {
                DataType::Boolean | DataType::Null => Ok(Arc::new(values[0].as_ref().clone().with_nullable(true))),
                other => Err(invalid(format!("A condition is needed here, not {}.", type_name(other, false)))),
            },
            |values, lambda, _| filtered(&values[0], lambda),
        ),
        of_map(
            "transform_keys",
            |values, lambda| Ok(map_field(lambda.data_type(), entry(&values[0])?.1.data_type())),
            |values, lambda, to| made(&values[0], lambda, to, true),
        ),
        of_map(
            "transform_values",
            |values, lambda| Ok(map_field(entry(&values[0])?.0.data_type(), lambda.data_type())),
            |values, lambda, to| made(&values[0], lambda, to, false),
        ),
    ]
}

/// A function of one map and a lambda of its entries.
fn of_map(
    name: &'static str,
    returns: fn(&[FieldRef], &FieldRef) -> Result<FieldRef>,
    invoke: fn(&[ArrayRef], &LambdaArgument, &FieldRef) -> Result<ArrayRef>,
) -> HigherOrderUDF {
    let higher = Higher {
        name,
        arguments: "a map and a lambda such as (key, value) -> value",
        values: |types| match &types[0] {
            DataType::Map(..) => Ok(types.to_vec()),
            other => Err(invalid(format!("A map is needed here, not {}.", type_name(other, false)))),
        },
        count: 1,
        parameters: |values| entry(&values[0]).map(|(key, value)| vec![key, value]),
        returns,
        invoke,
    };
    higher.function()
}

/// The fields of a map's keys and values.
pub(super) fn entry(map: &FieldRef) -> Result<(FieldRef, FieldRef)> {
    match map.data_type() {
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                Ok((fields[0].clone(), Arc::new(fields[1].as_ref().clone().with_nullable(true))))
            }
            _ => Err(invalid("A map is needed here.")),
        },
        _ => Err(invalid("A map is needed here.")),
    }
}

/// Where the entries of each map stand, those of null maps left out.
struct Entries<'a> {
    maps: &'a MapArray,
    /// The map of each entry.
    rows: UInt32Array,
    places: UInt32Array,
}

impl<'a> Entries<'a> {
    fn of(maps: &'a MapArray) -> Entries<'a> {
        let rows = (0..maps.len()).filter(|row| maps.is_valid(*row));
        let all = rows.flat_map(|row| {
            let offsets = maps.value_offsets();
            (offsets[row]..offsets[row + 1]).map(move |place| (row as u32, place as u32))
        });
        let (rows, places): (Vec<u32>, Vec<u32>) = all.unzip();
        Entries { maps, rows: rows.into(), places: places.into() }
    }

    fn keys(&self) -> Result<ArrayRef> {
        Ok(take(self.maps.keys(), &self.places, None)?)
    }

    fn values(&self) -> Result<ArrayRef> {
        Ok(take(self.maps.values(), &self.places, None)?)
    }

    /// What the lambda makes of each.
    fn each(&self, lambda: &LambdaArgument) -> Result<ArrayRef> {
        let (keys, values) = (|| self.keys(), || self.values());
        let made = lambda.evaluate(&[&keys, &values], |captured| Ok(take_arrays(captured, &self.rows, None)?))?;
        made.into_array(self.rows.len())
    }

    /// Maps of these keys and values, each entry in the map where it was.
    fn maps(&self, entries: &Field, keys: ArrayRef, values: ArrayRef, kept: &UInt32Array) -> Result<ArrayRef> {
        let DataType::Struct(fields) = entries.data_type() else { return Err(invalid("A map is needed here.")) };
        let mut lengths = vec![0; self.maps.len()];
        kept.values().iter().for_each(|entry| lengths[self.rows.value(*entry as usize) as usize] += 1);
        let fields: Fields = fields.clone();
        let columns = vec![cast(&keys, fields[0].data_type())?, cast(&values, fields[1].data_type())?];
        let columns = take_arrays(&columns, kept, None)?;
        if columns[0].null_count() > 0 {
            return Err(invalid("A key of a map can't be null."));
        }
        let items = StructArray::try_new(fields, columns, None)?;
        let nulls = self.maps.nulls().cloned();
        let offsets = OffsetBuffer::from_lengths(lengths);
        Ok(Arc::new(MapArray::try_new(Arc::new(entries.clone()), offsets, items, nulls, false)?))
    }
}

pub(super) fn maps_of(array: &ArrayRef) -> Result<&MapArray> {
    array.as_map_opt().ok_or_else(|| invalid("A map is needed here."))
}

fn filtered(array: &ArrayRef, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let maps = maps_of(array)?;
    let DataType::Map(field, _) = maps.data_type() else { return Err(invalid("A map is needed here.")) };
    let entries = Entries::of(maps);
    let wanted = cast(&entries.each(lambda)?, &DataType::Boolean)?;
    let wanted = wanted.as_boolean();
    let kept: Vec<u32> = (0..wanted.len())
        .filter(|index| wanted.is_valid(*index) && wanted.value(*index))
        .map(|index| index as u32)
        .collect();
    entries.maps(field, entries.keys()?, entries.values()?, &kept.into())
}

fn made(array: &ArrayRef, lambda: &LambdaArgument, to: &FieldRef, of_keys: bool) -> Result<ArrayRef> {
    let DataType::Map(field, _) = to.data_type() else { return Err(invalid("A map is needed here.")) };
    let entries = Entries::of(maps_of(array)?);
    let made = entries.each(lambda)?;
    let all: Vec<u32> = (0..entries.rows.len() as u32).collect();
    if !of_keys {
        return entries.maps(field, entries.keys()?, made, &all.into());
    }
    let maps = entries.maps(field, made, entries.values()?, &all.into())?;
    no_key_twice(maps.as_map())?;
    Ok(maps)
}
