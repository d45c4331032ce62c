//! `uint256(x)` and `int256(x)`: numbers, text or bytes as exact whole numbers; `try_…` gives null where they fail.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::below_zero;
use super::{read, write};
use crate::shared;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, is_bytes, is_text};
use quarry_types::uint256::{Number, field, is_number};
use quarry_types::{invalid, out_of_range};

const UINT256_DOC: Doc = Doc {
    signature: "uint256(number, text or bytes)",
    text: "A whole number from 0 to 2^256 - 1, exact. Text is read as decimal digits, or as hex after 0x.",
    example: "select uint256('115792089237316195423570985008687907853269984665640564039457584007913129639935')",
};
const INT256_DOC: Doc = Doc {
    signature: "int256(number, text or bytes)",
    text: "A whole number from -2^255 to 2^255 - 1, exact. Bytes are read in two's complement, as contracts write them.",
    example: "select int256('-57896044618658097711785492504343953926634992332820282019728792003956564819968')",
};
const TRY_UINT256_DOC: Doc = Doc {
    signature: "try_uint256(number, text or bytes)",
    text: "The same as uint256, with null for what is no such number.",
    example: "select try_uint256('many')",
};
const TRY_INT256_DOC: Doc = Doc {
    signature: "try_int256(number, text or bytes)",
    text: "The same as int256, with null for what is no such number.",
    example: "select try_int256('0.5')",
};

macro_rules! constructor {
    ($shared:ident, $function:ident, $name:literal, $doc:expr, $signed:literal, $read:expr, $what:literal) => {
        static $shared: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
            shared(Simple::udf(
                $name,
                1..=1,
                Some($doc),
                |args| {
                    takes(args.arg_fields[0].data_type())?;
                    Ok(field($name, $signed))
                },
                |args, _| $read(&args[0]),
            ))
        });

        #[doc = $what]
        pub fn $function() -> Arc<ScalarUDF> {
            $shared.clone()
        }
    };
}

constructor!(UINT256, uint256, "uint256", UINT256_DOC, false, unsigned, "The conversion to uint256.");
constructor!(INT256, int256, "int256", INT256_DOC, true, signed, "The conversion to int256.");
constructor!(
    TRY_UINT256,
    try_uint256,
    "try_uint256",
    TRY_UINT256_DOC,
    false,
    |array: &ArrayRef| each(array, unsigned),
    "The conversion to uint256 that never fails."
);
constructor!(
    TRY_INT256,
    try_int256,
    "try_int256",
    TRY_INT256_DOC,
    true,
    |array: &ArrayRef| each(array, signed),
    "The conversion to int256 that never fails."
);

fn takes(from: &DataType) -> Result<()> {
    let fits = from.is_numeric() || is_text(from) || is_bytes(from) || from.is_null();
    if fits { Ok(()) } else { Err(invalid(format!("uint256 and int256 take a number, text or bytes, not {from}."))) }
}

fn unsigned(array: &ArrayRef) -> Result<ArrayRef> {
    let rows = read(array)?;
    if rows.iter().flatten().any(|number| number.is_negative()) {
        return Err(below_zero());
    }
    if is_number(array.data_type()) { Ok(array.clone()) } else { write(rows) }
}

fn signed(array: &ArrayRef) -> Result<ArrayRef> {
    let mut rows = read(array)?;
    if is_bytes(array.data_type()) && !is_number(array.data_type()) {
        // 32 bytes are in two's complement, fewer are not negative.
        for (row, bytes) in rows.iter_mut().zip(bytes_of(array)?) {
            *row = bytes.map(Number::from_twos_complement);
        }
    }
    if rows.iter().flatten().any(|number| number.to_twos_complement().is_none()) {
        return Err(out_of_range("An int256 goes from -2^255 to 2^255 - 1."));
    }
    if is_number(array.data_type()) { Ok(array.clone()) } else { write(rows) }
}

/// Converts row by row, so that one bad row does not spoil the others.
fn each(array: &ArrayRef, convert: fn(&ArrayRef) -> Result<ArrayRef>) -> Result<ArrayRef> {
    if let Ok(all) = convert(array) {
        return Ok(all);
    }
    let one = |row| convert(&array.slice(row, 1)).and_then(|one| read(&one)).ok().and_then(|one| one[0]);
    write((0..array.len()).map(one).collect())
}
