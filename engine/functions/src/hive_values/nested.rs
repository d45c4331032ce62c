//! Converts arrays, maps and structs part by part.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray, new_null_array};
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;

use super::arrow_cast::arrow_cast;

/// Converts one part to a type.
type Part = fn(&ArrayRef, &DataType) -> Result<ArrayRef>;

/// Converts a column of arrays, maps or structs part by part. Fields of structs are matched by position; missing ones are null.
pub(crate) fn to_type(array: &ArrayRef, to: &DataType, part: Part) -> Result<ArrayRef> {
    Ok(match (array.data_type(), to) {
        (DataType::List(_), DataType::List(item)) => {
            let list = array.as_list::<i32>();
            let items = part(list.values(), item.data_type())?;
            Arc::new(ListArray::try_new(Arc::clone(item), list.offsets().clone(), items, list.nulls().cloned())?)
        }
        (DataType::Map(..), DataType::Map(entries, sorted)) => {
            let map = array.as_map();
            let inside = to_type(&(Arc::new(map.entries().clone()) as ArrayRef), entries.data_type(), part)?;
            let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
            Arc::new(MapArray::try_new(Arc::clone(entries), offsets, inside.as_struct().clone(), nulls, *sorted)?)
        }
        (DataType::Struct(_), DataType::Struct(fields)) => {
            let rows = array.as_struct();
            let column = |(at, field): (usize, &FieldRef)| match rows.columns().get(at) {
                Some(column) => part(column, field.data_type()),
                None => Ok(new_null_array(field.data_type(), rows.len())),
            };
            let columns = fields.iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
            Arc::new(StructArray::try_new_with_length(fields.clone(), columns, rows.nulls().cloned(), rows.len())?)
        }
        _ => arrow_cast(array, to)?,
    })
}
