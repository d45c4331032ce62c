//! Hashes and checksums of bytes or texts, beside `keccak256`: `sha1`, `md5`, `crc32` and `xxhash64`.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};
use datafusion_spark::function::hash as spark;
use md5::{Digest, Md5};
use twox_hash::XxHash64;

use super::bytes::{bytes_of, fixed, is_bytes, is_text, parse_hex, text_of, variable};
use super::simple::{Doc, Simple, invalid};
use crate::exec::results::type_name;

const SHA1_DOC: Doc = Doc {
    signature: "sha1(bytes or text)",
    text: "The SHA-1 hash of bytes, or of the UTF-8 bytes of a text.",
    example: "select sha1('ether')",
};
const MD5_DOC: Doc = Doc {
    signature: "md5(bytes or text)",
    text: "The MD5 hash: of bytes as bytes, of a text as hex digits.",
    example: "select md5('ether'), md5(0x6574686572)",
};
const CRC32_DOC: Doc = Doc {
    signature: "crc32(bytes or text)",
    text: "The CRC-32 checksum of bytes, or of the UTF-8 bytes of a text.",
    example: "select crc32('ether')",
};
const XXHASH_DOC: Doc = Doc {
    signature: "xxhash64(bytes or text)",
    text: "The 64-bit xxHash of bytes, or of the UTF-8 bytes of a text, as 8 bytes.",
    example: "select xxhash64('ether')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "sha1",
            1..=1,
            Some(SHA1_DOC),
            |args| field(args.arg_fields[0].data_type(), DataType::FixedSizeBinary(20)),
            |args, _| {
                let hex = stock(&spark::sha1(), &args[0], DataType::Utf8)?;
                let rows = hex.as_string::<i32>().iter().map(|digits| digits.and_then(parse_hex));
                fixed(20, rows.collect::<Vec<_>>())
            },
        ),
        Simple::udf(
            "md5",
            1..=1,
            Some(MD5_DOC),
            |args| {
                let from = args.arg_fields[0].data_type();
                field(from, if is_bytes(from) { DataType::FixedSizeBinary(16) } else { DataType::Utf8 })
            },
            |args, to| {
                let hash = |bytes: &[u8]| Md5::digest(bytes).to_vec();
                let rows = data_of(&args[0])?.into_iter().map(|row| row.map(hash));
                match to.data_type() {
                    DataType::Utf8 => Ok(Arc::new(rows.map(|row| row.map(hex::encode)).collect::<StringArray>())),
                    _ => fixed(16, rows),
                }
            },
        ),
        Simple::udf(
            "crc32",
            1..=1,
            Some(CRC32_DOC),
            |args| field(args.arg_fields[0].data_type(), DataType::Int64),
            |args, _| stock(&spark::crc32(), &args[0], DataType::Int64),
        ),
        Simple::udf(
            "xxhash64",
            1..=1,
            Some(XXHASH_DOC),
            |args| field(args.arg_fields[0].data_type(), DataType::FixedSizeBinary(8)),
            |args, _| {
                let hash = |bytes| XxHash64::oneshot(0, bytes).to_be_bytes().to_vec();
                fixed(8, data_of(&args[0])?.into_iter().map(|row| row.map(hash)))
            },
        ),
    ]
}

/// The field of a hash of bytes or of a text.
pub(super) fn field(from: &DataType, to: DataType) -> Result<FieldRef> {
    match is_bytes(from) || is_text(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("hash", to, true))),
        false => Err(invalid(format!("Bytes or a text are needed here, not {}.", type_name(from, false)))),
    }
}

/// The bytes of each row, those of texts in UTF-8.
pub(super) fn data_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    match is_bytes(array.data_type()) {
        true => bytes_of(array),
        false => Ok(text_of(array)?.into_iter().map(|text| text.map(str::as_bytes)).collect()),
    }
}

/// What a stock function answers for bytes.
fn stock(function: &ScalarUDF, array: &ArrayRef, to: DataType) -> Result<ArrayRef> {
    let rows = array.len();
    let bytes = variable(data_of(array)?.into_iter().map(|row| row.map(<[u8]>::to_vec)).collect());
    let args = ScalarFunctionArgs {
        args: vec![ColumnarValue::Array(bytes)],
        arg_fields: vec![Arc::new(Field::new("bytes", DataType::Binary, true))],
        number_rows: rows,
        return_field: Arc::new(Field::new("hash", to, true)),
        config_options: Arc::new(ConfigOptions::default()),
    };
    function.invoke_with_args(args)?.into_array(rows)
}
