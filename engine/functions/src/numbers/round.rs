//! `round`, whose type depends on its number of places. The built-in one wants these as a 32-bit number, and the planner's cast to
//! one hides their value until it is folded: the type would change after comparisons were planned with it. It also multiplies
//! doubles by a power of ten, which may overflow.

use arrow::datatypes::Int32Type;
use datafusion::functions::math;

use crate::prelude::*;
use crate::wrappers::adapt::coerced;
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(crate) fn udf() -> Arc<ScalarUDF> {
    Arc::new(wrapped(math::round(), Round))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Round;

impl Wrapper for Round {
    const OWN_TYPES: bool = true;
    const KEEPS_PROPERTIES: bool = false;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        let mut coerced = coerced(builtin, types)?;
        if let (Some(places), [_, written]) = (coerced.get_mut(1), types)
            && written.is_integer()
        {
            *places = written.clone();
        }
        Ok(coerced)
    }

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let Some(places) = args.args.get_mut(1) {
            *places = places.cast_to(&DataType::Int32, None)?;
        }
        let (number, places) = (args.args[0].clone(), args.args.get(1).cloned());
        let rounded = builtin.invoke_with_args(args)?;
        match (rounded.data_type(), places) {
            (DataType::Float64, Some(places)) => finite([rounded, number, places]),
            _ => Ok(rounded),
        }
    }
}

/// Rounded doubles, those that left the range of doubles replaced: by the number itself behind the point, by zero before it.
fn finite(args: [ColumnarValue; 3]) -> Result<ColumnarValue> {
    let columns = ColumnarValue::values_to_arrays(&args)?;
    let (rounded, places) = (columns[0].as_primitive::<Float64Type>(), columns[2].as_primitive::<Int32Type>());
    if rounded.iter().flatten().all(f64::is_finite) {
        return columnar(columns[0].clone(), &args[..1]);
    }
    let numbers = cast(&columns[1], &DataType::Float64)?;
    let rows = rounded.iter().zip(numbers.as_primitive::<Float64Type>()).zip(places);
    let replaced = rows.map(|((rounded, number), places)| match (rounded, number, places) {
        (Some(rounded), Some(number), Some(places)) if !rounded.is_finite() => {
            Some(if places < 0 && number.is_finite() { 0.0 } else { number })
        }
        _ => rounded,
    });
    columnar(Arc::new(replaced.collect::<Float64Array>()), &args[..1])
}
