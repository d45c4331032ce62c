//! `to_hex(bytes)` and `to_hex(number)`: hex digits after `0x`.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::bytes::{bytes_of, is_bytes};
use super::shared;
use super::simple::{Doc, Simple, invalid};

const DOC: Doc = Doc {
    signature: "to_hex(bytes)",
    text: "Bytes, or a whole number that is not negative, as lower-case hex digits after 0x.",
    example: "select to_hex(hash) from transactions limit 1",
};

static TO_HEX: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(udf()));

/// The shared function, for rewrites.
pub(crate) fn to_hex() -> Arc<ScalarUDF> {
    TO_HEX.clone()
}

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "to_hex",
        1..=1,
        Some(DOC),
        |args| {
            let from = args.arg_fields[0].data_type();
            if !is_bytes(from) && !from.is_integer() && !from.is_null() {
                return Err(invalid("to_hex takes bytes or a whole number."));
            }
            Ok(Arc::new(Field::new("to_hex", DataType::Utf8, true)))
        },
        |args, _| to_hex_array(&args[0]),
    )
}

fn to_hex_array(array: &ArrayRef) -> Result<ArrayRef> {
    if !array.data_type().is_integer() {
        let rows = bytes_of(array)?;
        return Ok(Arc::new(rows.iter().map(|row| row.map(with_prefix)).collect::<StringArray>()));
    }
    let numbers = cast(array, &DataType::Int64)?;
    let numbers = numbers.as_primitive::<Int64Type>();
    if numbers.iter().flatten().any(|number| number < 0) {
        return Err(invalid("to_hex takes no negative number."));
    }
    Ok(Arc::new(numbers.iter().map(|number| number.map(|number| format!("0x{number:x}"))).collect::<StringArray>()))
}

fn with_prefix(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
