//! Texts as bytes and back: UTF-8 and base64.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use data_encoding::BASE64;
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, is_bytes, is_text, text_of, variable};
use quarry_types::invalid;

const TO_UTF8_DOC: Doc =
    Doc { signature: "to_utf8(text)", text: "The bytes of a text in UTF-8.", example: "select to_utf8('ether')" };
const FROM_UTF8_DOC: Doc = Doc {
    signature: "from_utf8(bytes, replacement)",
    text: "The text of bytes in UTF-8; what is none becomes a question mark in a diamond, or the replacement, which is one letter or nothing.",
    example: "select from_utf8(0x6574686572)",
};
const TO_BASE64_DOC: Doc =
    Doc { signature: "to_base64(bytes)", text: "Bytes as text in base64.", example: "select to_base64(0x6574686572)" };
const FROM_BASE64_DOC: Doc = Doc {
    signature: "from_base64(text)",
    text: "The bytes of a text in base64; an error for a text that is none.",
    example: "select from_base64('ZXRoZXI=')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "to_utf8",
            1..=1,
            Some(TO_UTF8_DOC),
            |args| of_text(args, DataType::Binary),
            |args, _| {
                let bytes = |text: &str| text.as_bytes().to_vec();
                Ok(variable(text_of(&args[0])?.into_iter().map(|text| text.map(bytes)).collect()))
            },
        ),
        Simple::udf("from_utf8", 1..=2, Some(FROM_UTF8_DOC), of_bytes, |args, _| from_utf8(args)),
        Simple::udf("to_base64", 1..=1, Some(TO_BASE64_DOC), of_bytes, |args, _| {
            let rows = bytes_of(&args[0])?.into_iter();
            Ok(Arc::new(rows.map(|bytes| bytes.map(|bytes| BASE64.encode(bytes))).collect::<StringArray>()))
        }),
        Simple::udf(
            "from_base64",
            1..=1,
            Some(FROM_BASE64_DOC),
            |args| of_text(args, DataType::Binary),
            |args, _| {
                let read = |text: &str| {
                    // As in Trino, the signs that fill up the last group may be left out, all of them.
                    let signs = text.bytes().filter(|sign| !sign.is_ascii_whitespace()).count() % 4;
                    let whole = signs == 0 || signs > 1 && !text.contains('=');
                    let bytes = from_base64(text).filter(|_| whole);
                    bytes.ok_or_else(|| invalid("The text is no base64."))
                };
                let rows = text_of(&args[0])?.into_iter().map(|text| text.map(read).transpose());
                Ok(variable(rows.collect::<Result<_>>()?))
            },
        ),
    ]
}

fn of_text(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match is_text(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("bytes", to, true))),
        false => Err(invalid("A text is needed here.")),
    }
}

fn of_bytes(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    let replacement =
        args.arg_fields.get(1).is_none_or(|field| is_text(field.data_type()) || field.data_type().is_null());
    match (is_bytes(from) || from.is_null()) && replacement {
        true => Ok(Arc::new(Field::new("text", DataType::Utf8, true))),
        false => Err(invalid("Bytes are needed here, such as 0x6574686572.")),
    }
}

fn from_utf8(args: &[ArrayRef]) -> Result<ArrayRef> {
    let rows = bytes_of(&args[0])?;
    let replacements = match args.get(1) {
        Some(replacements) => text_of(replacements)?,
        None => vec![Some("\u{fffd}"); rows.len()],
    };
    let texts = rows.into_iter().zip(replacements).map(|(bytes, replacement)| {
        let (Some(bytes), Some(replacement)) = (bytes, replacement) else { return Ok(None) };
        if replacement.chars().count() > 1 {
            return Err(invalid("What stands for bytes that are no text is one letter or nothing."));
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push_str(replacement);
            }
        }
        Ok(Some(text))
    });
    Ok(Arc::new(texts.collect::<Result<StringArray>>()?))
}

/// The bytes of base64. A single sign at the end, which makes no byte, is passed over; `data-encoding` refuses it.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let signs = text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=');
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for sign in signs {
        bits = bits << 6 | SIGNS.iter().position(|known| *known == sign)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_goes_there_and_back() {
        for text in ["", "a", "ab", "abc", "any carnal pleas"] {
            assert_eq!(from_base64(&BASE64.encode(text.as_bytes())).unwrap(), text.as_bytes());
        }
        assert_eq!(BASE64.encode(b"ab"), "YWI=");
        assert_eq!(from_base64("YW J\nj=Z").unwrap(), b"abc", "the last sign makes no byte");
    }
}
