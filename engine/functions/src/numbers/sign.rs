//! `sign(number)`: a number of the same kind, so that the sign of a whole number is one too.

use arrow::array::Decimal128Array;
use arrow::datatypes::{Decimal256Type, i256};
use quarry_types::uint256::{field, is_unsigned};

use crate::prelude::*;
use crate::uint256;

/// The sign of a decimal has one digit.
const DIGIT: DataType = DataType::Decimal128(1, 0);

pub(crate) fn udf() -> ScalarUDF {
    doc(
        "sign(number)",
        "The sign of a number in its own type: 1 if positive, 0 if zero, -1 if negative.",
        "select sign(-5), sign(1.5e0)",
    )
    .named("signum")
    .aliases(["sign"])
    .udf(1..=1, sign_field, |args, to| signs(&args[0], to.data_type()))
}

fn sign_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let argument = &args.arg_fields[0];
    returns(match argument.data_type() {
        from if is_number(from) => return Ok(field("sign", !is_unsigned(argument))),
        from if from.is_decimal() => DIGIT,
        from if from.is_numeric() => from.clone(),
        from if from.is_null() || is_text(from) => DataType::Float64,
        other => return Err(invalid(format!("sign expects a number, got {}.", type_name(other, false)))),
    })(args)
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
        true => Arc::new(int64s(array)?.unary::<_, Int64Type>(i64::signum)),
        // Zero has none, and NaN stays NaN.
        false => Arc::new(
            float64s(array)?.unary::<_, Float64Type>(|number| if number == 0.0 { 0.0 } else { number.signum() }),
        ),
    };
    Ok(cast(&signs, to)?)
}
