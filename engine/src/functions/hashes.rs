//! Hashes and checksums of bytes or texts, beside `keccak256`: `sha1`, `crc32` and `xxhash64`.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use datafusion_spark::function::hash as spark;

use super::bytes::{bytes_of, fixed, is_bytes, is_text, parse_hex, text_of, variable};
use super::simple::{Doc, Simple, invalid};
use crate::exec::results::type_name;

const SHA1_DOC: Doc = Doc {
    signature: "sha1(bytes or text)",
    text: "The SHA-1 hash of bytes, or of the UTF-8 bytes of a text.",
    example: "select sha1('ether')",
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
            |args| field(args, DataType::FixedSizeBinary(20)),
            |args, _| {
                let hex = stock(&spark::sha1(), &args[0], DataType::Utf8)?;
                let rows = hex.as_string::<i32>().iter().map(|digits| digits.and_then(parse_hex));
                fixed(20, rows.collect::<Vec<_>>())
            },
        ),
        Simple::udf(
            "crc32",
            1..=1,
            Some(CRC32_DOC),
            |args| field(args, DataType::Int64),
            |args, _| stock(&spark::crc32(), &args[0], DataType::Int64),
        ),
        Simple::udf(
            "xxhash64",
            1..=1,
            Some(XXHASH_DOC),
            |args| field(args, DataType::FixedSizeBinary(8)),
            |args, _| {
                let rows = data_of(&args[0])?;
                fixed(8, rows.into_iter().map(|row| row.map(|bytes| xxhash64(bytes).to_be_bytes().to_vec())))
            },
        ),
    ]
}

fn field(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match is_bytes(from) || is_text(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("hash", to, true))),
        false => Err(invalid(format!("Bytes or a text are needed here, not {}.", type_name(from, false)))),
    }
}

/// The bytes of each row, those of texts in UTF-8.
fn data_of(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
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

const PRIMES: [u64; 5] =
    [0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63, 0x27d4_eb2f_1656_67c5];

/// xxHash of 64 bits with the seed 0.
fn xxhash64(bytes: &[u8]) -> u64 {
    let round =
        |sum: u64, word: u64| sum.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0]);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let stripes = bytes.chunks_exact(32);
    let mut rest = stripes.remainder();
    let mut hash = PRIMES[4];
    if bytes.len() >= 32 {
        let mut sums = [PRIMES[0].wrapping_add(PRIMES[1]), PRIMES[1], 0, 0u64.wrapping_sub(PRIMES[0])];
        for stripe in stripes {
            for (sum, lane) in sums.iter_mut().zip(stripe.chunks_exact(8)) {
                *sum = round(*sum, word(lane));
            }
        }
        let turned = sums.iter().zip([1, 7, 12, 18]).map(|(sum, by)| sum.rotate_left(by));
        hash = turned.fold(0, u64::wrapping_add);
        for sum in sums {
            hash = (hash ^ round(0, sum)).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]);
        }
    }
    hash = hash.wrapping_add(bytes.len() as u64);
    while let Some((lane, next)) = rest.split_at_checked(8) {
        hash = (hash ^ round(0, word(lane))).rotate_left(27).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]);
        rest = next;
    }
    if let Some((lane, next)) = rest.split_at_checked(4) {
        hash ^= word(lane).wrapping_mul(PRIMES[0]);
        hash = hash.rotate_left(23).wrapping_mul(PRIMES[1]).wrapping_add(PRIMES[2]);
        rest = next;
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte).wrapping_mul(PRIMES[4])).rotate_left(11).wrapping_mul(PRIMES[0]);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(PRIMES[1]);
    hash = (hash ^ hash >> 29).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xxhash_is_the_published_one() {
        assert_eq!(xxhash64(b""), 0xef46_db37_51d8_e999);
        assert_eq!(xxhash64(b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(xxhash64(b"abc"), 0x44bc_2cf5_ad77_0999);
        let long = b"Nobody inspects the spammish repetition";
        assert_eq!(xxhash64(long), 0xfbce_a83c_8a37_8bf1);
    }
}
