//! A list of which every item is known: the largest and the least of one that holds null are null in Trino, where the stock
//! functions leave null out, as Hive does.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray};
use arrow::buffer::NullBuffer;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::Simple;

/// The call that stands for such a list.
pub const KNOWN_LIST: &str = "known_list";

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        KNOWN_LIST,
        1..=1,
        None,
        |args| Ok(Arc::new(args.arg_fields[0].as_ref().clone().with_nullable(true))),
        |arrays, _| known(&arrays[0]),
    )
}

/// The lists without those that hold null; what is no list stays what it is, for the function around it to refuse.
fn known(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(lists) = array.as_list_opt::<i32>().filter(|lists| lists.values().null_count() > 0) else {
        return Ok(Arc::clone(array));
    };
    let items = lists.values();
    let whole = |row: usize| {
        let places = lists.value_offsets()[row]..lists.value_offsets()[row + 1];
        lists.is_valid(row) && places.into_iter().all(|place| items.is_valid(place as usize))
    };
    let nulls: NullBuffer = (0..lists.len()).map(whole).collect();
    let (field, offsets, items, _) = lists.clone().into_parts();
    Ok(Arc::new(ListArray::try_new(field, offsets, items, Some(nulls))?))
}
