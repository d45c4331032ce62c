//! `uint256(x)` and the exact operators on uint256: numbers up to 2^256 − 1 in 32 big-endian bytes.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use alloy_primitives::U256;
use arrow::array::{Array, ArrayRef, AsArray, Decimal256Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal256Type, Field, FieldRef, i256};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::bytes::{fixed, is_text, text_of};
use super::shared;
use super::simple::{Doc, Simple, invalid, out_of_range, refuse};
use crate::error::ErrorCode;
use crate::lake::tables::MEANING;

const DOC: Doc = Doc {
    signature: "uint256(number, text or 32 bytes)",
    text: "A whole number from 0 to 2^256 - 1, exact. Text is read as decimal digits, or as hex after 0x.",
    example: "select uint256('115792089237316195423570985008687907853269984665640564039457584007913129639935')",
};

static UINT256: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(udf()));

/// The conversion, for rewrites.
pub(crate) fn uint256() -> Arc<ScalarUDF> {
    UINT256.clone()
}

/// Whether a column of 32 bytes is a number.
pub(crate) fn is_uint256(field: &Field) -> bool {
    field.data_type() == &DataType::FixedSizeBinary(32)
        && field.metadata().get(MEANING).is_some_and(|meaning| meaning == "uint256")
}

/// The field of a uint256.
pub(crate) fn field(name: &str) -> FieldRef {
    let metadata = HashMap::from([(MEANING.to_string(), "uint256".to_string())]);
    Arc::new(Field::new(name, DataType::FixedSizeBinary(32), true).with_metadata(metadata))
}

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "uint256",
        1..=1,
        Some(DOC),
        |args| {
            let from = args.arg_fields[0].data_type();
            let fits = from.is_integer()
                || is_text(from)
                || matches!(from, DataType::FixedSizeBinary(32) | DataType::Null)
                || matches!(from, DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0));
            if !fits {
                return Err(invalid("uint256 takes a whole number, text or 32 bytes."));
            }
            Ok(field("uint256"))
        },
        |args, _| write(read(&args[0])?),
    )
}

macro_rules! operator {
    ($name:literal, $work:expr) => {
        shared(Simple::udf(
            $name,
            2..=2,
            None,
            |_| Ok(field($name)),
            |args, _| {
                let (left, right) = (read(&args[0])?, read(&args[1])?);
                let pairs = left.into_iter().zip(right);
                let results: Result<Vec<_>> = pairs
                    .map(|(left, right)| match (left, right) {
                        (Some(left), Some(right)) => $work(left, right).map(Some),
                        _ => Ok(None),
                    })
                    .collect();
                write(results?)
            },
        ))
    };
}

fn too_large() -> datafusion::common::DataFusionError {
    out_of_range("A uint256 can't be larger than 2^256 - 1.")
}

fn below_zero() -> datafusion::common::DataFusionError {
    out_of_range("A uint256 can't be below zero; cast to decimal(76,0) before subtracting.")
}

fn by_zero() -> datafusion::common::DataFusionError {
    refuse(ErrorCode::Arithmetic, "A number was divided by zero.")
}

static OPERATORS: LazyLock<HashMap<char, Arc<ScalarUDF>>> = LazyLock::new(|| {
    HashMap::from([
        ('+', operator!("uint256_add", |a: U256, b: U256| a.checked_add(b).ok_or_else(too_large))),
        ('-', operator!("uint256_subtract", |a: U256, b: U256| a.checked_sub(b).ok_or_else(below_zero))),
        ('*', operator!("uint256_multiply", |a: U256, b: U256| a.checked_mul(b).ok_or_else(too_large))),
        ('/', operator!("uint256_divide", |a: U256, b: U256| a.checked_div(b).ok_or_else(by_zero))),
        ('%', operator!("uint256_rest", |a: U256, b: U256| a.checked_rem(b).ok_or_else(by_zero))),
    ])
});

/// The exact form of `+ - * / %` on uint256.
pub(crate) fn uint256_op(sign: char) -> Option<Arc<ScalarUDF>> {
    OPERATORS.get(&sign).cloned()
}

/// The numbers of a column, converted when they are of another type.
pub(super) fn read(array: &ArrayRef) -> Result<Vec<Option<U256>>> {
    match array.data_type() {
        DataType::FixedSizeBinary(32) => {
            Ok(array.as_fixed_size_binary().iter().map(|row| row.map(U256::from_be_slice)).collect())
        }
        DataType::Null => Ok(vec![None; array.len()]),
        from if is_text(from) => text_of(array)?.into_iter().map(|text| text.map(parse).transpose()).collect(),
        _ => {
            let wide = cast(array, &DataType::Decimal256(76, 0))?;
            let wide = wide.as_primitive::<Decimal256Type>();
            wide.iter().map(|value| value.map(from_signed).transpose()).collect()
        }
    }
}

/// A number in decimal digits, or in hex digits after `0x`.
pub(crate) fn parse(text: &str) -> Result<U256> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let parsed = match hex {
        Some(digits) => U256::from_str_radix(digits, 16),
        None => U256::from_str_radix(text, 10),
    };
    parsed.map_err(|_| invalid(format!("'{text}' is not a whole number from 0 to 2^256 - 1.")))
}

pub(crate) fn from_signed(value: i256) -> Result<U256> {
    if value.is_negative() {
        return Err(out_of_range("A uint256 can't be below zero."));
    }
    Ok(U256::from_le_bytes(value.to_le_bytes()))
}

/// Numbers as a column.
pub(super) fn write(rows: Vec<Option<U256>>) -> Result<ArrayRef> {
    fixed(32, rows.into_iter().map(|row| row.map(|number| number.to_be_bytes::<32>().to_vec())))
}

/// A uint256 column as decimals of 76 digits; larger numbers are an error.
pub(super) fn to_decimal256(array: &ArrayRef) -> Result<ArrayRef> {
    let limit = U256::from(10).pow(U256::from(76));
    let signed = |number: U256| {
        if number >= limit {
            return Err(out_of_range("The number has more than 76 digits; it stays exact as uint256 only."));
        }
        Ok(i256::from_le_bytes(number.to_le_bytes()))
    };
    let rows: Result<Vec<Option<i256>>> = read(array)?.into_iter().map(|row| row.map(signed).transpose()).collect();
    let decimals: Decimal256Array = rows?.into_iter().collect();
    Ok(Arc::new(decimals.with_precision_and_scale(76, 0)?))
}
