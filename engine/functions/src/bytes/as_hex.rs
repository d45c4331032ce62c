//! Bytes as the text they are hex_texts as everywhere: lower-case hex digits after `0x`. Put in where bytes stand for a text;
//! nobody calls it by a name.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::Simple;
use quarry_types::byte_columns::bytes_of;

static AS_HEX: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "as_hex",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("as_hex", DataType::Utf8, true))),
        |args, _| hex_texts(&args[0]),
    ))
});

/// The shared function, for rewrites.
pub fn as_hex() -> Arc<ScalarUDF> {
    AS_HEX.clone()
}

/// `0x…` of each row.
pub(crate) fn hex_texts(array: &ArrayRef) -> Result<ArrayRef> {
    let with_prefix = |bytes: &[u8]| format!("0x{}", hex::encode(bytes));
    Ok(Arc::new(bytes_of(array)?.iter().map(|row| row.map(with_prefix)).collect::<StringArray>()))
}
