//! Null where an argument is null, for built-in functions that skip nulls or only look at nested ones.

use arrow::buffer::NullBuffer;
use arrow::compute::nullif;

use crate::prelude::*;

/// The result of a call, null where one of its arguments is.
pub(crate) fn null_where_any_is(
    args: ScalarFunctionArgs,
    call: impl FnOnce(ScalarFunctionArgs) -> Result<ColumnarValue>,
) -> Result<ColumnarValue> {
    let rows = args.number_rows;
    let mut nulls = None;
    for arg in &args.args {
        match arg {
            ColumnarValue::Scalar(value) if value.is_null() => {
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from(args.return_type())?));
            }
            ColumnarValue::Scalar(_) => {}
            ColumnarValue::Array(array) => nulls = NullBuffer::union(nulls.as_ref(), array.logical_nulls().as_ref()),
        }
    }
    let result = call(args)?;
    let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) else { return Ok(result) };
    let is_null = BooleanArray::new(!nulls.inner(), None);
    Ok(ColumnarValue::Array(nullif(&result.to_array(rows)?, &is_null)?))
}
