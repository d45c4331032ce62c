//! `checksum(address)`: an address in the mixed case of EIP-55, for people to read and copy.

use std::sync::Arc;

use alloy_primitives::Address;
use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::bytes_of;
use quarry_types::invalid;

const DOC: Doc = Doc {
    signature: "checksum(address)",
    text: "An address as text in the mixed case of EIP-55.",
    example: "select checksum(from_address) from transactions limit 1",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "checksum",
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(Field::new("checksum", DataType::Utf8, true))),
        |args, _| checksum(&args[0]),
    )
}

fn checksum(array: &ArrayRef) -> Result<ArrayRef> {
    let mut texts = Vec::with_capacity(array.len());
    for row in bytes_of(array)? {
        let address =
            row.map(|bytes| Address::try_from(bytes).map_err(|_| invalid("checksum takes an address of 20 bytes.")));
        texts.push(address.transpose()?.map(|address| address.to_checksum(None)));
    }
    Ok(Arc::new(StringArray::from(texts)))
}
