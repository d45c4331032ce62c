//! The order of lists and rows: item by item, nulls after all values, as `ORDER BY` puts them and PostgreSQL compares them.

use std::cmp::Ordering;

use arrow::array::{DynComparator, Int8Array, make_comparator};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::compute::SortOptions;
use arrow::compute::kernels::zip::zip;

use crate::prelude::*;

/// How the first of two values of one nested type compares with the second: -1, 0 or 1, and null where one of them is null.
pub fn nested_order() -> Arc<ScalarUDF> {
    shared!(scalar_udf("nested_order", 2..=2, returns(DataType::Int8), |args, _| {
        let (left, right) = (&args[0], &args[1]);
        let compare = comparator(left, right)?;
        let nulls = NullBuffer::union(left.logical_nulls().as_ref(), right.logical_nulls().as_ref());
        let orders: Vec<i8> = (0..left.len()).map(|row| compare(row, row) as i8).collect();
        Ok(Arc::new(Int8Array::new(orders.into(), nulls)))
    }))
}

/// Compares a row of one column with a row of another of the same type.
pub(crate) fn comparator(left: &ArrayRef, right: &ArrayRef) -> Result<DynComparator> {
    Ok(make_comparator(left, right, SortOptions { descending: false, nulls_first: false })?)
}

/// For each row the greatest or the least value of the columns.
pub(crate) fn extreme(columns: &[ArrayRef], order: Ordering) -> Result<ArrayRef> {
    let [first, others @ ..] = columns else {
        return Err(DataFusionError::Internal("greatest and least take values".to_string()));
    };
    others.iter().try_fold(Arc::clone(first), |best, other| {
        let compare = comparator(other, &best)?;
        let is_better = BooleanBuffer::collect_bool(best.len(), |row| compare(row, row) == order);
        Ok(zip(&BooleanArray::new(is_better, None), other, &best)?)
    })
}
