//! `to_base58` and `from_base58`: bytes as text in the alphabet of Bitcoin and Solana, which has no letters that look alike.

use std::sync::Arc;

use arrow::array::StringArray;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::encodings::{of_bytes, of_text};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, text_of, variable};
use quarry_types::invalid;

const TO_DOC: Doc = Doc {
    signature: "to_base58(bytes)",
    text: "Bytes as text in base58, as Solana writes addresses.",
    example: "select to_base58(0x6574686572)",
};
const FROM_DOC: Doc = Doc {
    signature: "from_base58(text)",
    text: "The bytes of a text in base58; an error for a text that is none.",
    example: "select from_base58('CvLkuGe')",
};

/// Most bytes of a value: the work grows by the square of their number, and keys have 64 at most.
const MOST: usize = 512;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [
        Simple::udf("to_base58", 1..=1, Some(TO_DOC), of_bytes, |args, _| {
            let rows = bytes_of(&args[0])?.into_iter().map(|bytes| bytes.map(written).transpose());
            Ok(Arc::new(rows.collect::<Result<StringArray>>()?))
        }),
        Simple::udf("from_base58", 1..=1, Some(FROM_DOC), of_text, |args, _| {
            let rows = text_of(&args[0])?.into_iter().map(|text| text.map(read).transpose());
            Ok(variable(rows.collect::<Result<_>>()?))
        }),
    ]
}

fn written(bytes: &[u8]) -> Result<String> {
    short(bytes).map(|bytes| bs58::encode(bytes).into_string())
}

fn read(text: &str) -> Result<Vec<u8>> {
    bs58::decode(short(text.as_bytes())?).into_vec().map_err(|_| invalid("The text is no base58."))
}

fn short(bytes: &[u8]) -> Result<&[u8]> {
    match bytes.len() <= MOST {
        true => Ok(bytes),
        false => Err(invalid(format!("Base58 is for keys and hashes: a value has at most {MOST} bytes here."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        // The examples of the draft of base58.
        let known: [(&[u8], &str); 3] = [
            (b"Hello World!", "2NEpo7TZRRrLZSi2U"),
            (
                b"The quick brown fox jumps over the lazy dog.",
                "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z",
            ),
            (&[0, 0, 0x28, 0x7f, 0xb4, 0xcd], "11233QC4"),
        ];
        for (bytes, text) in known {
            assert_eq!(written(bytes).unwrap(), text);
            assert_eq!(read(text).unwrap(), bytes);
        }
        assert_eq!((written(&[]).unwrap(), read("").unwrap()), (String::new(), Vec::new()));
        assert!(read("0OIl").is_err() && written(&[1; MOST + 1]).is_err());
    }
}
