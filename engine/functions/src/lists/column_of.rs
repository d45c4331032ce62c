//! What `UNNEST(x) AS t (a, b)` makes several columns of: a map has its keys and its values, a list of rows has their fields.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, ListArray, StructArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::nullif;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::Simple;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// The call that stands for one of these columns: of what, which one from 1, and of how many.
pub const COLUMN_OF: &str = "column_of";

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(COLUMN_OF, 3..=3, None, returns, |args, to| {
        let Some(place) = ScalarValue::try_from_array(&args[1], 0).ok().as_ref().and_then(place_of) else {
            return Ok(new_null_array(to.data_type(), args[0].len()));
        };
        column(&args[0], place, to)
    })
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let number = |index: usize| args.scalar_arguments.get(index).copied().flatten().and_then(place_of);
    let (Some(place), Some(count)) = (number(1), number(2)) else {
        return Err(invalid("column_of takes a list or a map, a place and how many there are."));
    };
    let from = args.arg_fields[0].data_type();
    let fields = match from {
        DataType::Null => return Ok(list_of(Field::new("item", DataType::Null, true))),
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) => Some(fields),
            _ => None,
        },
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => Some(fields),
            _ => None,
        },
        _ => None,
    };
    let Some(fields) = fields else {
        return Err(invalid(format!("UNNEST of {} makes one column, not {count}.", type_name(from, false))));
    };
    match fields.get(place - 1).filter(|_| fields.len() == count) {
        Some(field) => Ok(list_of(field.as_ref().clone().with_name("item").with_nullable(true))),
        None => {
            let of = type_name(from, false);
            Err(invalid(format!("UNNEST of {of} makes {} columns, not {count}.", fields.len())))
        }
    }
}

fn list_of(item: Field) -> FieldRef {
    Arc::new(Field::new(COLUMN_OF, DataType::List(Arc::new(item)), true))
}

/// A place, counted from 1.
fn place_of(value: &ScalarValue) -> Option<usize> {
    match value {
        ScalarValue::Int64(Some(place)) => usize::try_from(*place).ok().filter(|place| *place > 0),
        _ => None,
    }
}

fn column(array: &ArrayRef, place: usize, to: &FieldRef) -> Result<ArrayRef> {
    if let Some(maps) = array.as_map_opt() {
        return list(maps.entries(), place, maps.offsets(), maps.nulls(), to);
    }
    let Some(lists) = array.as_list_opt::<i32>() else { return Ok(new_null_array(to.data_type(), array.len())) };
    match lists.values().as_struct_opt() {
        Some(rows) => list(rows, place, lists.offsets(), lists.nulls(), to),
        None => Ok(new_null_array(to.data_type(), array.len())),
    }
}

/// The lists of one field; a row that is null has null fields.
fn list(
    rows: &StructArray,
    place: usize,
    offsets: &OffsetBuffer<i32>,
    nulls: Option<&NullBuffer>,
    to: &FieldRef,
) -> Result<ArrayRef> {
    let DataType::List(item) = to.data_type() else { return Err(invalid("A list is needed here.")) };
    let values = rows.column(place - 1);
    let values = match rows.nulls() {
        Some(known) => nullif(values, &BooleanArray::new(!known.inner(), None))?,
        None => values.clone(),
    };
    Ok(Arc::new(ListArray::try_new(item.clone(), offsets.clone(), values, nulls.cloned())?))
}
