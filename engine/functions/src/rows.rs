//! Kernels that work row by row: a row with a null among its arguments is null.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use arrow::error::ArrowError;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::ColumnarValue;

/// A column of another type; a value that does not fit is an error.
pub(crate) fn strict_cast(array: &dyn Array, to: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(array, to, &CastOptions { safe: false, ..CastOptions::default() })
}

/// Numbers as 64-bit integers.
pub(crate) fn int64s(array: &dyn Array) -> Result<Int64Array, ArrowError> {
    Ok(strict_cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
}

/// Numbers as doubles.
pub(crate) fn float64s(array: &dyn Array) -> Result<Float64Array, ArrowError> {
    Ok(strict_cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
}

/// Applies a function to each row that is not null.
pub(crate) fn map_rows<A, T, R>(
    rows: impl IntoIterator<Item = Option<T>>,
    mut make: impl FnMut(T) -> Result<R>,
) -> Result<ArrayRef>
where
    A: Array + FromIterator<Option<R>> + 'static,
{
    let values = rows.into_iter().map(|row| row.map(&mut make).transpose());
    Ok(Arc::new(values.collect::<Result<A>>()?))
}

/// Applies a function to each pair of rows of two columns without a null.
pub(crate) fn zip_rows<A, T, U, R>(
    left: impl IntoIterator<Item = Option<T>>,
    right: impl IntoIterator<Item = Option<U>>,
    mut make: impl FnMut(T, U) -> Result<R>,
) -> Result<ArrayRef>
where
    A: Array + FromIterator<Option<R>> + 'static,
{
    let pairs = left.into_iter().zip(right).map(|(left, right)| left.zip(right));
    map_rows::<A, _, _>(pairs, |(left, right)| make(left, right))
}

/// The value of a key, computed only when the key differs from the last one: rows mostly repeat their pattern, path or time zone.
pub(crate) fn reuse_last<K: PartialEq, T>(
    last: &mut Option<(K, T)>,
    key: K,
    compute: impl FnOnce(&K) -> Result<T>,
) -> Result<&T> {
    let entry = match last.take() {
        Some(entry) if entry.0 == key => entry,
        _ => {
            let value = compute(&key)?;
            (key, value)
        }
    };
    Ok(&last.insert(entry).1)
}

/// The result of a call as a constant where all of its arguments are.
pub(crate) fn columnar(array: ArrayRef, args: &[ColumnarValue]) -> Result<ColumnarValue> {
    match args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_))) {
        true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)),
        false => Ok(ColumnarValue::Array(array)),
    }
}
