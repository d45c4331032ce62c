//! `ceil` and `floor` of decimals: whole numbers without a point, as in Trino. The built-in ones keep the type of the argument, in
//! which 0.5 has no ceiling. Whole numbers stay what they are: the built-in ones make doubles of them, which have 53 bits.

use arrow::array::new_empty_array;
use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION};

use crate::prelude::*;
use crate::wrappers::adapt::{coerced, retyped_to, types_of};
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(crate) fn udf(builtin: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    Arc::new(wrapped(builtin, CeilFloor))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CeilFloor;

impl Wrapper for CeilFloor {
    const OWN_TYPES: bool = true;
    const KEEPS_PROPERTIES: bool = false;

    /// A decimal stays what it is: types are coerced more than once, each time with the same result.
    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [number] if number.is_decimal() || number.is_integer() => Ok(types.to_vec()),
            _ => coerced(builtin, types),
        }
    }

    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(number) if number.is_integer() => Ok(number.clone()),
            Some(DataType::Decimal128(precision, scale)) => {
                let digits = whole_digits(precision + 1, *scale).min(DECIMAL128_MAX_PRECISION);
                Ok(DataType::Decimal128(digits, 0))
            }
            Some(DataType::Decimal256(precision, scale)) => {
                let digits = whole_digits((precision + 1).min(DECIMAL256_MAX_PRECISION), *scale);
                Ok(DataType::Decimal256(digits, 0))
            }
            _ => builtin.return_type(types),
        }
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        returns(self.return_type(builtin, &types_of(args.arg_fields))?)(&args)
    }

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let result_type = args.return_field.data_type().clone();
        let from = args.args[0].data_type();
        if from.is_integer() {
            return Ok(args.args.swap_remove(0));
        }
        if args.number_rows == 0 {
            // The built-in functions panic on a constant over no rows (not reported upstream yet).
            return Ok(ColumnarValue::Array(new_empty_array(&result_type)));
        }
        let to = with_more_digits(&from);
        if from != to {
            args.args[0] = args.args[0].cast_to(&to, None)?;
            args.arg_fields[0] = retyped_to(&args.arg_fields[0], to.clone());
        }
        args.return_field = retyped_to(&args.return_field, to);
        let whole = builtin.invoke_with_args(args)?;
        if whole.data_type() == result_type { Ok(whole) } else { whole.cast_to(&result_type, None) }
    }
}

/// A decimal type with one digit more: 9.5 has two before the point when it is rounded up. The zeros behind the point are in it too,
/// until they are dropped, so 38 digits may become 39.
fn with_more_digits(from: &DataType) -> DataType {
    match from {
        DataType::Decimal128(DECIMAL128_MAX_PRECISION, scale) if *scale > 0 => {
            DataType::Decimal256(DECIMAL128_MAX_PRECISION + 1, *scale)
        }
        DataType::Decimal128(precision, scale) => {
            DataType::Decimal128((precision + 1).min(DECIMAL128_MAX_PRECISION), *scale)
        }
        DataType::Decimal256(precision, scale) => {
            DataType::Decimal256((precision + 1).min(DECIMAL256_MAX_PRECISION), *scale)
        }
        other => other.clone(),
    }
}

/// Digits before the point; a scale below zero means zeros there.
fn whole_digits(precision: u8, scale: i8) -> u8 {
    u8::try_from(i16::from(precision) - i16::from(scale)).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use datafusion::functions::math;

    use super::*;

    /// When this fails, the check for no rows in `CeilFloor` can go.
    #[test]
    fn the_built_in_floor_still_panics_on_a_constant_over_no_rows() {
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
