//! Hashes and checksums of bytes or texts, beside `keccak256`: `sha1`, `sha2`, `md5`, `crc32` and `xxhash64`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use datafusion_spark::function::hash as spark;
use md5::{Digest, Md5};
use sha2::{Sha224, Sha256, Sha384, Sha512};
use twox_hash::XxHash64;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, fixed, is_bytes, is_text, parse_hex, text_of, variable};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

const SHA1_DOC: Doc = Doc {
    signature: "sha1(bytes or text)",
    text: "The SHA-1 hash of bytes, or of the UTF-8 bytes of a text.",
    example: "select sha1('ether')",
};
const SHA2_DOC: Doc = Doc {
    signature: "sha2(bytes or text, bits)",
    text: "A SHA-2 hash of bytes or of a text as hex digits: of 224, 256, 384 or 512 bits, 256 where none are named.",
    example: "select sha2('a'), sha2('a', 512)",
};
const BITS: &str = "sha2 has 224, 256, 384 or 512 bits.";
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
        Simple::udf("sha2", 1..=2, Some(SHA2_DOC), sha2_field, |args, _| sha2(args)).with_aliases(["sha2_hex"]),
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

fn sha2_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.get(1).map(|bits| bits.data_type()) {
        Some(bits) if !bits.is_integer() && !bits.is_null() => Err(invalid(BITS)),
        _ => field(args.arg_fields[0].data_type(), DataType::Utf8),
    }
}

/// Zero bits are as many as none named, as in Spark.
fn sha2(args: &[ArrayRef]) -> Result<ArrayRef> {
    let bits: ArrayRef = match args.get(1) {
        Some(bits) => cast(bits, &DataType::Int64)?,
        None => Arc::new(Int64Array::from(vec![0; args[0].len()])),
    };
    let rows = data_of(&args[0])?.into_iter().zip(bits.as_primitive::<Int64Type>());
    let digits = rows.map(|row| match row {
        (Some(data), Some(bits)) => match bits {
            224 => Ok(Some(hex::encode(Sha224::digest(data)))),
            0 | 256 => Ok(Some(hex::encode(Sha256::digest(data)))),
            384 => Ok(Some(hex::encode(Sha384::digest(data)))),
            512 => Ok(Some(hex::encode(Sha512::digest(data)))),
            _ => Err(invalid(BITS)),
        },
        _ => Ok(None),
    });
    Ok(Arc::new(digits.collect::<Result<StringArray>>()?))
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
