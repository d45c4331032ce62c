//! `arrays_overlap` of lists that hold nulls, which are equal to nothing: whether two lists share an item is unknown when they
//! share none that is known and one of them holds a null.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, ListArray, UInt64Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::functions_nested::array_has::array_has_any_udf;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use crate::stock::wrapped::{Wrapper, wrapped};
use quarry_types::invalid;

pub(crate) fn udf() -> ScalarUDF {
    wrapped(Overlap { stock: array_has_any_udf() })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Overlap {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Overlap {
    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let arrays = args.args.iter().map(|list| list.clone().into_array(rows));
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        let lists: Option<Vec<&ListArray>> = arrays.iter().map(|array| array.as_list_opt::<i32>()).collect();
        let Some(lists) = lists.filter(|lists| lists.iter().any(|list| list.values().logical_null_count() > 0)) else {
            return self.stock.invoke_with_args(args);
        };
        let known = lists.iter().map(|list| Ok(Arc::new(without_nulls(list)?)));
        let known = known.collect::<Result<Vec<Arc<ListArray>>>>()?;
        args.args = known.iter().map(|list| ColumnarValue::Array(Arc::clone(list) as ArrayRef)).collect();
        let found = self.stock.invoke_with_args(args)?.into_array(rows)?;
        let length = |list: &ListArray, row: usize| list.value_offsets()[row + 1] - list.value_offsets()[row];
        let told = found.as_boolean().iter().enumerate().map(|(row, found)| {
            let lost = lists.iter().zip(&known).any(|(all, known)| length(all, row) > length(known, row));
            let unknown = lost && lists.iter().all(|list| length(list, row) > 0);
            found.filter(|found| *found || !unknown)
        });
        Ok(ColumnarValue::Array(Arc::new(told.collect::<BooleanArray>())))
    }
}

/// The lists without their items that are null.
fn without_nulls(lists: &ListArray) -> Result<ListArray> {
    let nulls = lists.values().logical_nulls();
    let known = |at: &i32| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*at as usize));
    let mut places: Vec<u64> = Vec::new();
    let mut lengths = Vec::with_capacity(lists.len());
    for ends in lists.value_offsets().windows(2) {
        let before = places.len();
        places.extend((ends[0]..ends[1]).filter(known).map(|at| at as u64));
        lengths.push(places.len() - before);
    }
    let items = take(lists.values(), &UInt64Array::from(places), None)?;
    let DataType::List(item) = lists.data_type() else { return Err(invalid("A list is needed here.")) };
    Ok(ListArray::try_new(item.clone(), OffsetBuffer::from_lengths(lengths), items, lists.nulls().cloned())?)
}
