//! 256-bit numbers as the types people calculate and print with.

use arrow::array::{Decimal256Array, StringViewArray};
use arrow::datatypes::Decimal256Type;
use datafusion::logical_expr::Cast;
use quarry_types::uint256::field;

use super::{read, scale, write};
use crate::prelude::*;

const DECIMAL76: DataType = DataType::Decimal256(76, 0);
const DECIMAL38: DataType = DataType::Decimal128(38, 0);

/// A 256-bit number as another type: by way of an exact decimal where there is no direct one.
pub fn number_to(expr: Expr, to: &DataType) -> Expr {
    let (function, reached) = match to {
        DataType::Float64 | DataType::Float32 => {
            (shared!(udf("uint256_to_double", DataType::Float64, to_double)), DataType::Float64)
        }
        DataType::Utf8View | DataType::Utf8 | DataType::LargeUtf8 => {
            (shared!(udf("uint256_to_varchar", DataType::Utf8View, to_text)), DataType::Utf8View)
        }
        to if is_bytes(to) => (shared!(udf("uint256_to_varbinary", DataType::Binary, to_bytes)), DataType::Binary),
        DataType::Decimal256(..) => (shared!(udf("uint256_to_decimal", DECIMAL76, to_decimal256)), DECIMAL76),
        _ => (shared!(udf("uint256_to_decimal38", DECIMAL38, to_decimal128)), DECIMAL38),
    };
    let call = function.call(vec![expr]);
    if &reached == to { call } else { Expr::Cast(Cast::new(Box::new(call), to.clone())) }
}

fn udf(name: &'static str, to: DataType, convert: fn(&ArrayRef) -> Result<ArrayRef>) -> ScalarUDF {
    scalar_udf(name, 1..=1, returns(to), move |args, _| convert(&args[0]))
}

/// A decimal as the next whole number below it, or above it when `up`: for exact comparisons.
pub fn rounded(expr: Expr, up: bool) -> Expr {
    let function =
        if up { shared!(round_udf("uint256_ceil", true)) } else { shared!(round_udf("uint256_floor", false)) };
    function.call(vec![expr])
}

fn round_udf(name: &'static str, up: bool) -> ScalarUDF {
    scalar_udf(name, 1..=1, |_| Ok(field("whole", true)), move |args, _| round(&args[0], up))
}

fn round(array: &ArrayRef, up: bool) -> Result<ArrayRef> {
    let scale = scale(array.data_type());
    let wide = cast(array, &DataType::Decimal256(76, scale))?;
    let wide = wide.as_primitive::<Decimal256Type>();
    write(wide.iter().map(|value| value.map(|value| Number::round_decimal(value, scale, up))).collect())
}

fn to_double(array: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<Float64Array, _, _>(read(array)?, |number| Ok(number.to_float()))
}

fn to_text(array: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<StringViewArray, _, _>(read(array)?, |number| Ok(number.to_string()))
}

/// A number column as decimals of 76 digits; larger numbers are an error.
pub fn to_decimal256(array: &ArrayRef) -> Result<ArrayRef> {
    let exact = |number: Number| {
        let message = "The number has more than 76 digits; keep it as uint256, which is exact, or cast it to double.";
        number.to_decimal().ok_or_else(|| out_of_range(message))
    };
    let rows = read(array)?.into_iter().map(|row| row.map(exact).transpose());
    Ok(Arc::new(rows.collect::<Result<Decimal256Array>>()?.with_precision_and_scale(76, 0)?))
}

fn to_decimal128(array: &ArrayRef) -> Result<ArrayRef> {
    strict_cast(&to_decimal256(array)?, &DECIMAL38)
        .map_err(|_| out_of_range("The number has more than 38 digits; cast to decimal(76,0) or double instead."))
}

/// A number column as 32 bytes a row, the highest first, as in Solidity: a number below zero in two's complement.
fn to_bytes(array: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<BinaryArray, _, _>(read(array)?, |number| {
        let word = if number.is_negative() { number.to_twos_complement() } else { Some(number.magnitude()) };
        word.map(|word| word.to_be_bytes::<32>())
            .ok_or_else(|| out_of_range("The number is below the minimum of int256."))
    })
}
