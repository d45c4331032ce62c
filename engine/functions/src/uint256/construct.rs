//! `uint256(x)` and `int256(x)`: numbers, text or bytes as exact whole numbers; `try_…` gives null where they fail.

use quarry_types::uint256::field;

use super::{below_zero, read, write};
use crate::prelude::*;

/// The conversion to uint256.
pub fn uint256() -> Arc<ScalarUDF> {
    shared!(constructor(
        doc(
            "uint256(number, text or bytes)",
            "An exact integer from 0 to 2^256 - 1. A string is read as decimal digits, or as hex digits after 0x.",
            "select uint256('115792089237316195423570985008687907853269984665640564039457584007913129639935')",
        )
        .fallible(),
        false,
        unsigned,
    ))
}

/// The conversion to int256.
pub fn int256() -> Arc<ScalarUDF> {
    shared!(constructor(
        doc(
            "int256(number, text or bytes)",
            "An exact integer from -2^255 to 2^255 - 1. Bytes are read as two's complement, as contracts write them.",
            "select int256('-57896044618658097711785492504343953926634992332820282019728792003956564819968')",
        )
        .fallible(),
        true,
        signed,
    ))
}

/// The conversion to uint256 that never fails.
pub fn try_uint256() -> Arc<ScalarUDF> {
    shared!(constructor(
        doc(
            "try_uint256(number, text or bytes)",
            "The same as uint256, but null if the value can't be converted.",
            "select try_uint256('many')",
        ),
        false,
        |array| null_on_error(array, unsigned),
    ))
}

/// The conversion to int256 that never fails.
pub fn try_int256() -> Arc<ScalarUDF> {
    shared!(constructor(
        doc(
            "try_int256(number, text or bytes)",
            "The same as int256, but null if the value can't be converted.",
            "select try_int256('0.5')",
        ),
        true,
        |array| null_on_error(array, signed),
    ))
}

fn constructor(definition: Definition, is_signed: bool, convert: fn(&ArrayRef) -> Result<ArrayRef>) -> ScalarUDF {
    let returns = move |args: &ReturnFieldArgs<'_>| match args.arg_fields[0].data_type() {
        from if from.is_numeric() || is_text(from) || is_bytes(from) || from.is_null() => {
            Ok(field("number", is_signed))
        }
        from => Err(invalid(format!("uint256 and int256 expect a number, a string or bytes, got {from}."))),
    };
    definition.udf(1..=1, returns, move |args, _| convert(&args[0]))
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
        return Err(out_of_range("An int256 must be between -2^255 and 2^255 - 1."));
    }
    if is_number(array.data_type()) { Ok(array.clone()) } else { write(rows) }
}

/// Where some rows fail they are converted one by one.
fn null_on_error(array: &ArrayRef, convert: fn(&ArrayRef) -> Result<ArrayRef>) -> Result<ArrayRef> {
    if let Ok(all) = convert(array) {
        return Ok(all);
    }
    let convert_row = |row| read(&convert(&array.slice(row, 1))?).map(|numbers| numbers[0]);
    write((0..array.len()).map(|row| convert_row(row).ok().flatten()).collect())
}
