//! The order of lists and rows: item by item, nulls after all values, as `ORDER BY` puts them and PostgreSQL compares them.

use std::cmp::Ordering;

use arrow::array::{DynComparator, Int8Array, make_comparator};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::compute::kernels::zip::zip;
use arrow::compute::{SortOptions, and_kleene};

use crate::interval_lengths::interval_lengths;
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

/// Whether two rows of one type are equal field by field, as in `(a, b) = (1, 2)`: null where a null leaves it open.
pub fn rows_equal() -> Arc<ScalarUDF> {
    shared!(scalar_udf("rows_equal", 2..=2, returns(DataType::Boolean), |args, _| {
        Ok(Arc::new(equality(&args[0], &args[1])?))
    }))
}

fn equality(left: &ArrayRef, right: &ArrayRef) -> Result<BooleanArray> {
    if left.data_type().is_null() || right.data_type().is_null() {
        return Ok(BooleanArray::new_null(left.len()));
    }
    let nulls = NullBuffer::union(left.logical_nulls().as_ref(), right.logical_nulls().as_ref());
    let (Some(left_row), Some(right_row)) = (left.as_struct_opt(), right.as_struct_opt()) else {
        let compare = comparator(left, right)?;
        let equal = BooleanBuffer::collect_bool(left.len(), |row| compare(row, row) == Ordering::Equal);
        return Ok(BooleanArray::new(equal, nulls));
    };
    let mut equal = BooleanArray::from(vec![true; left.len()]);
    for (left, right) in left_row.columns().iter().zip(right_row.columns()) {
        equal = and_kleene(&equal, &equality(left, right)?)?;
    }
    let nulls = NullBuffer::union(equal.nulls(), nulls.as_ref());
    Ok(BooleanArray::new(equal.values().clone(), nulls))
}

/// Compares a row of one column with a row of another of the same type. Intervals are compared by their length.
pub(crate) fn comparator(left: &ArrayRef, right: &ArrayRef) -> Result<DynComparator> {
    let options = SortOptions { descending: false, nulls_first: false };
    if matches!((left.data_type(), right.data_type()), (DataType::Interval(_), DataType::Interval(_))) {
        return Ok(make_comparator(&interval_lengths(left)?, &interval_lengths(right)?, options)?);
    }
    Ok(make_comparator(left, right, options)?)
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
