//! Bytes as text and back in other alphabets than hex: base32, and base64 as links have it (RFC 4648).

use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use data_encoding::{BASE32, BASE64URL, Encoding};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, is_bytes, is_text, text_of, variable};
use quarry_types::invalid;

macro_rules! encoding {
    ($to:literal, $from:literal, $encoding:expr, $words:literal, $example:literal) => {
        [
            Simple::udf(
                $to,
                1..=1,
                Some(Doc {
                    signature: concat!($to, "(bytes)"),
                    text: concat!("Bytes as text in ", $words, "."),
                    example: concat!("select ", $to, "(0x6574686572)"),
                }),
                of_bytes,
                |args, _| written(&args[0], &$encoding),
            ),
            Simple::udf(
                $from,
                1..=1,
                Some(Doc {
                    signature: concat!($from, "(text)"),
                    text: concat!("The bytes of a text in ", $words, "; an error for a text that is none."),
                    example: concat!("select ", $from, "('", $example, "')"),
                }),
                of_text,
                |args, _| read(&args[0], &$encoding, concat!("The text is no ", $words, ".")),
            ),
        ]
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let base32 = encoding!("to_base32", "from_base32", BASE32, "base32", "MV2GQZLS");
    let links = encoding!("to_base64url", "from_base64url", BASE64URL, "base64 for links", "ZXRoZXI=");
    base32.into_iter().chain(links).collect()
}

pub(super) fn of_bytes(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match is_bytes(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("text", DataType::Utf8, true))),
        false => Err(invalid("Bytes are needed here, such as 0x6574686572.")),
    }
}

pub(super) fn of_text(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match is_text(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("bytes", DataType::Binary, true))),
        false => Err(invalid("A text is needed here.")),
    }
}

fn written(array: &ArrayRef, encoding: &Encoding) -> Result<ArrayRef> {
    let rows = bytes_of(array)?.into_iter();
    Ok(Arc::new(rows.map(|bytes| bytes.map(|bytes| encoding.encode(bytes))).collect::<StringArray>()))
}

fn read(array: &ArrayRef, encoding: &Encoding, wrong: &'static str) -> Result<ArrayRef> {
    // As in Trino, the signs that fill up the last group may be left out.
    let read = |text: &str| {
        let group = text.len().next_multiple_of(encoding.encode_len(1));
        encoding.decode(format!("{text:=<group$}").as_bytes()).map_err(|_| invalid(wrong))
    };
    let rows = text_of(array)?.into_iter().map(|text| text.map(read).transpose());
    Ok(variable(rows.collect::<Result<_>>()?))
}
