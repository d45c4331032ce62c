//! `ceil` and `floor` of decimals: whole numbers without a point, as in Trino. The stock ones keep the type of the argument,
//! in which 0.5 has no ceiling.

use std::sync::Arc;

use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature};

use super::adapt::{any_arguments, coerced};

/// A stock function that cuts what is behind the point, with whole numbers for its answer.
pub(super) fn udf(stock: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    Arc::new(ScalarUDF::new_from_impl(Whole { stock, signature: any_arguments() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Whole {
    stock: Arc<ScalarUDF>,
    signature: Signature,
}

impl ScalarUDFImpl for Whole {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// A decimal gets room for one digit more.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [DataType::Decimal128(precision, scale)] => {
                Ok(vec![DataType::Decimal128((precision + 1).min(DECIMAL128_MAX_PRECISION), *scale)])
            }
            [DataType::Decimal256(precision, scale)] => {
                Ok(vec![DataType::Decimal256((precision + 1).min(DECIMAL256_MAX_PRECISION), *scale)])
            }
            _ => coerced(&self.stock, types),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(DataType::Decimal128(precision, scale)) => Ok(DataType::Decimal128(whole(*precision, *scale), 0)),
            Some(DataType::Decimal256(precision, scale)) => Ok(DataType::Decimal256(whole(*precision, *scale), 0)),
            _ => self.stock.return_type(types),
        }
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let wanted = args.return_field.data_type().clone();
        args.return_field = Arc::new(args.return_field.as_ref().clone().with_data_type(args.args[0].data_type()));
        let cut = self.stock.invoke_with_args(args)?;
        if cut.data_type() == wanted { Ok(cut) } else { cut.cast_to(&wanted, None) }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}

/// Digits before the point; a scale below zero stands for zeros there.
fn whole(precision: u8, scale: i8) -> u8 {
    u8::try_from(i16::from(precision) - i16::from(scale)).unwrap_or(1).max(1)
}
