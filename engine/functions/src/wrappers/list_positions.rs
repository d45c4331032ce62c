//! Built-in functions of positions in a list. A position that needs more than 32 bits is behind the end of every list; the built-in
//! functions fail there.

use datafusion::functions_nested::extract::{array_element_udf, array_slice_udf};

use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

/// More items than a list can have.
const MAX_POSITION: i64 = i32::MAX as i64;

fn array_element() -> Arc<ScalarUDF> {
    shared!(wrapped(array_element_udf(), ListPositions))
}

fn array_slice() -> Arc<ScalarUDF> {
    shared!(wrapped(array_slice_udf(), ListPositions))
}

pub(crate) fn udfs() -> [ScalarUDF; 2] {
    [array_element(), array_slice()].map(|function| function.as_ref().clone())
}

/// Quarry's version of a built-in function. The SQL planner calls the built-in ones for `list[1]` and `list[1:2]`.
pub fn list_position_udf(builtin: &str) -> Option<Arc<ScalarUDF>> {
    [array_element(), array_slice()].into_iter().find(|function| function.name() == builtin)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ListPositions;

impl Wrapper for ListPositions {
    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        for position in args.args.iter_mut().skip(1) {
            *position = clamped(position);
        }
        builtin.invoke_with_args(args)
    }
}

fn clamped(position: &ColumnarValue) -> ColumnarValue {
    let clamp = |position: i64| position.clamp(-MAX_POSITION, MAX_POSITION);
    match position {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(position))) => {
            ColumnarValue::Scalar(ScalarValue::Int64(Some(clamp(*position))))
        }
        ColumnarValue::Array(positions) if *positions.data_type() == DataType::Int64 => {
            let positions = positions.as_primitive::<Int64Type>();
            ColumnarValue::Array(Arc::new(positions.unary::<_, Int64Type>(clamp)))
        }
        other => other.clone(),
    }
}
