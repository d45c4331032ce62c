//! Built-in functions that count as unsigned numbers count as `bigint`: beside an unsigned number the planner takes other integers
//! for decimals, so that `3 / array_length(list)` would be 1.5.

use super::adapt::{retyped_to, types_of};
use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

/// A built-in function whose counts are `bigint`.
pub(crate) fn signed(builtin: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    Arc::new(wrapped(builtin, Signed))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Signed;

/// The type with signed numbers, also of the items of a list.
fn signed_type(counts: &DataType) -> DataType {
    match counts {
        DataType::UInt64 => DataType::Int64,
        DataType::List(item) => DataType::List(retyped_to(item, signed_type(item.data_type()))),
        other => other.clone(),
    }
}

impl Wrapper for Signed {
    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        Ok(signed_type(&builtin.return_type(types)?))
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = builtin.return_field_from_args(args)?;
        Ok(retyped_to(&field, signed_type(field.data_type())))
    }

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let signed = Arc::clone(&args.return_field);
        args.return_field = retyped_to(&signed, builtin.return_type(&types_of(&args.arg_fields))?);
        builtin.invoke_with_args(args)?.cast_to(signed.data_type(), None)
    }
}
