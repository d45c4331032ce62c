//! Functions of numbers.

use rand::Rng;

use super::{Context, Function, INTEGERS, NUMBERS, plain, wrong};
use crate::value::{Value, ValueType, as_f64, negate};
use quarry_types::{Error, ErrorCode, Result};

/// A function of one float.
macro_rules! float {
    ($name:literal, $f:expr) => {
        plain($name, 1, 1, |_, values| Ok(Value::Float(($f)(number($name, &values[0])?))))
            .typed(&[NUMBERS], ValueType::Float)
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    plain("abs", 1, 1, abs).typed(&[NUMBERS], ValueType::Any),
    plain("sign", 1, 1, sign).typed(&[NUMBERS], ValueType::Integer),
    plain("round", 1, 3, round).typed(&[NUMBERS, INTEGERS], ValueType::Float),
    float!("ceil", f64::ceil),
    float!("floor", f64::floor),
    float!("sqrt", f64::sqrt),
    float!("exp", f64::exp),
    float!("log", f64::ln),
    float!("log10", f64::log10),
    float!("sin", f64::sin),
    float!("cos", f64::cos),
    float!("tan", f64::tan),
    float!("cot", |angle: f64| 1.0 / angle.tan()),
    float!("asin", f64::asin),
    float!("acos", f64::acos),
    float!("atan", f64::atan),
    plain("atan2", 2, 2, |_, values| {
        Ok(Value::Float(number("atan2", &values[0])?.atan2(number("atan2", &values[1])?)))
    })
    .typed(&[NUMBERS, NUMBERS], ValueType::Float),
    float!("degrees", f64::to_degrees),
    float!("radians", f64::to_radians),
    float!("haversin", |angle: f64| (1.0 - angle.cos()) / 2.0),
    plain("isNaN", 1, 1, |_, values| Ok(Value::Bool(number("isNaN", &values[0])?.is_nan())))
        .typed(&[NUMBERS], ValueType::Boolean),
    plain("pi", 0, 0, |_, _| Ok(Value::Float(std::f64::consts::PI))).typed(&[], ValueType::Float),
    plain("e", 0, 0, |_, _| Ok(Value::Float(std::f64::consts::E))).typed(&[], ValueType::Float),
    Function {
        volatile: true,
        ..plain("rand", 0, 0, |_, _| Ok(Value::Float(rand::rng().random()))).typed(&[], ValueType::Float)
    },
];

fn number(function: &str, value: &Value) -> Result<f64> {
    as_f64(value).ok_or_else(|| wrong(function, "a number", value))
}

fn abs(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let negative = number("abs", &values[0])? < 0.0;
    match (&values[0], negative) {
        (Value::Float(number), _) => Ok(Value::Float(number.abs())),
        (whole, true) => negate(whole).unwrap_or(Ok(Value::Null)),
        (whole, false) => Ok(whole.clone()),
    }
}

fn sign(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let number = number("sign", &values[0])?;
    Ok(Value::Int(i64::from(number > 0.0) - i64::from(number < 0.0)))
}

/// To the nearest whole number, halves upwards; with a precision, to that many digits, halves away from zero.
fn round(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let value = number("round", &values[0])?;
    let Some(digits) = values.get(1) else { return Ok(Value::Float((value + 0.5).floor())) };
    let digits = super::whole("round", digits)?;
    if !(0..=15).contains(&digits) {
        return Err(Error::new(ErrorCode::InvalidQuery, "round keeps 0 to 15 digits."));
    }
    let scale = 10_f64.powi(digits as i32);
    Ok(Value::Float((value * scale).round() / scale))
}
