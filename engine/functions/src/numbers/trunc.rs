//! `trunc` that leaves whole numbers what they are: the built-in one makes doubles of them, which have 53 bits. Of doubles it keeps
//! the digits that are digits: `4.35 * 100` is less than 435.

use datafusion::functions::math;

use crate::prelude::*;
use crate::wrappers::adapt::coerced;
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(crate) fn udf() -> Arc<ScalarUDF> {
    Arc::new(wrapped(math::trunc(), Trunc))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Trunc;

impl Wrapper for Trunc {
    const OWN_TYPES: bool = true;
    const KEEPS_PROPERTIES: bool = false;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [number] if is_int64(number) => Ok(vec![DataType::Int64]),
            [number, places] if is_int64(number) && (places.is_integer() || places.is_null()) => {
                Ok(vec![DataType::Int64; 2])
            }
            _ => coerced(builtin, types),
        }
    }

    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(DataType::Int64) => Ok(DataType::Int64),
            _ => builtin.return_type(types),
        }
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        match args.arg_fields.first().is_some_and(|field| field.data_type() == &DataType::Int64) {
            true => returns(DataType::Int64)(&args),
            false => builtin.return_field_from_args(args),
        }
    }

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let truncate = match (args.args[0].data_type(), args.args.len()) {
            (DataType::Int64, 1) => return Ok(args.args.swap_remove(0)),
            (DataType::Int64, _) => truncate_integers,
            (DataType::Float64, 2) => truncate_doubles,
            _ => return builtin.invoke_with_args(args),
        };
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        columnar(truncate(&columns[0], &columns[1])?, &args.args)
    }
}

/// Whether 64 bits with a sign hold all whole numbers of a type.
fn is_int64(data_type: &DataType) -> bool {
    data_type.is_integer() && data_type != &DataType::UInt64
}

/// Zeros in place of so many digits before the point, where the places are below zero.
fn truncate_integers(numbers: &ArrayRef, places: &ArrayRef) -> Result<ArrayRef> {
    let places = cast(places, &DataType::Int64)?;
    let (numbers, places) = (numbers.as_primitive::<Int64Type>(), places.as_primitive::<Int64Type>());
    zip_rows::<Int64Array, _, _, _>(numbers, places, |number, places| {
        let digits = u32::try_from(places.min(0).unsigned_abs()).unwrap_or(u32::MAX);
        Ok(10i64.checked_pow(digits).map_or(0, |unit| number / unit * unit))
    })
}

fn truncate_doubles(numbers: &ArrayRef, places: &ArrayRef) -> Result<ArrayRef> {
    let places = cast(places, &DataType::Int64)?;
    let (numbers, places) = (numbers.as_primitive::<Float64Type>(), places.as_primitive::<Int64Type>());
    zip_rows::<Float64Array, _, _, _>(numbers, places, |number, places| Ok(truncate_double(number, places)))
}

/// A double without the digits behind a place, of those that are shown; a place below zero is before the point.
fn truncate_double(number: f64, places: i64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    let size = number.abs().to_string();
    let (whole, fraction) = size.split_once('.').unwrap_or((&size, ""));
    let count = usize::try_from(places.unsigned_abs()).unwrap_or(usize::MAX);
    let digits = match places {
        0.. if fraction.len() <= count => return number,
        0.. => format!("{whole}.{}", &fraction[..count]),
        _ if whole.len() <= count => return 0.0,
        _ => format!("{}{}", &whole[..whole.len() - count], "0".repeat(count)),
    };
    digits.parse().map_or(number, |size: f64| size.copysign(number))
}
