//! Lists without null items: in Trino the largest and the least item of a list with a null are null, while the built-in functions
//! ignore nulls, as Hive does.

use arrow::array::ListArray;
use arrow::buffer::NullBuffer;

use super::build::item_range;
use crate::prelude::*;

/// The call that makes null of lists with null items; people don't write it.
pub const KNOWN_LIST: &str = "known_list";

pub(super) fn udf() -> ScalarUDF {
    scalar_udf(
        KNOWN_LIST,
        1..=1,
        |args| Ok(Arc::new(args.arg_fields[0].as_ref().clone().with_nullable(true))),
        |args, _| null_where_items_are(&args[0]),
    )
}

/// Null for lists with null items. Other values stay, for the function around the call to refuse.
fn null_where_items_are(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(lists) = array.as_list_opt::<i32>().filter(|lists| lists.values().null_count() > 0) else {
        return Ok(Arc::clone(array));
    };
    let is_valid =
        |row| lists.is_valid(row) && item_range(lists, row).all(|item| lists.values().is_valid(item as usize));
    let nulls: NullBuffer = (0..lists.len()).map(is_valid).collect();
    let (field, offsets, items, _) = lists.clone().into_parts();
    Ok(Arc::new(ListArray::try_new(field, offsets, items, Some(nulls))?))
}
