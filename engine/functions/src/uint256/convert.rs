//! 256-bit numbers as the types people calculate and print with.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, Decimal256Array, Float64Array, StringViewArray};
use arrow::compute::{CastOptions, cast, cast_with_options};
use arrow::datatypes::{DataType, Decimal256Type, Field, i256};
use datafusion::common::Result;
use datafusion::logical_expr::{Cast, Expr, ScalarUDF};

use super::{read, scale, write};
use crate::shared;
use crate::simple::Simple;
use quarry_types::byte_columns::is_bytes;
use quarry_types::out_of_range;
use quarry_types::uint256::{Number, field};

static CASTS: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
    let double = Simple::udf(
        "uint256_to_double",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("double", DataType::Float64, true))),
        |args, _| {
            let rows = read(&args[0])?;
            Ok(Arc::new(rows.into_iter().map(|row| row.map(Number::to_float)).collect::<Float64Array>()))
        },
    );
    let text = Simple::udf(
        "uint256_to_varchar",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("varchar", DataType::Utf8View, true))),
        |args, _| {
            let rows = read(&args[0])?;
            Ok(Arc::new(rows.into_iter().map(|row| row.map(|number| number.to_string())).collect::<StringViewArray>()))
        },
    );
    let decimal = Simple::udf(
        "uint256_to_decimal",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("decimal", DataType::Decimal256(76, 0), true))),
        |args, _| to_decimal256(&args[0]),
    );
    let narrow = Simple::udf(
        "uint256_to_decimal38",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("decimal", DataType::Decimal128(38, 0), true))),
        |args, _| to_decimal128(&args[0]),
    );
    let bytes = Simple::udf(
        "uint256_to_varbinary",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("varbinary", DataType::Binary, true))),
        |args, _| to_bytes(&args[0]),
    );
    let floor = Simple::udf("uint256_floor", 1..=1, None, |_| Ok(field("floor", true)), |args, _| round(args, false));
    let ceiling = Simple::udf("uint256_ceil", 1..=1, None, |_| Ok(field("ceil", true)), |args, _| round(args, true));
    let all = [double, text, decimal, narrow, bytes, floor, ceiling];
    all.into_iter().map(|udf| (udf.name().to_string(), shared(udf))).collect()
});

/// A 256-bit number as another type: by way of an exact decimal where there is no direct one.
pub fn number_to(expr: Expr, to: &DataType) -> Expr {
    let (name, reached) = match to {
        DataType::Float64 | DataType::Float32 => ("uint256_to_double", DataType::Float64),
        DataType::Utf8View | DataType::Utf8 | DataType::LargeUtf8 => ("uint256_to_varchar", DataType::Utf8View),
        to if is_bytes(to) => ("uint256_to_varbinary", DataType::Binary),
        DataType::Decimal256(..) => ("uint256_to_decimal", DataType::Decimal256(76, 0)),
        _ => ("uint256_to_decimal38", DataType::Decimal128(38, 0)),
    };
    let call = match CASTS.get(name) {
        Some(udf) => udf.call(vec![expr]),
        None => return expr,
    };
    if &reached == to { call } else { Expr::Cast(Cast::new(Box::new(call), to.clone())) }
}

/// A decimal as the next whole number below it, or above it when `up`: for exact comparisons.
pub fn rounded(expr: Expr, up: bool) -> Expr {
    match CASTS.get(if up { "uint256_ceil" } else { "uint256_floor" }) {
        Some(udf) => udf.call(vec![expr]),
        None => expr,
    }
}

fn round(args: &[ArrayRef], up: bool) -> Result<ArrayRef> {
    let scale = scale(args[0].data_type());
    let wide = cast(&args[0], &DataType::Decimal256(76, scale))?;
    let wide = wide.as_primitive::<Decimal256Type>();
    write(wide.iter().map(|value| value.map(|value| Number::round_decimal(value, scale, up))).collect())
}

/// A number column as decimals of 76 digits; larger numbers are an error.
pub fn to_decimal256(array: &ArrayRef) -> Result<ArrayRef> {
    let exact = |number: Number| {
        let message = "The number has more than 76 digits; it stays exact as uint256 only, or cast it to double.";
        number.to_decimal().ok_or_else(|| out_of_range(message))
    };
    let rows: Result<Vec<Option<i256>>> = read(array)?.into_iter().map(|row| row.map(exact).transpose()).collect();
    let decimals: Decimal256Array = rows?.into_iter().collect();
    Ok(Arc::new(decimals.with_precision_and_scale(76, 0)?))
}

/// A number column as 32 bytes a row, the highest first, as Solidity keeps it: a number below zero in two's complement.
fn to_bytes(array: &ArrayRef) -> Result<ArrayRef> {
    let exact = |number: Number| {
        let word = if number.is_negative() { number.to_twos_complement() } else { Some(number.magnitude()) };
        word.map(|word| word.to_be_bytes::<32>()).ok_or_else(|| out_of_range("The number is below the least int256."))
    };
    let rows: Result<Vec<Option<[u8; 32]>>> = read(array)?.into_iter().map(|row| row.map(exact).transpose()).collect();
    Ok(Arc::new(rows?.into_iter().collect::<BinaryArray>()))
}

fn to_decimal128(array: &ArrayRef) -> Result<ArrayRef> {
    let wide = to_decimal256(array)?;
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(&wide, &DataType::Decimal128(38, 0), &options)
        .map_err(|_| out_of_range("The number has more than 38 digits; cast to decimal(76,0) or double instead."))
}
