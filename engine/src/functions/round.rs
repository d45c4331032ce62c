//! `round`, whose type depends on the places it is given. The stock one wants these as a 32-bit number, and the planner's
//! cast to one hides them until it is folded: the type would be another one then, after comparisons were planned with it.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::functions::math;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

use super::adapt::{any_arguments, coerced};

/// The stock function that takes its places as they are written.
pub(super) fn udf() -> Arc<ScalarUDF> {
    Arc::new(ScalarUDF::new_from_impl(Round { stock: math::round(), signature: any_arguments() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Round {
    stock: Arc<ScalarUDF>,
    signature: Signature,
}

impl ScalarUDFImpl for Round {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let mut coerced = coerced(&self.stock, types)?;
        if let (Some(places), [_, written]) = (coerced.get_mut(1), types)
            && written.is_integer()
        {
            *places = written.clone();
        }
        Ok(coerced)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.stock.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.stock.return_field_from_args(args)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let Some(places) = args.args.get_mut(1) {
            *places = places.cast_to(&DataType::Int32, None)?;
        }
        self.stock.invoke_with_args(args)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}
