//! `encode` and `decode` by the character sets of Java.

use super::row_functions::Kind::{Bytes, Text};
use super::row_functions::{Row, Value, udf};
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![udf("encode", &[Text, Text], Bytes, encode), udf("decode", &[Bytes, Text], Text, decode)]
}

/// A character set that every Java has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    /// One byte a character, up to this code.
    Single(u32),
    Utf8,
    /// Two bytes a unit, after a byte order mark if `marked`.
    Utf16 {
        little: bool,
        marked: bool,
    },
}

fn charset(name: &str) -> Result<Charset, Value> {
    match name.to_ascii_uppercase().as_str() {
        "US-ASCII" | "ASCII" => Ok(Charset::Single(0x7f)),
        "ISO-8859-1" | "LATIN1" => Ok(Charset::Single(0xff)),
        "UTF-8" | "UTF8" => Ok(Charset::Utf8),
        "UTF-16" => Ok(Charset::Utf16 { little: false, marked: true }),
        "UTF-16BE" => Ok(Charset::Utf16 { little: false, marked: false }),
        "UTF-16LE" => Ok(Charset::Utf16 { little: true, marked: false }),
        _ => Err(Value::Error(
            "The character set must be US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE or UTF-16LE.".to_string(),
        )),
    }
}

fn encode(row: &Row<'_>) -> Option<Value> {
    let (text, name) = (row.text(0)?, row.text(1)?);
    Some(match charset(name) {
        Err(refused) => refused,
        Ok(Charset::Utf8) => Value::Bytes(text.as_bytes().to_vec()),
        // Characters that the set does not have become question marks.
        Ok(Charset::Single(last)) => {
            Value::Bytes(text.chars().map(|c| if c as u32 <= last { c as u32 as u8 } else { b'?' }).collect())
        }
        Ok(Charset::Utf16 { little, marked }) => {
            let mark = marked.then_some(0xfeff_u16);
            let units = mark.into_iter().chain(text.encode_utf16());
            Value::Bytes(units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect())
        }
    })
}

fn decode(row: &Row<'_>) -> Option<Value> {
    let (bytes, name) = (row.bytes(0)?, row.text(1)?);
    Some(match charset(name) {
        Err(refused) => refused,
        Ok(Charset::Utf8) => String::from_utf8_lossy(bytes).into_owned().into(),
        Ok(Charset::Single(last)) => {
            let to_char =
                |byte: &u8| if u32::from(*byte) <= last { char::from(*byte) } else { char::REPLACEMENT_CHARACTER };
            bytes.iter().map(to_char).collect::<String>().into()
        }
        Ok(Charset::Utf16 { little, marked }) => {
            let (little, bytes) = match bytes {
                [0xff, 0xfe, rest @ ..] if marked => (true, rest),
                [0xfe, 0xff, rest @ ..] if marked => (false, rest),
                whole => (little, whole),
            };
            let unit = |pair: &[u8]| match *pair {
                [a, b] if little => u16::from_le_bytes([a, b]),
                [a, b] => u16::from_be_bytes([a, b]),
                _ => 0xfffd,
            };
            String::from_utf16_lossy(&bytes.chunks(2).map(unit).collect::<Vec<u16>>()).into()
        }
    })
}
