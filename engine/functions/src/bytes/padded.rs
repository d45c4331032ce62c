//! Bytes brought to a length: an address as a topic is `lpad(address, 32, 0x00)`.

use std::sync::{Arc, LazyLock};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::bytearray::{first_is_bytes, whole};
use crate::simple::{Doc, Simple};
use quarry_types::ErrorCode;
use quarry_types::byte_columns::{bytes_of, fixed, variable};
use quarry_types::{invalid, refuse};

/// Most bytes that the results of one batch of rows take.
const MOST: usize = 64 << 20;
/// Lengths of addresses and of topics: such bytes have a fixed width, so that they compare as they are. Other widths may mean
/// something else, as that of a uint256 does.
const WIDTHS: [i64; 2] = [20, 32];

static LEFT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_lpad",
        3..=3,
        Some(Doc {
            signature: "bytearray_lpad(bytes, length, fill)",
            text: "Bytes with others before them up to a length; longer ones are cut at their end.",
            example: "select bytearray_lpad(0xcafe, 4, 0x00)",
        }),
        width,
        |args, to| padded(args, to, true),
    ))
});

static RIGHT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "bytearray_rpad",
        3..=3,
        Some(Doc {
            signature: "bytearray_rpad(bytes, length, fill)",
            text: "Bytes with others behind them up to a length; longer ones are cut at their end.",
            example: "select bytearray_rpad(0xa9059cbb, 32, 0x00)",
        }),
        width,
        |args, to| padded(args, to, false),
    ))
});

/// What `lpad` is of bytes.
pub(crate) fn left() -> Arc<ScalarUDF> {
    LEFT.clone()
}

/// What `rpad` is of bytes.
pub(crate) fn right() -> Arc<ScalarUDF> {
    RIGHT.clone()
}

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [LEFT.as_ref().clone(), RIGHT.as_ref().clone()]
}

fn width(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let known =
        args.scalar_arguments.get(1).copied().flatten().and_then(|length| length.cast_to(&DataType::Int64).ok());
    let to = match known {
        Some(ScalarValue::Int64(Some(length))) if WIDTHS.contains(&length) => DataType::FixedSizeBinary(length as i32),
        _ => DataType::Binary,
    };
    first_is_bytes(args, to)
}

fn padded(args: &[ArrayRef], to: &FieldRef, left: bool) -> Result<ArrayRef> {
    let (bytes, lengths, fills) = (bytes_of(&args[0])?, whole(&args[1])?, bytes_of(&args[2])?);
    let mut room = MOST;
    let rows = bytes.into_iter().zip(lengths).zip(fills).map(|((bytes, length), fill)| {
        let (Some(bytes), Some(length), Some(fill)) = (bytes, length, fill) else { return Ok(None) };
        let length = usize::try_from(length).map_err(|_| invalid("The length of padded bytes is not below zero."))?;
        if length <= bytes.len() {
            return Ok(Some(bytes[..length].to_vec()));
        }
        if fill.is_empty() {
            return Err(invalid("Bytes can't be padded with no bytes."));
        }
        room = room.checked_sub(length).ok_or_else(|| {
            refuse(ErrorCode::TooComplex, format!("Padded bytes would take more than {MOST} bytes at once."))
        })?;
        let filling = fill.iter().copied().cycle().take(length - bytes.len());
        let own = bytes.iter().copied();
        Ok(Some(if left { filling.chain(own).collect() } else { own.chain(filling).collect() }))
    });
    let rows: Vec<Option<Vec<u8>>> = rows.collect::<Result<_>>()?;
    match to.data_type() {
        DataType::FixedSizeBinary(width) => fixed(*width, rows),
        _ => Ok(variable(rows)),
    }
}
