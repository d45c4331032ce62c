//! Built-in functions that take the items behind a null list for items of the list. CASE and nullif leave such items: where they
//! make null of `[8]`, `array_append` returned `[8, 1]`. No upstream issue found as of 2026-12.

use arrow::array::{ListArray, UInt32Array};
use arrow::compute::take;
use datafusion::functions_nested::concat::{array_append_udf, array_prepend_udf};

use super::list_items::of_list_items;
use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

/// A built-in function that gets null lists without items.
pub(super) fn of_null_lists(builtin: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(builtin, NullLists)
}

pub(crate) fn array_append() -> Arc<ScalarUDF> {
    shared!(of_list_items(Arc::new(of_null_lists(array_append_udf()))))
}

pub(crate) fn array_prepend() -> Arc<ScalarUDF> {
    shared!(of_null_lists(array_prepend_udf()))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct NullLists;

impl Wrapper for NullLists {
    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        for arg in &mut args.args {
            if let ColumnarValue::Array(array) = arg
                && let Some(lists) = array.as_list_opt::<i32>()
                && has_items_in_nulls(lists)
            {
                let rows = (0..lists.len() as u32).map(|row| lists.is_valid(row as usize).then_some(row));
                *array = take(lists, &UInt32Array::from_iter(rows), None)?;
            }
        }
        builtin.invoke_with_args(args)
    }
}

fn has_items_in_nulls(lists: &ListArray) -> bool {
    lists.null_count() > 0 && (0..lists.len()).any(|row| lists.is_null(row) && lists.value_length(row) > 0)
}

#[cfg(test)]
mod tests {
    use arrow::buffer::NullBuffer;
    use arrow::datatypes::Int64Type;
    use datafusion::config::ConfigOptions;

    use super::*;

    /// The length of the result for a null list and the item 1.
    fn made(function: &ScalarUDF) -> usize {
        let (field, offsets, items, _) =
            ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(8)])]).into_parts();
        let null = ListArray::new(field, offsets, items, Some(NullBuffer::new_null(1)));
        let field = |of: &DataType| Arc::new(Field::new("x", of.clone(), true));
        let arg_fields = vec![field(null.data_type()), field(&DataType::Int64)];
        let args = ScalarFunctionArgs {
            return_field: Arc::clone(&arg_fields[0]),
            arg_fields,
            args: vec![ColumnarValue::Array(Arc::new(null)), ColumnarValue::Scalar(ScalarValue::Int64(Some(1)))],
            number_rows: 1,
            config_options: Arc::new(ConfigOptions::default()),
        };
        let lists = function.invoke_with_args(args).unwrap().into_array(1).unwrap();
        lists.as_list::<i32>().value(0).len()
    }

    #[test]
    fn a_null_list_has_no_items() {
        assert_eq!(made(&array_append()), 1);
        assert_eq!(made(&array_append_udf()), 2, "DataFusion is right now: `NullLists` can go");
    }
}
