//! The order of lists and rows: item by item, nulls after all values, as `ORDER BY` puts them and PostgreSQL compares them.

use arrow::array::{Int8Array, make_comparator};
use arrow::buffer::NullBuffer;
use arrow::compute::SortOptions;

use crate::prelude::*;

/// How the first of two values of one nested type compares with the second: -1, 0 or 1, and null where one of them is null.
pub fn nested_order() -> Arc<ScalarUDF> {
    shared!(scalar_udf("nested_order", 2..=2, returns(DataType::Int8), |args, _| {
        let (left, right) = (&args[0], &args[1]);
        let compare = make_comparator(left, right, SortOptions { descending: false, nulls_first: false })?;
        let nulls = NullBuffer::union(left.logical_nulls().as_ref(), right.logical_nulls().as_ref());
        let orders: Vec<i8> = (0..left.len()).map(|row| compare(row, row) as i8).collect();
        Ok(Arc::new(Int8Array::new(orders.into(), nulls)))
    }))
}
