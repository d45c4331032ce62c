//! Stock functions that count as unsigned numbers count as `bigint`: beside an unsigned number the stock planner takes other
//! integers for decimals, so that `3 / array_length(list)` would be 1.5.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::wrapped::{Wrapper, wrapped};

/// A stock function whose counts are `bigint`.
pub(crate) fn signed(stock: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    Arc::new(wrapped(Signed { stock }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Signed {
    stock: Arc<ScalarUDF>,
}

/// The type with signed numbers, also of the items of a list.
fn signed_type(counts: &DataType) -> DataType {
    match counts {
        DataType::UInt64 => DataType::Int64,
        DataType::List(item) => {
            let item = item.as_ref().clone();
            let counts = signed_type(item.data_type());
            DataType::List(Arc::new(item.with_data_type(counts)))
        }
        other => other.clone(),
    }
}

impl Wrapper for Signed {
    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(signed_type(&self.stock.return_type(types)?))
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = self.stock.return_field_from_args(args)?;
        let counts = signed_type(field.data_type());
        Ok(Arc::new(field.as_ref().clone().with_data_type(counts)))
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let signed = Arc::clone(&args.return_field);
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let counts = self.stock.return_type(&types)?;
        args.return_field = Arc::new(signed.as_ref().clone().with_data_type(counts));
        self.stock.invoke_with_args(args)?.cast_to(signed.data_type(), None)
    }
}
