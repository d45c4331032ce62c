//! Dune's functions of bytes: `bytearray_…`, also by their older names `varbinary_…`.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Int64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, MANY, Simple};
use crate::uint256::{self};
use quarry_types::byte_columns::{bytes_of, fixed, is_bytes, variable};
use quarry_types::type_names::type_name;
use quarry_types::uint256::{Number, is_number};
use quarry_types::{invalid, out_of_range};

macro_rules! doc {
    ($signature:literal, $text:literal, $example:literal) => {
        Some(Doc { signature: $signature, text: $text, example: $example })
    };
}

static SUBSTRING: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(substring_udf()));

/// The shared function, for rewrites.
pub fn bytearray_substring() -> Arc<ScalarUDF> {
    SUBSTRING.clone()
}

static CONCAT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(concat_udf()));

/// The shared function, for rewrites.
pub(crate) fn bytearray_concat() -> Arc<ScalarUDF> {
    CONCAT.clone()
}

static REVERSE: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_reverse",
        1..=1,
        doc!("bytearray_reverse(bytes)", "Bytes from the last to the first.", "select bytearray_reverse(0xcafe)"),
        |args| first_is_bytes(args, DataType::Binary),
        |args, _| each(&args[0], |bytes| bytes.iter().rev().copied().collect()),
    ))
});

/// The shared function, for rewrites.
pub(crate) fn bytearray_reverse() -> Arc<ScalarUDF> {
    REVERSE.clone()
}

static LENGTH: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_length",
        1..=1,
        doc!("bytearray_length(bytes)", "The number of bytes.", "select bytearray_length(0xcafe)"),
        |args| first_is_bytes(args, DataType::Int64),
        |args, _| counted(&args[0], 1),
    ))
});

/// The shared function, for `length` of bytes.
pub(crate) fn bytearray_length() -> Arc<ScalarUDF> {
    LENGTH.clone()
}

static BITS: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let field = |args: &ReturnFieldArgs<'_>| first_is_bytes(args, DataType::Int64);
    Arc::new(Simple::udf("bytearray_bit_length", 1..=1, None, field, |args, _| counted(&args[0], 8)))
});

/// The shared function, for `bit_length` of bytes.
pub(crate) fn bit_length() -> Arc<ScalarUDF> {
    BITS.clone()
}

fn concat_udf() -> ScalarUDF {
    Simple::udf(
        "bytearray_concat",
        1..=MANY,
        doc!("bytearray_concat(bytes, bytes)", "Bytes one after the other.", "select bytearray_concat(0xca, 0xfe)"),
        |args| first_is_bytes(args, DataType::Binary),
        |args, _| concatenated(args),
    )
}

fn substring_udf() -> ScalarUDF {
    Simple::udf(
        "bytearray_substring",
        2..=3,
        doc!(
            "bytearray_substring(bytes, start, length)",
            "A part of bytes; the first byte is number 1, a negative start counts from the end.",
            "select bytearray_substring(0xa9059cbb00000001, 1, 4)"
        ),
        part,
        substring,
    )
}

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let binary: fn(&ReturnFieldArgs) -> Result<FieldRef> = |args| first_is_bytes(args, DataType::Binary);
    let whole: fn(&ReturnFieldArgs) -> Result<FieldRef> = |args| first_is_bytes(args, DataType::Int64);
    vec![
        substring_udf(),
        bytearray_length().as_ref().clone(),
        concat_udf(),
        bytearray_reverse().as_ref().clone(),
        Simple::udf(
            "bytearray_ltrim",
            1..=1,
            doc!(
                "bytearray_ltrim(bytes)",
                "Bytes without the zeros before them.",
                "select bytearray_ltrim(0x0000cafe)"
            ),
            binary,
            |args, _| each(&args[0], |bytes| bytes.iter().copied().skip_while(|byte| *byte == 0).collect()),
        ),
        Simple::udf(
            "bytearray_rtrim",
            1..=1,
            doc!("bytearray_rtrim(bytes)", "Bytes without the zeros after them.", "select bytearray_rtrim(0xcafe0000)"),
            binary,
            |args, _| {
                each(&args[0], |bytes| {
                    let kept = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                    bytes[..kept].to_vec()
                })
            },
        ),
        Simple::udf(
            "bytearray_to_uint256",
            1..=1,
            doc!(
                "bytearray_to_uint256(bytes)",
                "At most 32 bytes as a number, the highest byte first; no byte is 0.",
                "select bytearray_to_uint256(0x0de0b6b3a7640000)"
            ),
            |args| first_is_bytes(args, DataType::Binary).map(|_| quarry_types::uint256::field("uint256", false)),
            |args, _| numbers(&args[0], 32, Number::from_be_bytes),
        ),
        Simple::udf(
            "bytearray_to_int256",
            1..=1,
            doc!(
                "bytearray_to_int256(bytes)",
                "At most 32 bytes as a number; 32 bytes are read in two's complement.",
                "select bytearray_to_int256(0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff)"
            ),
            |args| first_is_bytes(args, DataType::Binary).map(|_| quarry_types::uint256::field("int256", true)),
            |args, _| numbers(&args[0], 32, Number::from_twos_complement),
        ),
        Simple::udf(
            "bytearray_to_bigint",
            1..=1,
            doc!(
                "bytearray_to_bigint(bytes)",
                "At most 8 bytes as a whole number; 8 bytes in two's complement.",
                "select bytearray_to_bigint(0x01f4)"
            ),
            whole,
            |args, _| whole_numbers::<8>(&args[0]),
        ),
        Simple::udf(
            "bytearray_to_integer",
            1..=1,
            doc!(
                "bytearray_to_integer(bytes)",
                "At most 4 bytes as a whole number; 4 bytes in two's complement.",
                "select bytearray_to_integer(0x01f4)"
            ),
            whole,
            |args, _| whole_numbers::<4>(&args[0]),
        ),
        Simple::udf(
            "bytearray_to_decimal",
            1..=1,
            doc!(
                "bytearray_to_decimal(bytes)",
                "At most 16 bytes as a decimal; 16 bytes in two's complement.",
                "select bytearray_to_decimal(0x0de0b6b3a7640000)"
            ),
            |args| first_is_bytes(args, DataType::Decimal128(38, 0)),
            |args, _| decimals(&args[0]),
        ),
    ]
}

/// A function of bytes with Dune's name of before.
pub(super) fn with_old_name(udf: ScalarUDF) -> ScalarUDF {
    let rest = udf.name().trim_start_matches("bytearray").to_string();
    udf.with_aliases(OLD_NAMES.into_iter().filter(|old| old.strip_prefix("varbinary") == Some(rest.as_str())))
}

/// Dune's names of before.
const OLD_NAMES: [&str; 14] = [
    "varbinary_substring",
    "varbinary_length",
    "varbinary_concat",
    "varbinary_position",
    "varbinary_starts_with",
    "varbinary_replace",
    "varbinary_reverse",
    "varbinary_ltrim",
    "varbinary_rtrim",
    "varbinary_to_uint256",
    "varbinary_to_int256",
    "varbinary_to_bigint",
    "varbinary_to_integer",
    "varbinary_to_decimal",
];

/// The field of a result, once the first argument is known to be bytes.
pub(super) fn first_is_bytes(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    if !is_bytes(from) && !from.is_null() || is_number(from) {
        let from = type_name(from, false);
        return Err(invalid(format!("Bytes are needed here, not {from}; from_hex(…) makes bytes of text.")));
    }
    Ok(Arc::new(Field::new("bytearray", to, true)))
}

/// A part whose place is known and lies inside bytes of a fixed width has a fixed width too: 20 bytes of a topic are an
/// address.
fn part(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let known = |index: usize| {
        let value = args.scalar_arguments.get(index).copied().flatten()?;
        match value.cast_to(&DataType::Int64).ok()? {
            ScalarValue::Int64(number) => number,
            _ => None,
        }
    };
    let data_type = match (args.arg_fields[0].data_type(), known(1), known(2)) {
        (DataType::FixedSizeBinary(width), Some(start), Some(length))
            if start >= 1
                && length >= 1
                && start.saturating_add(length) <= i64::from(*width) + 1
                && length != i64::from(quarry_types::uint256::WIDTH) =>
        {
            DataType::FixedSizeBinary(length as i32)
        }
        _ => DataType::Binary,
    };
    first_is_bytes(args, data_type)
}

fn substring(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let starts = whole(&args[1])?;
    let lengths = args.get(2).map(whole).transpose()?;
    let rows = bytes_of(&args[0])?.into_iter().enumerate().map(|(row, bytes)| {
        let (bytes, start) = (bytes?, starts[row]?);
        let length = match &lengths {
            Some(lengths) => lengths[row]?,
            None => i64::MAX,
        };
        Some(cut(bytes, start, length).to_vec())
    });
    match to.data_type() {
        DataType::FixedSizeBinary(width) => fixed(*width, rows),
        _ => Ok(variable(rows.collect())),
    }
}

/// As Trino's `substr`: place 0 is nowhere.
fn cut(bytes: &[u8], start: i64, length: i64) -> &[u8] {
    let count = bytes.len() as i64;
    let first = match start {
        0 => return &[],
        start if start < 0 => count.saturating_add(start),
        start => start - 1,
    };
    if first < 0 || first >= count || length <= 0 {
        return &[];
    }
    let end = first.saturating_add(length).min(count);
    &bytes[first as usize..end as usize]
}

/// Whole numbers of an argument.
pub(super) fn whole(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let numbers = cast_with_options(array, &DataType::Int64, &options)
        .map_err(|_| invalid("A place or a length must be a whole number."))?;
    Ok(numbers.as_primitive::<Int64Type>().iter().collect())
}

/// The number of bytes, or of parts of them.
fn counted(array: &ArrayRef, parts: i64) -> Result<ArrayRef> {
    let rows = bytes_of(array)?;
    Ok(Arc::new(rows.into_iter().map(|row| row.map(|bytes| bytes.len() as i64 * parts)).collect::<Int64Array>()))
}

fn concatenated(args: &[ArrayRef]) -> Result<ArrayRef> {
    let columns: Vec<_> = args.iter().map(bytes_of).collect::<Result<_>>()?;
    let join = |row: usize| columns.iter().map(|column| column[row]).collect::<Option<Vec<_>>>();
    Ok(variable((0..args[0].len()).map(|row| join(row).map(|parts| parts.concat())).collect()))
}

fn each(array: &ArrayRef, work: fn(&[u8]) -> Vec<u8>) -> Result<ArrayRef> {
    Ok(variable(bytes_of(array)?.into_iter().map(|row| row.map(work)).collect()))
}

fn numbers(array: &ArrayRef, most: usize, read: fn(&[u8]) -> Number) -> Result<ArrayRef> {
    let rows = bytes_of(array)?.into_iter().map(|row| row.map(|bytes| at_most(bytes, most).map(read)).transpose());
    uint256::write(rows.collect::<Result<_>>()?)
}

/// Bytes that count, when there are not too many of them.
fn at_most(bytes: &[u8], most: usize) -> Result<&[u8]> {
    if bytes.len() > most {
        return Err(out_of_range(format!(
            "{} bytes are too many for this number; it has at most {most}.",
            bytes.len()
        )));
    }
    Ok(bytes)
}

fn whole_numbers<const WIDTH: usize>(array: &ArrayRef) -> Result<ArrayRef> {
    let read = |bytes: &[u8]| {
        let number = at_most(bytes, WIDTH)?.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let unused = 64 - 8 * WIDTH as u32;
        Ok(if bytes.len() == WIDTH { (number << unused) as i64 >> unused } else { number as i64 })
    };
    let rows = bytes_of(array)?.into_iter().map(|row| row.map(read).transpose());
    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
}

fn decimals(array: &ArrayRef) -> Result<ArrayRef> {
    let read = |bytes: &[u8]| {
        let number = at_most(bytes, 16)?.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte)) as i128;
        match number.unsigned_abs() < 10u128.pow(38) {
            true => Ok(number),
            false => Err(out_of_range("The number has more than 38 digits; bytearray_to_uint256 reads it exactly.")),
        }
    };
    let rows = bytes_of(array)?.into_iter().map(|row| row.map(read).transpose());
    Ok(Arc::new(rows.collect::<Result<Decimal128Array>>()?.with_precision_and_scale(38, 0)?))
}
