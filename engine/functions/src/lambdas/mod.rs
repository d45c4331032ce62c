//! Functions that take functions: `reduce`, `zip_with`, `array_sort` and those of maps. Those of one list are stock ones.

mod higher;
mod map_zip_with;
mod maps;
mod placed;
mod reduce;
mod sort;
mod zip_with;

pub use placed::{FILTER_PLACED, TRANSFORM_PLACED};
pub use reduce::widened;
pub use sort::NAME as SORT_BY;

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, ListArray};
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::HigherOrderUDF;

use super::simple::Doc;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// Every such function with its documentation.
pub const DOCS: [(&str, Doc); 7] = [
    ("reduce", reduce::DOC),
    ("zip_with", zip_with::DOC),
    (sort::NAME, sort::DOC),
    ("map_zip_with", map_zip_with::DOC),
    ("map_filter", maps::FILTER_DOC),
    ("transform_keys", maps::KEYS_DOC),
    ("transform_values", maps::VALUES_DOC),
];

pub(super) fn functions() -> Vec<Arc<HigherOrderUDF>> {
    let single = vec![reduce::function(), zip_with::function(), map_zip_with::function(), sort::function()];
    let all = [single, maps::functions(), placed::functions()];
    all.into_iter().flatten().map(Arc::new).collect()
}

/// The type of list that a function takes in the place of what it is given.
fn as_list(data_type: &DataType) -> Result<DataType> {
    Ok(match data_type {
        DataType::List(_) => data_type.clone(),
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => DataType::List(item.clone()),
        DataType::Null => DataType::new_list(DataType::Null, true),
        other => return Err(invalid(format!("A list is needed here, not {}.", type_name(other, false)))),
    })
}

/// The field of a list's items.
fn item_of(list: &FieldRef) -> Result<FieldRef> {
    match as_list(list.data_type())? {
        DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_nullable(true))),
        _ => Err(invalid("A list is needed here.")),
    }
}

fn lists_of(array: &ArrayRef) -> Result<&ListArray> {
    array.as_list_opt::<i32>().ok_or_else(|| invalid("A list is needed here."))
}
