//! `coalesce` as Hive takes its arguments: texts among other values make all of them texts.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::stock::choose;
use crate::stock::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::{is_bytes, is_text};

pub(super) fn coalesce() -> ScalarUDF {
    wrapped(Coalesce { stock: choose::coalesce() })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Coalesce {
    /// Knows bytes and 256-bit numbers already.
    stock: Arc<ScalarUDF>,
}

impl Wrapper for Coalesce {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let texts = types.iter().any(is_text);
        let others = types.iter().any(|data_type| !is_text(data_type) && !data_type.is_null());
        match texts && others && !types.iter().any(|data_type| is_bytes(data_type) || data_type.is_nested()) {
            true => Ok(vec![DataType::Utf8; types.len()]),
            false => self.stock.coerce_types(types),
        }
    }
}
