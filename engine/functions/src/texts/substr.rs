//! `substr(text, start, length)` as Trino counts: from 1, from the end below 0; there is nothing at 0.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::compute::{cast, min};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::unicode;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use crate::stock::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::text_of;

pub(crate) fn udf() -> ScalarUDF {
    wrapped(Substr { stock: unicode::substr() })
}

/// The stock function, which counts on to the left of the text, with starts from the end.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Substr {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Substr {
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [text, start, ..] = args.args.as_slice() else { return self.stock.invoke_with_args(args) };
        let from_start = match start {
            ColumnarValue::Scalar(ScalarValue::Int64(start)) => start.is_none_or(|start| start > 0),
            ColumnarValue::Array(starts) if *starts.data_type() == DataType::Int64 => {
                min(starts.as_primitive::<Int64Type>()).is_none_or(|least| least > 0)
            }
            _ => false,
        };
        if !from_start {
            let scalar = [text, start].iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
            let rows = if scalar { 1 } else { args.number_rows };
            let starts = counted(&text.to_array(rows)?, &start.to_array(rows)?)?;
            args.args[1] = match scalar {
                true => ColumnarValue::Scalar(ScalarValue::try_from_array(&starts, 0)?),
                false => ColumnarValue::Array(starts),
            };
        }
        // A length below zero is none.
        if let Some(length) = args.args.get_mut(2) {
            let none = |length: i64| length.max(0);
            match length {
                ColumnarValue::Scalar(ScalarValue::Int64(Some(length))) => *length = none(*length),
                ColumnarValue::Array(lengths) if *lengths.data_type() == DataType::Int64 => {
                    *lengths = Arc::new(lengths.as_primitive::<Int64Type>().unary::<_, Int64Type>(none));
                }
                _ => {}
            }
        }
        self.stock.invoke_with_args(args)
    }
}

/// Starts from 1; behind the end where there is nothing.
fn counted(texts: &ArrayRef, starts: &ArrayRef) -> Result<ArrayRef> {
    let starts = cast(starts, &DataType::Int64)?;
    let starts = starts.as_primitive::<Int64Type>().iter().zip(text_of(texts)?);
    let starts = starts.map(|(start, text)| {
        let length = text.map_or(0, |text| text.chars().count() as i64);
        start.map(|start| match start {
            1.. => start,
            0 => length + 1,
            back => Some(length + 1 + back.max(-length - 1)).filter(|start| *start > 0).unwrap_or(length + 1),
        })
    });
    Ok(Arc::new(starts.collect::<Int64Array>()))
}
