//! `from_hex(text)`: the bytes that hex digits stand for.

use std::sync::{Arc, LazyLock};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{fixed, parse_hex, text_of, variable};
use quarry_types::invalid;

const DOC: Doc = Doc {
    signature: "from_hex(text)",
    text: "The bytes that hex digits stand for, with or without 0x, in any letter case.",
    example: "select from_hex('0xCAFE')",
};

static TO_20: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(to_fixed::<20>("hex_to_address")));
static TO_ANY: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(to_any()));
static TO_32: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(to_fixed::<32>("hex_to_hash")));

/// Turns a column of text into bytes to compare with bytes of a type; text that stands for no such bytes becomes null.
pub fn hex_to(data_type: &DataType) -> Arc<ScalarUDF> {
    match data_type {
        DataType::FixedSizeBinary(20) => TO_20.clone(),
        DataType::FixedSizeBinary(32) => TO_32.clone(),
        _ => TO_ANY.clone(),
    }
}

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "from_hex",
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(Field::new("from_hex", DataType::Binary, true))),
        |args, _| from_hex(&args[0]),
    )
}

fn from_hex(array: &ArrayRef) -> Result<ArrayRef> {
    let mut rows = Vec::with_capacity(array.len());
    for text in text_of(array)? {
        let parsed = text.map(|text| {
            parse_hex(text).ok_or_else(|| invalid(format!("'{text}' is not made of pairs of hex digits.")))
        });
        rows.push(parsed.transpose()?);
    }
    Ok(variable(rows))
}

fn to_any() -> ScalarUDF {
    Simple::udf(
        "hex_to_bytes",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("bytes", DataType::Binary, true))),
        |args, _| Ok(variable(text_of(&args[0])?.into_iter().map(|text| text.and_then(parse_hex)).collect())),
    )
}

fn to_fixed<const WIDTH: usize>(name: &'static str) -> ScalarUDF {
    Simple::udf(
        name,
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("bytes", DataType::FixedSizeBinary(WIDTH as i32), true))),
        |args, _| {
            let texts = text_of(&args[0])?;
            let parse = |text: Option<&str>| text.and_then(parse_hex).filter(|bytes| bytes.len() == WIDTH);
            fixed(WIDTH as i32, texts.into_iter().map(parse))
        },
    )
}
