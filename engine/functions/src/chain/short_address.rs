//! `short_address(address)`: `0x1234…abcd`, for charts and narrow columns.

use std::sync::Arc;

use arrow::array::StringArray;
use arrow::datatypes::{DataType, Field};
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::bytes_of;

const DOC: Doc = Doc {
    signature: "short_address(address)",
    text: "The first and last four hex digits of an address or hash, for charts and narrow columns.",
    example: "select short_address(from_address) from transactions limit 1",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "short_address",
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(Field::new("short_address", DataType::Utf8, true))),
        |args, _| {
            let rows = bytes_of(&args[0])?;
            Ok(Arc::new(rows.into_iter().map(|row| row.map(short)).collect::<StringArray>()))
        },
    )
}

fn short(bytes: &[u8]) -> String {
    let digits = hex::encode(bytes);
    if digits.len() <= 8 {
        format!("0x{digits}")
    } else {
        format!("0x{}…{}", &digits[..4], &digits[digits.len() - 4..])
    }
}
