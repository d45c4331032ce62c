//! `trunc` that leaves whole numbers what they are: the stock one makes doubles of them, which have 53 bits. And of doubles it
//! leaves the digits that are shown: `4.35 * 100` is less than 435.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::math;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use crate::stock::adapt::coerced;
use crate::stock::wrapped::{Wrapper, wrapped};

/// The stock function for all other numbers.
pub(crate) fn udf() -> Arc<ScalarUDF> {
    Arc::new(wrapped(Cut { stock: math::trunc() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Cut {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Cut {
    const OWN_TYPES: bool = true;
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [number] if whole(number) => Ok(vec![DataType::Int64]),
            [number, places] if whole(number) && (places.is_integer() || places.is_null()) => {
                Ok(vec![DataType::Int64; 2])
            }
            _ => coerced(&self.stock, types),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(DataType::Int64) => Ok(DataType::Int64),
            _ => self.stock.return_type(types),
        }
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = args.arg_fields.first().filter(|field| field.data_type() == &DataType::Int64);
        match field {
            Some(_) => Ok(Arc::new(Field::new(self.stock.name(), DataType::Int64, true))),
            None => self.stock.return_field_from_args(args),
        }
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let work = match (args.args[0].data_type(), args.args.len()) {
            (DataType::Int64, 1) => return Ok(args.args.swap_remove(0)),
            (DataType::Int64, _) => cut,
            (DataType::Float64, 2) => cut_doubles,
            _ => return self.stock.invoke_with_args(args),
        };
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        let cut = ColumnarValue::Array(work(&columns[0], &columns[1])?);
        match args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_))) {
            true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&cut.to_array(1)?, 0)?)),
            false => Ok(cut),
        }
    }
}

/// A whole number that 64 bits with a sign hold.
fn whole(data_type: &DataType) -> bool {
    data_type.is_integer() && data_type != &DataType::UInt64
}

/// Zeros in the place of so many digits before the point, where the places are below zero.
fn cut(numbers: &ArrayRef, places: &ArrayRef) -> Result<ArrayRef> {
    let places = cast(places, &DataType::Int64)?;
    let rows = numbers.as_primitive::<Int64Type>().iter().zip(places.as_primitive::<Int64Type>());
    let cut = rows.map(|(number, places)| {
        let (number, places) = number.zip(places)?;
        let digits = u32::try_from(places.min(0).unsigned_abs()).unwrap_or(u32::MAX);
        Some(10i64.checked_pow(digits).map_or(0, |unit| number / unit * unit))
    });
    Ok(Arc::new(cut.collect::<Int64Array>()))
}

fn cut_doubles(numbers: &ArrayRef, places: &ArrayRef) -> Result<ArrayRef> {
    let places = cast(places, &DataType::Int64)?;
    let rows = numbers.as_primitive::<Float64Type>().iter().zip(places.as_primitive::<Int64Type>());
    let cut = rows.map(|(number, places)| number.zip(places).map(|(number, places)| cut_double(number, places)));
    Ok(Arc::new(cut.collect::<Float64Array>()))
}

/// A double without the digits behind a place, of those that are shown; below zero the place is before the point.
fn cut_double(number: f64, places: i64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    let shown = number.abs().to_string();
    let (whole, fraction) = shown.split_once('.').unwrap_or((&shown, ""));
    let count = usize::try_from(places.unsigned_abs()).unwrap_or(usize::MAX);
    let kept = match places {
        0.. if fraction.len() <= count => return number,
        0.. => format!("{whole}.{}", &fraction[..count]),
        _ if whole.len() <= count => return 0.0,
        _ => format!("{}{}", &whole[..whole.len() - count], "0".repeat(count)),
    };
    kept.parse().map_or(number, |kept: f64| kept.copysign(number))
}
