//! Functions of numbers.

use rand::Rng;

use super::{Arguments, Function, INTEGERS, NUMBERS, function};
use crate::values::{Value, ValueType, negate};
use quarry_types::{Error, ErrorCode, Result};

/// A function of one float.
macro_rules! float {
    ($name:literal, $f:expr) => {
        function($name, 1, 1, |args| Ok(Value::Float(($f)(args.number(0)?)))).typed(&[NUMBERS], ValueType::Float)
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("abs", 1, 1, abs).typed(&[NUMBERS], ValueType::Any),
    function("sign", 1, 1, sign).typed(&[NUMBERS], ValueType::Integer),
    function("round", 1, 3, round).typed(&[NUMBERS, INTEGERS], ValueType::Float),
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
    float!("degrees", f64::to_degrees),
    float!("radians", f64::to_radians),
    float!("haversin", |angle: f64| (1.0 - angle.cos()) / 2.0),
    function("atan2", 2, 2, |args| Ok(Value::Float(args.number(0)?.atan2(args.number(1)?))))
        .typed(&[NUMBERS, NUMBERS], ValueType::Float),
    function("isNaN", 1, 1, |args| Ok(Value::Bool(args.number(0)?.is_nan()))).typed(&[NUMBERS], ValueType::Boolean),
    function("pi", 0, 0, |_| Ok(Value::Float(std::f64::consts::PI))).typed(&[], ValueType::Float),
    function("e", 0, 0, |_| Ok(Value::Float(std::f64::consts::E))).typed(&[], ValueType::Float),
    Function {
        volatile: true,
        ..function("rand", 0, 0, |_| Ok(Value::Float(rand::rng().random()))).typed(&[], ValueType::Float)
    },
];

fn abs(args: &Arguments<'_>) -> Result<Value> {
    let is_negative = args.number(0)? < 0.0;
    match &args.values[0] {
        Value::Float(number) => Ok(Value::Float(number.abs())),
        whole if is_negative => negate(whole).unwrap_or(Ok(Value::Null)),
        whole => Ok(whole.clone()),
    }
}

fn sign(args: &Arguments<'_>) -> Result<Value> {
    let number = args.number(0)?;
    Ok(Value::Int(i64::from(number > 0.0) - i64::from(number < 0.0)))
}

/// To the nearest whole number, halves upwards; with a precision, to that many digits, halves away from zero.
fn round(args: &Arguments<'_>) -> Result<Value> {
    let value = args.number(0)?;
    if args.values.len() < 2 {
        return Ok(Value::Float((value + 0.5).floor()));
    }
    let digits = args.integer(1)?;
    if !(0..=15).contains(&digits) {
        return Err(Error::new(ErrorCode::InvalidQuery, "round supports 0 to 15 digits."));
    }
    let scale = 10_f64.powi(digits as i32);
    Ok(Value::Float((value * scale).round() / scale))
}
