//! The columns of `UNNEST(x) AS t (a, b)`: the keys and the values of a map, or the fields of a list of rows.

use arrow::array::{StructArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::nullif;

use super::build::{list_array, struct_fields};
use crate::prelude::*;

/// The call that makes one of these columns, of a list or map, its position from 1, and the number of columns.
pub const COLUMN_OF: &str = "column_of";

pub(super) fn udf() -> ScalarUDF {
    scalar_udf(COLUMN_OF, 3..=3, returns, |args, to| {
        let position = ScalarValue::try_from_array(&args[1], 0).ok().as_ref().and_then(whole_number);
        let column = position.map(|position| column(&args[0], position, to.data_type())).transpose()?.flatten();
        Ok(column.unwrap_or_else(|| new_null_array(to.data_type(), args[0].len())))
    })
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let number = |index: usize| args.scalar_arguments.get(index).copied().flatten().and_then(whole_number);
    let (Some(position), Some(count)) = (number(1), number(2)) else {
        return Err(invalid("column_of expects a list or a map, an index and a count."));
    };
    let from = args.arg_fields[0].data_type();
    let fields = match from {
        DataType::Null => return Ok(list_of(Field::new("item", DataType::Null, true))),
        DataType::List(item) | DataType::Map(item, _) => struct_fields(item.data_type()),
        _ => None,
    };
    let name = type_name(from, false);
    let fields = fields.ok_or_else(|| invalid(format!("UNNEST of {name} returns one column, not {count}.")))?;
    match fields.get(position - 1).filter(|_| fields.len() == count) {
        Some(field) => Ok(list_of(field.as_ref().clone().with_name("item").with_nullable(true))),
        None => Err(invalid(format!("UNNEST of {name} returns {} columns, not {count}.", fields.len()))),
    }
}

fn list_of(item: Field) -> FieldRef {
    Arc::new(Field::new_list(COLUMN_OF, item, true))
}

/// A whole number from 1 on.
fn whole_number(value: &ScalarValue) -> Option<usize> {
    match value {
        ScalarValue::Int64(Some(number)) => usize::try_from(*number).ok().filter(|number| *number > 0),
        _ => None,
    }
}

/// The lists of one field; `None` for other types.
fn column(array: &ArrayRef, position: usize, to: &DataType) -> Result<Option<ArrayRef>> {
    let (rows, offsets, nulls): (&StructArray, &OffsetBuffer<i32>, Option<&NullBuffer>) =
        if let Some(maps) = array.as_map_opt() {
            (maps.entries(), maps.offsets(), maps.nulls())
        } else if let Some(lists) = array.as_list_opt::<i32>()
            && let Some(rows) = lists.values().as_struct_opt()
        {
            (rows, lists.offsets(), lists.nulls())
        } else {
            return Ok(None);
        };
    let values = rows.column(position - 1);
    // The fields of a row that is null are null.
    let values = match rows.nulls() {
        Some(valid) => nullif(values, &BooleanArray::new(!valid.inner(), None))?,
        None => values.clone(),
    };
    list_array(to, offsets.clone(), values, nulls.cloned()).map(Some)
}
