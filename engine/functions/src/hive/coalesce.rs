//! `coalesce` of Hive: texts among other values make all of them texts.

use crate::prelude::*;
use crate::wrappers::choice;
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(super) fn udf() -> ScalarUDF {
    wrapped(choice::coalesce(), Coalesce)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Coalesce;

impl Wrapper for Coalesce {
    const OWN_TYPES: bool = true;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        let texts = types.iter().any(is_text);
        let others = types.iter().any(|data_type| !is_text(data_type) && !data_type.is_null());
        match texts && others && !types.iter().any(|data_type| is_bytes(data_type) || data_type.is_nested()) {
            true => Ok(vec![DataType::Utf8; types.len()]),
            false => builtin.coerce_types(types),
        }
    }
}
