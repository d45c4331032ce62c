//! Built-in functions of a list and an item. In a list of bytes the item may be their hex text, in a list of 256-bit numbers a whole
//! number of another type, and in a list of numbers a number of another type; the planner converts it before the call.

use super::adapt::coerced;
use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

pub(crate) fn of_list_items(builtin: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(builtin, ListItems)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ListItems;

/// The field of the items of a list of bytes or of numbers, where a value of another type may be compared with them.
fn item<'a>(list: &'a DataType, value: &DataType) -> Option<&'a FieldRef> {
    match list {
        DataType::List(item) => {
            // Byte literals have no fixed width.
            let fits = match item.data_type() {
                item if is_number(item) => is_whole(value),
                item if is_number(value) => item.is_integer(),
                item if item.is_numeric() && value.is_numeric() => !(item.is_integer() && value.is_integer()),
                item => is_bytes(item) && (is_text(value) || *value == DataType::Binary),
            };
            Some(item).filter(|_| fits)
        }
        _ => None,
    }
}

/// Whether numbers of a type have no fraction.
pub fn is_whole(data_type: &DataType) -> bool {
    data_type.is_integer() || matches!(data_type, DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0))
}

impl Wrapper for ListItems {
    const OWN_TYPES: bool = true;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [list, value] if item(list, value).is_some() => Ok(types.to_vec()),
            _ => coerced(builtin, types),
        }
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        if let [list, value] = args.arg_fields
            && let Some(item) = item(list.data_type(), value.data_type())
        {
            let fields = [list.clone(), item.clone()];
            let args = ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &[None, None] };
            return builtin.return_field_from_args(args);
        }
        builtin.return_field_from_args(args)
    }
}
