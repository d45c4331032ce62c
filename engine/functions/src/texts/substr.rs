//! `substr(text, start, length)` as Trino counts: from 1, from the end below 0; there is nothing at 0.

use arrow::compute::min;
use datafusion::functions::unicode;

use crate::prelude::*;
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(crate) fn udf() -> ScalarUDF {
    wrapped(unicode::substr(), Substr)
}

/// The built-in function, which counts on to the left of the text, with starts from the end.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Substr;

impl Wrapper for Substr {
    const KEEPS_PROPERTIES: bool = false;

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [text, start, ..] = args.args.as_slice() else { return builtin.invoke_with_args(args) };
        let from_start = match start {
            ColumnarValue::Scalar(ScalarValue::Int64(start)) => start.is_none_or(|start| start > 0),
            ColumnarValue::Array(starts) if *starts.data_type() == DataType::Int64 => {
                min(starts.as_primitive::<Int64Type>()).is_none_or(|least| least > 0)
            }
            _ => false,
        };
        if !from_start {
            let columns = ColumnarValue::values_to_arrays(&[text.clone(), start.clone()])?;
            args.args[1] = columnar(starts_from_1(&columns[0], &columns[1])?, &args.args[..2])?;
        }
        if let Some(length) = args.args.get_mut(2) {
            let not_negative = |length: i64| length.max(0);
            match length {
                ColumnarValue::Scalar(ScalarValue::Int64(Some(length))) => *length = not_negative(*length),
                ColumnarValue::Array(lengths) if *lengths.data_type() == DataType::Int64 => {
                    *lengths = Arc::new(lengths.as_primitive::<Int64Type>().unary::<_, Int64Type>(not_negative));
                }
                _ => {}
            }
        }
        builtin.invoke_with_args(args)
    }
}

/// Starts from 1; behind the end where there is nothing.
fn starts_from_1(texts: &ArrayRef, starts: &ArrayRef) -> Result<ArrayRef> {
    let starts = cast(starts, &DataType::Int64)?;
    let starts = starts.as_primitive::<Int64Type>().iter().zip(text_of(texts)?);
    let starts = starts.map(|(start, text)| {
        let length = text.map_or(0, |text| text.chars().count() as i64);
        Some(match start? {
            start @ 1.. => start,
            0 => length + 1,
            back => Some(length + 1 + back.max(-length - 1)).filter(|start| *start > 0).unwrap_or(length + 1),
        })
    });
    Ok(Arc::new(starts.collect::<Int64Array>()))
}
