//! Arrow's casts, and conversions of arrays, maps and structs by their items and fields.

use arrow::array::{ListArray, MapArray, StructArray, new_null_array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::util::display::FormatOptions;

use super::types;
use crate::prelude::*;

/// The cast of Arrow, with null for values that do not fit.
pub(super) fn arrow_cast(array: &dyn Array, to: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: true, format_options: FormatOptions::default() };
    cast_with_options(array, to, &options)
        .map_err(|_| invalid(format!("{} can't be cast to {}.", types::name(array.data_type()), types::name(to))))
}

/// Converts items or a field to a type.
type Convert = fn(&ArrayRef, &DataType) -> Result<ArrayRef>;

/// Fields of structs are matched by position; missing ones are null.
pub(crate) fn to_type(array: &ArrayRef, to: &DataType, convert: Convert) -> Result<ArrayRef> {
    Ok(match (array.data_type(), to) {
        (DataType::List(_), DataType::List(item)) => {
            let list = array.as_list::<i32>();
            let items = convert(list.values(), item.data_type())?;
            Arc::new(ListArray::try_new(Arc::clone(item), list.offsets().clone(), items, list.nulls().cloned())?)
        }
        (DataType::Map(..), DataType::Map(entries, sorted)) => {
            let map = array.as_map();
            let inside = to_type(&(Arc::new(map.entries().clone()) as ArrayRef), entries.data_type(), convert)?;
            let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
            Arc::new(MapArray::try_new(Arc::clone(entries), offsets, inside.as_struct().clone(), nulls, *sorted)?)
        }
        (DataType::Struct(_), DataType::Struct(fields)) => {
            let rows = array.as_struct();
            let column = |(at, field): (usize, &FieldRef)| match rows.columns().get(at) {
                Some(column) => convert(column, field.data_type()),
                None => Ok(new_null_array(field.data_type(), rows.len())),
            };
            let columns = fields.iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
            Arc::new(StructArray::try_new_with_length(fields.clone(), columns, rows.nulls().cloned(), rows.len())?)
        }
        _ => arrow_cast(array, to)?,
    })
}
