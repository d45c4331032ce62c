//! `array_position(list, item)`: 0 for an item that is not there, as Trino, Spark and DuckDB say; the stock function
//! says null.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, UInt64Array};
use arrow::datatypes::UInt64Type;
use datafusion::common::Result;
use datafusion::functions_nested::position::array_position_udf;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use crate::stock::choose::null_where_any_is;
use crate::stock::wrapped::{Wrapper, wrapped};

pub(crate) fn udf() -> ScalarUDF {
    wrapped(Position { stock: array_position_udf() })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Position {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Position {
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        null_where_any_is(args, |args| {
            let places = self.stock.invoke_with_args(args)?.to_array(rows)?;
            let Some(places) = places.as_primitive_opt::<UInt64Type>() else {
                return Ok(ColumnarValue::Array(places));
            };
            let places: ArrayRef = match places.null_count() {
                0 => Arc::new(places.clone()),
                _ => Arc::new(places.iter().map(Option::unwrap_or_default).collect::<UInt64Array>()),
            };
            Ok(ColumnarValue::Array(places))
        })
    }
}
