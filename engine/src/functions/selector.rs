//! `selector(signature)`: the first four bytes of a function signature's hash.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field};
use datafusion::logical_expr::ScalarUDF;

use super::bytes::{fixed, text_of};
use super::simple::{Doc, Simple};

const DOC: Doc = Doc {
    signature: "selector(signature)",
    text: "The 4-byte selector of a function signature: the first bytes of its Keccak-256 hash.",
    example: "select selector('transfer(address,uint256)')",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "selector",
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(Field::new("selector", DataType::FixedSizeBinary(4), true))),
        |args, _| {
            let hash = |text: &str| alloy_primitives::keccak256(text.as_bytes())[..4].to_vec();
            fixed(4, text_of(&args[0])?.into_iter().map(|text| text.map(hash)))
        },
    )
}
