//! `%` of decimals. The planner takes `x % 1` for 0 of everything that is no floating point number.

use std::sync::{Arc, LazyLock};

use arrow::compute::kernels::numeric;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::type_coercion::binary::BinaryTypeCoercer;
use datafusion::logical_expr::{
    ColumnarValue, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::checked::datum;
use crate::shared;
use quarry_types::invalid;

static REMAINDER: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(ScalarUDF::new_from_impl(Remainder { signature: Signature::any(2, Volatility::Immutable) }))
});

/// The remainder of two numbers, at least one of them a decimal; division by zero is an error.
pub fn remainder() -> Arc<ScalarUDF> {
    REMAINDER.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Remainder {
    signature: Signature,
}

impl ScalarUDFImpl for Remainder {
    fn name(&self) -> &str {
        "remainder"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        let [left, right] = arguments else { return Err(invalid("An operator needs two arguments.")) };
        BinaryTypeCoercer::new(left, &Operator::Modulo, right).get_result_type()
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(self.name(), self.return_type(&types)?, nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [left, right] = args.args.as_slice() else { return Err(invalid("An operator needs two arguments.")) };
        let (from, by) = (left.data_type(), right.data_type());
        let (from, by) = BinaryTypeCoercer::new(&from, &Operator::Modulo, &by).get_input_types()?;
        let (left, right) = (left.cast_to(&from, None)?, right.cast_to(&by, None)?);
        let rest = numeric::rem(datum(&left)?.as_ref(), datum(&right)?.as_ref())?;
        match (left, right) {
            (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)) => {
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&rest, 0)?))
            }
            _ => Ok(ColumnarValue::Array(rest)),
        }
    }
}
