//! `ceil` and `floor` of decimals: whole numbers without a point, as in Trino. The stock ones keep the type of the argument,
//! in which 0.5 has no ceiling. Whole numbers stay what they are: the stock ones make doubles of them, which have 53 bits.

use std::sync::Arc;

use arrow::array::new_empty_array;
use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use crate::stock::adapt::coerced;
use crate::stock::wrapped::{Wrapper, wrapped};

/// A stock function that cuts what is behind the point, with whole numbers for its answer.
pub(crate) fn udf(stock: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    Arc::new(wrapped(Whole { stock }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Whole {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Whole {
    const OWN_TYPES: bool = true;
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    /// A decimal stays what it is: its types are looked at more than once, and each look must find the same.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [number] if number.is_decimal() || number.is_integer() => Ok(types.to_vec()),
            _ => coerced(&self.stock, types),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.first().map(roomy) {
            Some(number) if number.is_integer() => Ok(number),
            Some(DataType::Decimal128(precision, scale)) => Ok(DataType::Decimal128(whole(precision, scale), 0)),
            Some(DataType::Decimal256(precision, scale)) => Ok(DataType::Decimal256(whole(precision, scale), 0)),
            _ => self.stock.return_type(types),
        }
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        Ok(Arc::new(Field::new(self.stock.name(), self.return_type(&types)?, true)))
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let wanted = args.return_field.data_type().clone();
        let from = args.args[0].data_type();
        if from.is_integer() {
            return Ok(args.args.swap_remove(0));
        }
        if args.number_rows == 0 {
            // The stock functions panic on a constant over no rows (not reported upstream yet).
            return Ok(ColumnarValue::Array(new_empty_array(&wanted)));
        }
        let to = roomy(&from);
        if from != to {
            args.args[0] = args.args[0].cast_to(&to, None)?;
            args.arg_fields[0] = Arc::new(args.arg_fields[0].as_ref().clone().with_data_type(to.clone()));
        }
        args.return_field = Arc::new(args.return_field.as_ref().clone().with_data_type(to));
        let cut = self.stock.invoke_with_args(args)?;
        if cut.data_type() == wanted { Ok(cut) } else { cut.cast_to(&wanted, None) }
    }
}

/// A decimal with room for one digit more: 9.5 has two before the point when it is rounded up.
fn roomy(from: &DataType) -> DataType {
    match from {
        DataType::Decimal128(precision, scale) => {
            DataType::Decimal128((precision + 1).min(DECIMAL128_MAX_PRECISION), *scale)
        }
        DataType::Decimal256(precision, scale) => {
            DataType::Decimal256((precision + 1).min(DECIMAL256_MAX_PRECISION), *scale)
        }
        other => other.clone(),
    }
}

/// Digits before the point; a scale below zero stands for zeros there.
fn whole(precision: u8, scale: i8) -> u8 {
    u8::try_from(i16::from(precision) - i16::from(scale)).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use datafusion::common::ScalarValue;
    use datafusion::functions::math;

    use super::*;

    /// When this fails, the check for no rows in `Whole` can go.
    #[test]
    fn the_stock_floor_still_panics_on_a_constant_over_no_rows() {
        let decimal = DataType::Decimal128(4, 1);
        let field = Arc::new(Field::new("x", decimal.clone(), true));
        let args = ScalarFunctionArgs {
            args: vec![ColumnarValue::Scalar(ScalarValue::Decimal128(Some(15), 4, 1))],
            arg_fields: vec![Arc::clone(&field)],
            number_rows: 0,
            return_field: field,
            config_options: Arc::default(),
        };
        assert!(catch_unwind(AssertUnwindSafe(|| math::floor().invoke_with_args(args))).is_err());
    }
}
