//! Hashes and checksums of bytes, or of the UTF-8 bytes of a text; `hmac_…` are keyed (RFC 2104).

use datafusion::common::config::ConfigOptions;
use datafusion_spark::function::hash as spark;
use hmac::digest::block_api::BlockSizeUser;
use hmac::digest::{FixedOutput, Update};
use hmac::{KeyInit, SimpleHmac};
use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use twox_hash::XxHash64;

use crate::prelude::*;

const SHA2_BITS: &str = "The bit length of sha2 must be 224, 256, 384 or 512.";

macro_rules! hmac {
    ($name:literal, $hash:ty, $width:literal, $words:literal) => {
        doc(
            concat!($name, "(bytes or text, key)"),
            concat!("The HMAC of bytes or a string with a key, using ", $words, "."),
            concat!("select ", $name, "('ether', 'key')"),
        )
        .udf(2..=2, takes_data(DataType::FixedSizeBinary($width)), |args, _| keyed::<$hash>(args, $width))
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        doc(
            "keccak256(bytes or text)",
            "The Keccak-256 hash of bytes, or of the UTF-8 bytes of a string.",
            "select keccak256('Transfer(address,address,uint256)')",
        )
        .aliases(["keccak"])
        .udf(1..=1, takes_data(DataType::FixedSizeBinary(32)), |args, _| {
            hashes(&args[0], |data| alloy_primitives::keccak256(data).0)
        }),
        doc(
            "sha1(bytes or text)",
            "The SHA-1 hash of bytes, or of the UTF-8 bytes of a string.",
            "select sha1('ether')",
        )
        .udf(1..=1, takes_data(DataType::FixedSizeBinary(20)), |args, _| {
            hashes::<20>(&args[0], |data| Sha1::digest(data).into())
        }),
        doc(
            "sha2(bytes or text, bits)",
            "A SHA-2 hash of bytes or a string as hex digits, with 224, 256 (the default), 384 or 512 bits.",
            "select sha2('a'), sha2('a', 512)",
        )
        .aliases(["sha2_hex"])
        .udf(1..=2, sha2_field, |args, _| sha2(args)),
        doc(
            "md5(bytes or text)",
            "The MD5 hash: of bytes as bytes, of a string as hex digits.",
            "select md5('ether'), md5(0x6574686572)",
        )
        .udf(
            1..=1,
            |args| {
                let of_bytes = is_bytes(args.arg_fields[0].data_type());
                takes_data(if of_bytes { DataType::FixedSizeBinary(16) } else { DataType::Utf8 })(args)
            },
            |args, to| match to.data_type() {
                DataType::Utf8 => {
                    map_rows::<StringArray, _, _>(data(&args[0])?, |data| Ok(hex::encode(Md5::digest(data))))
                }
                _ => hashes::<16>(&args[0], |data| Md5::digest(data).into()),
            },
        ),
        doc(
            "crc32(bytes or text)",
            "The CRC-32 checksum of bytes, or of the UTF-8 bytes of a string.",
            "select crc32('ether')",
        )
        .udf(1..=1, takes_data(DataType::Int64), |args, to| crc32(&args[0], to)),
        doc(
            "xxhash64(bytes or text)",
            "The 64-bit xxHash of bytes, or of the UTF-8 bytes of a string, as 8 bytes.",
            "select xxhash64('ether')",
        )
        .udf(1..=1, takes_data(DataType::FixedSizeBinary(8)), |args, _| {
            hashes(&args[0], |data| XxHash64::oneshot(0, data).to_be_bytes())
        }),
        hmac!("hmac_md5", Md5, 16, "MD5"),
        hmac!("hmac_sha1", Sha1, 20, "SHA-1"),
        hmac!("hmac_sha256", Sha256, 32, "SHA-256"),
        hmac!("hmac_sha512", Sha512, 64, "SHA-512"),
    ]
}

/// The field of a hash of bytes or of a text.
fn takes_data(to: DataType) -> impl Returns {
    let returns = returns(to);
    move |args: &ReturnFieldArgs<'_>| {
        let is_data = |from: &DataType| is_bytes(from) || is_text(from) || from.is_null();
        match args.arg_fields.iter().map(|field| field.data_type()).find(|from| !is_data(from)) {
            None => returns(args),
            Some(other) => Err(invalid(format!("Expected bytes or a string here, got {}.", type_name(other, false)))),
        }
    }
}

/// The bytes of each row, those of texts in UTF-8.
pub(super) fn data(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    match is_bytes(array.data_type()) {
        true => bytes_of(array),
        false => Ok(text_of(array)?.into_iter().map(|text| text.map(str::as_bytes)).collect()),
    }
}

fn hashes<const WIDTH: usize>(array: &ArrayRef, hash: fn(&[u8]) -> [u8; WIDTH]) -> Result<ArrayRef> {
    fixed(WIDTH as i32, data(array)?.into_iter().map(|row| row.map(hash)))
}

fn sha2_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.get(1).map(|bits| bits.data_type()) {
        Some(bits) if !bits.is_integer() && !bits.is_null() => Err(invalid(SHA2_BITS)),
        _ => takes_data(DataType::Utf8)(&ReturnFieldArgs { arg_fields: &args.arg_fields[..1], ..*args }),
    }
}

/// Zero bits are as many as none named, as in Spark.
fn sha2(args: &[ArrayRef]) -> Result<ArrayRef> {
    let bits = match args.get(1) {
        Some(bits) => int64s(bits)?,
        None => Int64Array::from(vec![0; args[0].len()]),
    };
    zip_rows::<StringArray, _, _, _>(data(&args[0])?, &bits, |data, bits| match bits {
        224 => Ok(hex::encode(Sha224::digest(data))),
        0 | 256 => Ok(hex::encode(Sha256::digest(data))),
        384 => Ok(hex::encode(Sha384::digest(data))),
        512 => Ok(hex::encode(Sha512::digest(data))),
        _ => Err(invalid(SHA2_BITS)),
    })
}

fn crc32(array: &ArrayRef, to: &FieldRef) -> Result<ArrayRef> {
    let number_rows = array.len();
    let bytes: BinaryArray = data(array)?.into_iter().collect();
    let args = ScalarFunctionArgs {
        args: vec![ColumnarValue::Array(Arc::new(bytes))],
        arg_fields: vec![Arc::new(Field::new("bytes", DataType::Binary, true))],
        number_rows,
        return_field: Arc::clone(to),
        config_options: Arc::new(ConfigOptions::default()),
    };
    spark::crc32().invoke_with_args(args)?.into_array(number_rows)
}

fn keyed<H: Digest + BlockSizeUser>(args: &[ArrayRef], width: i32) -> Result<ArrayRef> {
    let hash = |(data, key): (&[u8], &[u8])| {
        let mut hash = SimpleHmac::<H>::new_from_slice(key).map_err(|_| invalid("This is not a valid key."))?;
        hash.update(data);
        Ok(hash.finalize_fixed())
    };
    let rows = data(&args[0])?.into_iter().zip(data(&args[1])?);
    fixed(width, rows.map(|(data, key)| data.zip(key).map(hash).transpose()).collect::<Result<Vec<_>>>()?)
}
