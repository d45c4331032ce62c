//! `+ - *` and the sign of integers, with an error where the stock operators wrap around without a word.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Datum, Scalar};
use arrow::compute::kernels::numeric;
use arrow::datatypes::{DataType, Field, FieldRef};
use arrow::error::ArrowError;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::shared;
use quarry_types::{invalid, out_of_range};

#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
enum Sign {
    Add,
    Subtract,
    Multiply,
    Negate,
}

static ADD: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf(Sign::Add));
static SUBTRACT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf(Sign::Subtract));
static MULTIPLY: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf(Sign::Multiply));
static NEGATE: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf(Sign::Negate));

/// The checked form of an operator on integers of one type.
pub fn checked(operator: Operator) -> Option<Arc<ScalarUDF>> {
    match operator {
        Operator::Plus => Some(ADD.clone()),
        Operator::Minus => Some(SUBTRACT.clone()),
        Operator::Multiply => Some(MULTIPLY.clone()),
        _ => None,
    }
}

/// The checked minus sign.
pub fn checked_negative() -> Arc<ScalarUDF> {
    NEGATE.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Checked {
    sign: Sign,
    signature: Signature,
}

fn udf(sign: Sign) -> Arc<ScalarUDF> {
    let arguments = if sign == Sign::Negate { 1 } else { 2 };
    let signature = Signature::any(arguments, Volatility::Immutable);
    shared(ScalarUDF::new_from_impl(Checked { sign, signature }))
}

impl ScalarUDFImpl for Checked {
    fn name(&self) -> &str {
        match self.sign {
            Sign::Add => "checked_add",
            Sign::Subtract => "checked_subtract",
            Sign::Multiply => "checked_multiply",
            Sign::Negate => "checked_negate",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        arguments.first().cloned().ok_or_else(|| invalid("An operator needs an argument."))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(self.name(), args.arg_fields[0].data_type().clone(), nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(left) = args.args.first() else { return Err(invalid("An operator needs an argument.")) };
        let computed = match (self.sign, args.args.get(1)) {
            (Sign::Negate, _) => numeric::neg(left.clone().into_array(args.number_rows)?.as_ref()),
            (sign, Some(right)) => {
                let work = match sign {
                    Sign::Add => numeric::add,
                    Sign::Subtract => numeric::sub,
                    _ => numeric::mul,
                };
                work(datum(left)?.as_ref(), datum(right)?.as_ref())
            }
            (_, None) => return Err(invalid("An operator needs two arguments.")),
        };
        let array = computed.map_err(overflow)?;
        let scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        if scalar {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?));
        }
        Ok(ColumnarValue::Array(array))
    }
}

pub(super) fn datum(value: &ColumnarValue) -> Result<Box<dyn Datum>> {
    Ok(match value {
        ColumnarValue::Array(array) => Box::new(array.clone()),
        ColumnarValue::Scalar(scalar) => Box::new(Scalar::<ArrayRef>::new(scalar.to_array()?)),
    })
}

fn overflow(error: ArrowError) -> datafusion::common::DataFusionError {
    match error {
        ArrowError::ArithmeticOverflow(_) => {
            out_of_range("A whole number left the range of its type; cast to decimal(38,0) before calculating.")
        }
        other => other.into(),
    }
}
