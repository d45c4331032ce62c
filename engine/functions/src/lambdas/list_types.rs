//! Lists as arguments of functions that take a lambda.

use arrow::array::ListArray;

use crate::prelude::*;

/// The list type as which a value is taken.
pub(super) fn as_list(data_type: &DataType) -> Result<DataType> {
    Ok(match data_type {
        DataType::List(_) => data_type.clone(),
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => DataType::List(item.clone()),
        DataType::Null => DataType::new_list(DataType::Null, true),
        other => return Err(invalid(format!("Expected a list here, got {}.", type_name(other, false)))),
    })
}

/// The field of a list's items.
pub(super) fn item_field(list: &FieldRef) -> Result<FieldRef> {
    match as_list(list.data_type())? {
        DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_nullable(true))),
        _ => Err(invalid("Expected a list here.")),
    }
}

pub(super) fn lists_of(array: &ArrayRef) -> Result<&ListArray> {
    array.as_list_opt::<i32>().ok_or_else(|| invalid("Expected a list here."))
}
