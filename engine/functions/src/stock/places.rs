//! Stock functions of places in a list. A place beyond 32 bits is beyond every list; the stock functions fail there.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, AsArray};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_nested::extract::{array_element_udf, array_slice_udf};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use super::wrapped::{Wrapper, wrapped};
use crate::shared;

/// More items than a list can have.
const BEYOND: i64 = i32::MAX as i64;

static FUNCTIONS: LazyLock<[Arc<ScalarUDF>; 2]> =
    LazyLock::new(|| [array_element_udf(), array_slice_udf()].map(|stock| shared(wrapped(Places { stock }))));

pub(crate) fn udfs() -> impl Iterator<Item = ScalarUDF> {
    FUNCTIONS.iter().map(|function| function.as_ref().clone())
}

/// Quarry's version of a stock function. The SQL planner calls the stock functions for `list[1]` and `list[1:2]`.
pub fn of_stock(name: &str) -> Option<Arc<ScalarUDF>> {
    FUNCTIONS.iter().find(|function| function.name() == name).cloned()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Places {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Places {
    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        for place in args.args.iter_mut().skip(1) {
            *place = within(place);
        }
        self.stock.invoke_with_args(args)
    }
}

fn within(place: &ColumnarValue) -> ColumnarValue {
    let nearest = |place: i64| place.clamp(-BEYOND, BEYOND);
    match place {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(place))) => {
            ColumnarValue::Scalar(ScalarValue::Int64(Some(nearest(*place))))
        }
        ColumnarValue::Array(places) if *places.data_type() == DataType::Int64 => {
            let places = places.as_primitive::<Int64Type>().unary::<_, Int64Type>(nearest);
            ColumnarValue::Array(Arc::new(places) as ArrayRef)
        }
        other => other.clone(),
    }
}
