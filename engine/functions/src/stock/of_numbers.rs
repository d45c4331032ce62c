//! `abs` and the roundings of 256-bit numbers: they stay such numbers, with all digits that a decimal would not hold.

use std::sync::Arc;

use alloy_primitives::U256;
use arrow::array::{ArrayRef, AsArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::adapt::{self, Takes};
use super::wrapped::{Wrapper, wrapped};
use crate::uint256::{self};
use quarry_types::out_of_range;
use quarry_types::uint256::{NUMBER, Number, is_number, is_unsigned};

/// What is done with such a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Its size.
    Size,
    /// Nothing, since it is whole.
    Nothing,
    /// The nearest number with zeros at so many places before the point, of two the one farther from zero.
    Round,
    /// Zeros in the place of so many digits.
    Cut,
}

/// The stock function for all other numbers.
pub(crate) fn or_number(stock: &Arc<ScalarUDF>, aliases: &[&str], work: Work) -> ScalarUDF {
    wrapped(OfNumbers { other: adapt::adapted(stock, Takes::Decimals, aliases), work })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct OfNumbers {
    other: ScalarUDF,
    work: Work,
}

impl OfNumbers {
    fn is_of_number<'a>(&self, mut types: impl Iterator<Item = &'a DataType>) -> bool {
        let places = |data_type: &DataType| data_type.is_integer() || data_type.is_null();
        types.next().is_some_and(is_number)
            && match (self.work, types.next(), types.next()) {
                (_, None, None) => true,
                (Work::Round | Work::Cut, Some(given), None) => places(given),
                _ => false,
            }
    }

    /// The function of other numbers, where the first of these is none of 256 bits.
    pub fn of_others(&self, types: &[DataType]) -> Option<&ScalarUDF> {
        (!self.is_of_number(types.iter())).then_some(&self.other)
    }

    fn work(&self, number: Number, places: i64) -> Result<Number> {
        let unit = u32::try_from(places.min(0).unsigned_abs()).ok().and_then(power_of_ten);
        let size = match (self.work, unit) {
            (Work::Size, _) => return Ok(Number::new(false, number.magnitude())),
            (Work::Nothing, _) => return Ok(number),
            // Of more digits than there are, zeros are left.
            (Work::Round | Work::Cut, None) => U256::ZERO,
            (Work::Round | Work::Cut, Some(unit)) => {
                let rest = number.magnitude() % unit;
                let cut = number.magnitude() - rest;
                match self.work == Work::Round && rest >= unit - rest {
                    true => cut
                        .checked_add(unit)
                        .ok_or_else(|| out_of_range("The number is rounded to one that is larger than 2^256 - 1."))?,
                    false => cut,
                }
            }
        };
        Ok(Number::new(number.is_negative(), size))
    }
}

fn power_of_ten(digits: u32) -> Option<U256> {
    U256::from(10).checked_pow(U256::from(digits))
}

impl Wrapper for OfNumbers {
    const OWN_TYPES: bool = true;
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.other
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if self.is_of_number(types.iter()) {
            let taken = [NUMBER, DataType::Int64];
            return Ok(taken[..types.len()].to_vec());
        }
        let coerced = fields_with_udf(&Takes::NoBytes.adapt_all(types), &self.other)?;
        Ok(coerced.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match self.is_of_number(types.iter()) {
            true => Ok(NUMBER),
            false => self.other.return_type(types),
        }
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        match self.is_of_number(args.arg_fields.iter().map(|field| field.data_type())) {
            true => Ok(quarry_types::uint256::field(self.other.name(), !is_unsigned(&args.arg_fields[0]))),
            false => self.other.return_field_from_args(args),
        }
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if !self.is_of_number(args.arg_fields.iter().map(|field| field.data_type())) {
            return self.other.invoke_with_args(args);
        }
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        let numbers = uint256::read(&columns[0])?;
        let places = match columns.get(1) {
            Some(places) => whole(places)?,
            None => vec![Some(0); numbers.len()],
        };
        let worked = numbers.into_iter().zip(places).map(|(number, places)| match number.zip(places) {
            Some((number, places)) => self.work(number, places).map(Some),
            None => Ok(None),
        });
        let worked = uint256::write(worked.collect::<Result<_>>()?)?;
        match args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_))) {
            true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&worked, 0)?)),
            false => Ok(ColumnarValue::Array(worked)),
        }
    }
}

fn whole(places: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let exact = CastOptions { safe: false, ..CastOptions::default() };
    let places = cast_with_options(places, &DataType::Int64, &exact)?;
    Ok(places.as_primitive::<Int64Type>().iter().collect())
}
