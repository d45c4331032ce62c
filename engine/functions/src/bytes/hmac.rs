//! Keyed hashes of bytes or texts: `hmac_sha256(bytes, key)` and its kin (RFC 2104).

use arrow::array::ArrayRef;
use arrow::datatypes::FieldRef;
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use hmac::digest::block_api::BlockSizeUser;
use hmac::digest::{Digest, FixedOutput, Update};
use hmac::{KeyInit, SimpleHmac};
use md5::Md5;
use sha1::Sha1;
use sha2::{Sha256, Sha512};

use super::hashes::{data_of, field};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::fixed;
use quarry_types::invalid;

macro_rules! hmac {
    ($name:literal, $hash:ty, $width:literal, $words:literal) => {
        Simple::udf(
            $name,
            2..=2,
            Some(Doc {
                signature: concat!($name, "(bytes or text, key)"),
                text: concat!("The HMAC of bytes or of a text under a key, by ", $words, "."),
                example: concat!("select ", $name, "('ether', 'key')"),
            }),
            |args: &ReturnFieldArgs| -> Result<FieldRef> {
                field(args.arg_fields[1].data_type(), arrow::datatypes::DataType::FixedSizeBinary($width))?;
                field(args.arg_fields[0].data_type(), arrow::datatypes::DataType::FixedSizeBinary($width))
            },
            |args, _| keyed::<$hash>(args, $width),
        )
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        hmac!("hmac_md5", Md5, 16, "MD5"),
        hmac!("hmac_sha1", Sha1, 20, "SHA-1"),
        hmac!("hmac_sha256", Sha256, 32, "SHA-256"),
        hmac!("hmac_sha512", Sha512, 64, "SHA-512"),
    ]
}

fn keyed<H: Digest + BlockSizeUser>(args: &[ArrayRef], width: i32) -> Result<ArrayRef> {
    let rows = data_of(&args[0])?.into_iter().zip(data_of(&args[1])?);
    let hash = |(data, key): (Option<&[u8]>, Option<&[u8]>)| {
        let (Some(data), Some(key)) = (data, key) else { return Ok(None) };
        let mut hash = SimpleHmac::<H>::new_from_slice(key).map_err(|_| invalid("This is no key."))?;
        hash.update(data);
        Ok(Some(hash.finalize_fixed().to_vec()))
    };
    fixed(width, rows.map(hash).collect::<Result<Vec<_>>>()?)
}
