//! `keccak256(bytes)`: the hash Ethereum uses everywhere.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, fixed, is_bytes, text_of};

const DOC: Doc = Doc {
    signature: "keccak256(bytes or text)",
    text: "The Keccak-256 hash of bytes, or of the UTF-8 bytes of a text.",
    example: "select keccak256('Transfer(address,address,uint256)')",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "keccak256",
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(Field::new("keccak256", DataType::FixedSizeBinary(32), true))),
        |args, _| keccak256(&args[0]),
    )
    .with_aliases(["keccak"])
}

fn keccak256(array: &ArrayRef) -> Result<ArrayRef> {
    let rows: Vec<Option<&[u8]>> = if is_bytes(array.data_type()) {
        bytes_of(array)?
    } else {
        text_of(array)?.into_iter().map(|text| text.map(str::as_bytes)).collect()
    };
    fixed(32, rows.into_iter().map(|row| row.map(|bytes| alloy_primitives::keccak256(bytes).to_vec())))
}
