//! The value itself, one for each row: where the engine takes what is the same in a step's rows for a constant.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::shared;

static PER_ROW: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| shared(ScalarUDF::from(PerRow { signature: Signature::any(1, Volatility::Immutable) })));

/// The shared function; people don't write it.
pub fn per_row() -> Arc<ScalarUDF> {
    PER_ROW.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PerRow {
    signature: Signature,
}

impl ScalarUDFImpl for PerRow {
    fn name(&self) -> &str {
        "per_row"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("per_row has the field of its argument")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(args.arg_fields[0].clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        args.args[0].to_array(args.number_rows).map(ColumnarValue::Array)
    }
}
