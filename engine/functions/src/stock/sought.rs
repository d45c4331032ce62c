//! Stock functions of a list and an item of it: among bytes it may be the text that they are shown as, among 256-bit numbers a
//! whole number of another type, and among numbers one of another type; `exec::exact` makes them alike before the call.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::adapt::coerced;
use super::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::{is_bytes, is_text};
use quarry_types::uint256::is_number;

pub(crate) fn sought(stock: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(Sought { stock })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Sought {
    stock: Arc<ScalarUDF>,
}

/// The field of the items of a list of bytes or of numbers, beside which an item is of another type.
fn item<'a>(list: &'a DataType, sought: &DataType) -> Option<&'a FieldRef> {
    match list {
        DataType::List(item) => {
            // Bytes that are written out have no width of their own.
            let fits = match item.data_type() {
                of if is_number(of) => is_whole(sought),
                of if is_number(sought) => of.is_integer(),
                of if of.is_numeric() && sought.is_numeric() => !(of.is_integer() && sought.is_integer()),
                of => is_bytes(of) && (is_text(sought) || *sought == DataType::Binary),
            };
            Some(item).filter(|_| fits)
        }
        _ => None,
    }
}

/// Whether numbers of a type have nothing behind the point.
pub fn is_whole(kind: &DataType) -> bool {
    kind.is_integer() || matches!(kind, DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0))
}

impl Wrapper for Sought {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [list, sought] if item(list, sought).is_some() => Ok(types.to_vec()),
            _ => coerced(&self.stock, types),
        }
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        if let [list, sought] = args.arg_fields
            && let Some(item) = item(list.data_type(), sought.data_type())
        {
            let fields = [list.clone(), item.clone()];
            let args = ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &[None, None] };
            return self.stock.return_field_from_args(args);
        }
        self.stock.return_field_from_args(args)
    }
}
