//! `trunc` that leaves whole numbers what they are: the stock one makes doubles of them, which have 53 bits.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::math;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use crate::functions::stock::adapt::coerced;
use crate::functions::stock::wrapped::{Wrapper, wrapped};

/// The stock function for all other numbers.
pub(in crate::functions) fn udf() -> Arc<ScalarUDF> {
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
        if args.args[0].data_type() != DataType::Int64 {
            return self.stock.invoke_with_args(args);
        }
        if args.args.len() == 1 {
            return Ok(args.args.swap_remove(0));
        }
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        let cut = ColumnarValue::Array(cut(&columns[0], &columns[1])?);
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
