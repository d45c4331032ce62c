//! `sign(number)`: a number of the same kind, so that the sign of a whole number is one too.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Float64Array, Int64Array};
use arrow::compute::{CastOptions, cast, cast_with_options};
use arrow::datatypes::{DataType, Decimal256Type, Field, FieldRef, Float64Type, Int64Type, i256};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use crate::uint256::{self};
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;
use quarry_types::type_names::type_name;
use quarry_types::uint256::{Number, is_number};

const DOC: Doc = Doc {
    signature: "sign(number)",
    text: "1, 0 or -1 for a number above, at or below zero, in the type of the number.",
    example: "select sign(-5), sign(1.5e0)",
};

/// Of a decimal it has one digit.
const DIGIT: DataType = DataType::Decimal128(1, 0);

pub(crate) fn udf() -> ScalarUDF {
    Simple::udf("signum", 1..=1, Some(DOC), returns, |args, to| signs(&args[0], to.data_type())).with_aliases(["sign"])
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let field = &args.arg_fields[0];
    let to = match field.data_type() {
        from if is_number(from) => {
            return Ok(quarry_types::uint256::field("sign", !quarry_types::uint256::is_unsigned(field)));
        }
        from if from.is_decimal() => DIGIT,
        from if from.is_numeric() => from.clone(),
        from if from.is_null() || is_text(from) => DataType::Float64,
        other => return Err(invalid(format!("sign takes a number, not {}.", type_name(other, false)))),
    };
    Ok(Arc::new(Field::new("sign", to, true)))
}

fn signs(array: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let from = array.data_type();
    if is_number(from) {
        let one = Number::from_be_bytes(&[1]);
        let sign = |number: Number| match number {
            zero if zero == Number::default() => zero,
            below if below.is_negative() => one.negate(),
            _ => one,
        };
        return uint256::write(uint256::read(array)?.into_iter().map(|number| number.map(sign)).collect());
    }
    if from.is_decimal() {
        // With all digits behind the point, which may be the only ones.
        let wide = cast(array, &DataType::Decimal256(76, uint256::scale(from)))?;
        let sign = |number: i256| i128::from(number.is_positive()) - i128::from(number.is_negative());
        let signs = wide.as_primitive::<Decimal256Type>().iter().map(|number| number.map(sign));
        return Ok(Arc::new(signs.collect::<Decimal128Array>().with_data_type(DIGIT)));
    }
    let signs: ArrayRef = match from.is_integer() && *from != DataType::UInt64 {
        true => {
            let whole = cast(array, &DataType::Int64)?;
            Arc::new(
                whole.as_primitive::<Int64Type>().iter().map(|number| Some(number?.signum())).collect::<Int64Array>(),
            )
        }
        false => {
            let options = CastOptions { safe: false, ..CastOptions::default() };
            let doubles = cast_with_options(array, &DataType::Float64, &options)?;
            // Zero has none, and what is no number stays so.
            let sign = |number: f64| if number == 0.0 { 0.0 } else { number.signum() };
            let signs = doubles.as_primitive::<Float64Type>().iter().map(|number| number.map(sign));
            Arc::new(signs.collect::<Float64Array>())
        }
    };
    Ok(cast(&signs, to)?)
}
