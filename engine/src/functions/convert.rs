//! Casts of uint256 to the types people calculate and print with.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Float64Array, StringViewArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::{Cast, Expr, ScalarUDF};

use super::shared;
use super::simple::{Simple, out_of_range};
use super::uint256::{read, to_decimal256};

static CASTS: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
    let double = Simple::udf(
        "uint256_to_double",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("double", DataType::Float64, true))),
        |args, _| {
            let rows = read(&args[0])?;
            Ok(Arc::new(rows.into_iter().map(|row| row.map(f64::from)).collect::<Float64Array>()))
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
    [double, text, decimal, narrow].into_iter().map(|udf| (udf.name().to_string(), shared(udf))).collect()
});

/// A uint256 expression as another type: by way of an exact decimal where there is no direct one.
pub(crate) fn uint256_to(expr: Expr, to: &DataType) -> Expr {
    let (name, reached) = match to {
        DataType::Float64 | DataType::Float32 => ("uint256_to_double", DataType::Float64),
        DataType::Utf8View | DataType::Utf8 | DataType::LargeUtf8 => ("uint256_to_varchar", DataType::Utf8View),
        DataType::Decimal128(..) | DataType::Int64 | DataType::Int32 => {
            ("uint256_to_decimal38", DataType::Decimal128(38, 0))
        }
        _ => ("uint256_to_decimal", DataType::Decimal256(76, 0)),
    };
    let call = match CASTS.get(name) {
        Some(udf) => udf.call(vec![expr]),
        None => return expr,
    };
    if &reached == to { call } else { Expr::Cast(Cast::new(Box::new(call), to.clone())) }
}

fn to_decimal128(array: &ArrayRef) -> Result<ArrayRef> {
    let wide = to_decimal256(array)?;
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(&wide, &DataType::Decimal128(38, 0), &options)
        .map_err(|_| out_of_range("The number has more than 38 digits; cast to decimal(76,0) or double instead."))
}
