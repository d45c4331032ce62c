//! `round`, whose type depends on the places it is given. The stock one wants these as a 32-bit number, and the planner's
//! cast to one hides them until it is folded: the type would be another one then, after comparisons were planned with it.
//! Of doubles it multiplies by a power of ten, which may be none that a double holds.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int32Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::math;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use crate::stock::adapt::coerced;
use crate::stock::wrapped::{Wrapper, wrapped};

/// The stock function that takes its places as they are written.
pub(crate) fn udf() -> Arc<ScalarUDF> {
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
        let (given, places) = (args.args[0].clone(), args.args.get(1).cloned());
        let rounded = self.stock.invoke_with_args(args)?;
        match (rounded.data_type(), places) {
            (DataType::Float64, Some(places)) => held(rounded, &given, &places),
            _ => Ok(rounded),
        }
    }
}

/// What was rounded to a place beyond all doubles: itself behind the point, nothing before it.
fn held(rounded: ColumnarValue, given: &ColumnarValue, places: &ColumnarValue) -> Result<ColumnarValue> {
    let single = matches!(rounded, ColumnarValue::Scalar(_));
    let rounded = ColumnarValue::values_to_arrays(&[rounded, given.clone(), places.clone()])?;
    let (values, places) = (rounded[0].as_primitive::<Float64Type>(), rounded[2].as_primitive::<Int32Type>());
    if values.iter().flatten().all(f64::is_finite) {
        return of_array(Arc::clone(&rounded[0]), single);
    }
    let given = cast(&rounded[1], &DataType::Float64)?;
    let given = given.as_primitive::<Float64Type>();
    let rows = values.iter().zip(given).zip(places).map(|((value, given), places)| match (value, given, places) {
        (Some(value), Some(given), Some(places)) if !value.is_finite() => {
            Some(if places < 0 && given.is_finite() { 0.0 } else { given })
        }
        (value, ..) => value,
    });
    of_array(Arc::new(rows.collect::<Float64Array>()), single)
}

fn of_array(array: ArrayRef, single: bool) -> Result<ColumnarValue> {
    match single {
        true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)),
        false => Ok(ColumnarValue::Array(array)),
    }
}
