//! `round`, whose type depends on the places it is given. The stock one wants these as a 32-bit number, and the planner's
//! cast to one hides them until it is folded: the type would be another one then, after comparisons were planned with it.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::functions::math;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use super::adapt::coerced;
use super::wrapped::{Wrapper, wrapped};

/// The stock function that takes its places as they are written.
pub(super) fn udf() -> Arc<ScalarUDF> {
    Arc::new(wrapped(Round { stock: math::round() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Round {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Round {
    const OWN_TYPES: bool = true;
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let mut coerced = coerced(&self.stock, types)?;
        if let (Some(places), [_, written]) = (coerced.get_mut(1), types)
            && written.is_integer()
        {
            *places = written.clone();
        }
        Ok(coerced)
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let Some(places) = args.args.get_mut(1) {
            *places = places.cast_to(&DataType::Int32, None)?;
        }
        self.stock.invoke_with_args(args)
    }
}
