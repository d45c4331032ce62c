//! Functions of bytes that look for others in them, under names of their own and behind those of texts: `strpos`, `replace` …

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, BooleanArray, Int64Array};
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::bytearray::first_is_bytes;
use crate::simple::{Doc, Simple};
use quarry_types::ErrorCode;
use quarry_types::byte_columns::{bytes_of, variable};
use quarry_types::{invalid, refuse};

/// By how many bytes replacements may make one batch of rows longer.
const MOST: usize = 64 << 20;

static POSITION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_position",
        2..=2,
        Some(Doc {
            signature: "bytearray_position(bytes, part)",
            text: "Where a part begins, counted from 1; 0 when it is not there.",
            example: "select bytearray_position(0x00cafe, 0xcafe)",
        }),
        |args| first_is_bytes(args, DataType::Int64),
        |args, _| positions(args),
    ))
});

static STARTS_WITH: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_starts_with",
        2..=2,
        Some(Doc {
            signature: "bytearray_starts_with(bytes, start)",
            text: "Whether bytes begin with others.",
            example: "select bytearray_starts_with(0xa9059cbb00, 0xa9059cbb)",
        }),
        truth,
        |args, _| each(args, |bytes, start| bytes.starts_with(start)),
    ))
});

static REPLACE: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_replace",
        3..=3,
        Some(Doc {
            signature: "bytearray_replace(bytes, part, other)",
            text: "Every place of a part replaced by other bytes.",
            example: "select bytearray_replace(0xcafe, 0xca, 0x00)",
        }),
        |args| first_is_bytes(args, DataType::Binary),
        |args, _| replaced(args),
    ))
});

pub(super) fn udfs() -> [ScalarUDF; 3] {
    [&POSITION, &STARTS_WITH, &REPLACE].map(|function| function.as_ref().clone())
}

/// What `strpos` is of bytes.
pub(crate) fn position() -> Arc<ScalarUDF> {
    POSITION.clone()
}

/// What `starts_with` is of bytes.
pub(crate) fn starts_with() -> Arc<ScalarUDF> {
    STARTS_WITH.clone()
}

/// What `replace` is of bytes.
pub(crate) fn replace() -> Arc<ScalarUDF> {
    REPLACE.clone()
}

/// What `ends_with` is of bytes.
pub(crate) fn ends_with() -> Arc<ScalarUDF> {
    Arc::new(Simple::udf("ends_with", 2..=2, None, truth, |args, _| each(args, |bytes, end| bytes.ends_with(end))))
}

/// What functions are of bytes that have a meaning among texts only: on their hex they would answer something else than people ask.
pub(crate) fn of_texts_only() -> Arc<ScalarUDF> {
    Arc::new(Simple::udf("of_texts_only", 2..=3, None, no_bytes, |_, _| Err(invalid(TEXTS_ONLY))))
}

const TEXTS_ONLY: &str =
    "A text is needed here, not bytes; bytearray_ltrim, bytearray_rtrim and bytearray_substring take parts of bytes.";

fn no_bytes(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Err(invalid(TEXTS_ONLY))
}

fn truth(args: &ReturnFieldArgs) -> Result<FieldRef> {
    first_is_bytes(args, DataType::Boolean)
}

fn each(args: &[ArrayRef], test: fn(&[u8], &[u8]) -> bool) -> Result<ArrayRef> {
    let pairs = bytes_of(&args[0])?.into_iter().zip(bytes_of(&args[1])?);
    Ok(Arc::new(pairs.map(|(bytes, part)| Some(test(bytes?, part?))).collect::<BooleanArray>()))
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
