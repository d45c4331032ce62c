//! Dune's functions of bytes: `bytearray_…`, also by their older names `varbinary_…`.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Int64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::bytes::{bytes_of, fixed, is_bytes, variable};
use super::simple::{Doc, MANY, Simple, invalid, out_of_range, refuse};
use super::uint256::{self, Number, is_number};
use crate::error::ErrorCode;
use crate::exec::results::type_name;

/// By how many bytes replacements may make one batch of rows longer.
const MOST: usize = 64 << 20;

macro_rules! doc {
    ($signature:literal, $text:literal, $example:literal) => {
        Some(Doc { signature: $signature, text: $text, example: $example })
    };
}

static SUBSTRING: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(substring_udf()));

/// The shared function, for rewrites.
pub(crate) fn bytearray_substring() -> Arc<ScalarUDF> {
    SUBSTRING.clone()
}

static CONCAT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(concat_udf()));

/// The shared function, for rewrites.
pub(super) fn bytearray_concat() -> Arc<ScalarUDF> {
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
pub(super) fn bytearray_reverse() -> Arc<ScalarUDF> {
    REVERSE.clone()
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
    let functions = vec![
        substring_udf(),
        Simple::udf(
            "bytearray_length",
            1..=1,
            doc!("bytearray_length(bytes)", "The number of bytes.", "select bytearray_length(0xcafe)"),
            whole,
            |args, _| lengths(&args[0]),
        ),
        concat_udf(),
        Simple::udf(
            "bytearray_position",
            2..=2,
            doc!(
                "bytearray_position(bytes, part)",
                "Where a part begins, counted from 1; 0 when it is not there.",
                "select bytearray_position(0x00cafe, 0xcafe)"
            ),
            whole,
            |args, _| positions(args),
        ),
        Simple::udf(
            "bytearray_starts_with",
            2..=2,
            doc!(
                "bytearray_starts_with(bytes, start)",
                "Whether bytes begin with others.",
                "select bytearray_starts_with(0xa9059cbb00, 0xa9059cbb)"
            ),
            |args| first_is_bytes(args, DataType::Boolean),
            |args, _| starts_with(args),
        ),
        Simple::udf(
            "bytearray_replace",
            3..=3,
            doc!(
                "bytearray_replace(bytes, part, other)",
                "Every place of a part replaced by other bytes.",
                "select bytearray_replace(0xcafe, 0xca, 0x00)"
            ),
            binary,
            |args, _| replaced(args),
        ),
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
            |args| first_is_bytes(args, DataType::Binary).map(|_| uint256::field("uint256", false)),
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
            |args| first_is_bytes(args, DataType::Binary).map(|_| uint256::field("int256", true)),
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
    ];
    let with_old_name = |udf: ScalarUDF| {
        let rest = udf.name().trim_start_matches("bytearray").to_string();
        udf.with_aliases(OLD_NAMES.into_iter().filter(|old| old.strip_prefix("varbinary") == Some(rest.as_str())))
    };
    functions.into_iter().map(with_old_name).collect()
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
                && length != i64::from(uint256::WIDTH) =>
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

fn lengths(array: &ArrayRef) -> Result<ArrayRef> {
    let rows = bytes_of(array)?;
    Ok(Arc::new(rows.into_iter().map(|row| row.map(|bytes| bytes.len() as i64)).collect::<Int64Array>()))
}

fn concatenated(args: &[ArrayRef]) -> Result<ArrayRef> {
    let columns: Vec<_> = args.iter().map(bytes_of).collect::<Result<_>>()?;
    let join = |row: usize| columns.iter().map(|column| column[row]).collect::<Option<Vec<_>>>();
    Ok(variable((0..args[0].len()).map(|row| join(row).map(|parts| parts.concat())).collect()))
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    memchr::memmem::find(bytes, part)
}

fn positions(args: &[ArrayRef]) -> Result<ArrayRef> {
    let pairs = bytes_of(&args[0])?.into_iter().zip(bytes_of(&args[1])?);
    let place =
        |(bytes, part): (Option<&[u8]>, Option<&[u8]>)| Some(find(bytes?, part?).map_or(0, |index| index as i64 + 1));
    Ok(Arc::new(pairs.map(place).collect::<Int64Array>()))
}

pub(super) fn starts_with(args: &[ArrayRef]) -> Result<ArrayRef> {
    let pairs = bytes_of(&args[0])?.into_iter().zip(bytes_of(&args[1])?);
    Ok(Arc::new(pairs.map(|(bytes, start)| Some(bytes?.starts_with(start?))).collect::<BooleanArray>()))
}

fn replaced(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (bytes, parts, others) = (bytes_of(&args[0])?, bytes_of(&args[1])?, bytes_of(&args[2])?);
    let mut grown = 0;
    let rows = bytes.into_iter().zip(parts).zip(others).map(|((bytes, part), other)| {
        let (Some(mut rest), Some(part), Some(other)) = (bytes, part, other) else { return Ok(None) };
        let length = rest.len();
        let room = length + MOST.saturating_sub(grown);
        let mut out = Vec::with_capacity(length);
        while let Some(place) = find(rest, part).filter(|_| !part.is_empty()) {
            out.extend_from_slice(&rest[..place]);
            out.extend_from_slice(other);
            rest = &rest[place + part.len()..];
            if out.len() > room {
                let message = format!("bytearray_replace would add more than {MOST} bytes at once.");
                return Err(refuse(ErrorCode::TooComplex, message));
            }
        }
        out.extend_from_slice(rest);
        grown += out.len().saturating_sub(length);
        Ok(Some(out))
    });
    Ok(variable(rows.collect::<Result<_>>()?))
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
