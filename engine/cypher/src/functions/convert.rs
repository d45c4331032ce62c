//! Conversions between types.

use std::sync::Arc;

use super::{Arguments, Function, function};
use crate::values::ValueType::{Any, Boolean, Float, Integer, Temporal, Text};
use crate::values::{Value, as_f64, equal, exact_float, whole};
use quarry_types::cell::float_word;
use quarry_types::{Error, ErrorCode, Result};

pub(super) const FUNCTIONS: &[Function] = &[
    function("timestamp", 0, 0, timestamp).typed(&[], Integer),
    function("toInteger", 1, 1, to_integer).typed(&[&[Integer, Float, Boolean, Text]], Any),
    function("toFloat", 1, 1, to_float).typed(&[&[Integer, Float, Text]], Float),
    function("toBoolean", 1, 1, to_boolean).typed(&[&[Boolean, Integer, Text]], Boolean),
    function("toString", 1, 1, to_text).typed(&[&[Text, Integer, Float, Boolean, Temporal]], Text),
    function("toIntegerOrNull", 1, 1, |args| Ok(to_integer(args).unwrap_or(Value::Null))),
    function("toFloatOrNull", 1, 1, |args| Ok(to_float(args).unwrap_or(Value::Null))),
    function("toBooleanOrNull", 1, 1, |args| Ok(to_boolean(args).unwrap_or(Value::Null))),
    function("toStringOrNull", 1, 1, |args| Ok(to_text(args).unwrap_or(Value::Null))),
    Function { sees_null: true, ..function("coalesce", 1, usize::MAX, coalesce) },
    Function { sees_null: true, ..function("nullIf", 2, 2, null_if) },
    Function { sees_null: true, ..function("valueType", 1, 1, |args| Ok(Value::text(args.values[0].type_name()))) },
];

/// Milliseconds since 1970, the same in all rows of a query.
fn timestamp(args: &Arguments<'_>) -> Result<Value> {
    let since = args.context.now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(Value::Int(since.as_millis() as i64))
}

/// Truncates decimals and parses text.
fn to_integer(args: &Arguments<'_>) -> Result<Value> {
    Ok(match &args.values[0] {
        Value::Int(_) | Value::Amount(_) => args.values[0].clone(),
        Value::Float(number) => truncate(*number)?,
        Value::Bool(truth) => Value::Int(i64::from(*truth)),
        Value::Text(text) => {
            let text = text.trim();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            match (whole(digits, 10, text.starts_with('-')), text.parse::<f64>()) {
                (Some(number), _) => number,
                (None, Ok(number)) if is_decimal_number(text) => truncate(number).unwrap_or(Value::Null),
                _ => Value::Null,
            }
        }
        _ => return Err(args.wrong(0, "a number or a string")),
    })
}

fn truncate(number: f64) -> Result<Value> {
    let whole = exact_float(number.trunc()).and_then(|whole| i64::try_from(whole).ok());
    whole
        .map(Value::Int)
        .ok_or_else(|| Error::new(ErrorCode::Arithmetic, format!("{number} does not fit in a 64-bit integer.")))
}

/// Words like `inf` that Rust parses as numbers are none here.
fn is_decimal_number(text: &str) -> bool {
    text.trim().starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter))
        && text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE \t".contains(letter))
}

fn to_float(args: &Arguments<'_>) -> Result<Value> {
    Ok(match &args.values[0] {
        Value::Float(_) => args.values[0].clone(),
        Value::Text(text) if is_decimal_number(text) => text.trim().parse().map_or(Value::Null, Value::Float),
        Value::Text(_) => Value::Null,
        number => Value::Float(as_f64(number).ok_or_else(|| args.wrong(0, "a number or a string"))?),
    })
}

fn to_boolean(args: &Arguments<'_>) -> Result<Value> {
    Ok(match &args.values[0] {
        Value::Bool(_) => args.values[0].clone(),
        Value::Int(number) => Value::Bool(*number != 0),
        Value::Text(text) => match text.trim().to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Null,
        },
        _ => return Err(args.wrong(0, "a boolean or a string")),
    })
}

fn to_text(args: &Arguments<'_>) -> Result<Value> {
    text_of(&args.values[0]).map(Value::Text).ok_or_else(|| args.wrong(0, "a number, a boolean or a string"))
}

/// A scalar value as text.
pub(crate) fn text_of(value: &Value) -> Option<Arc<str>> {
    Some(match value {
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string().into(),
        Value::Amount(number) => number.to_string().into(),
        Value::Float(number) => float_text(*number).into(),
        Value::Bool(truth) => truth.to_string().into(),
        Value::Temporal(one) => one.to_string().into(),
        _ => return None,
    })
}

/// A float always shows that it is one: `1.0`, `1.0e22`.
fn float_text(number: f64) -> String {
    if let Some(word) = float_word(number) {
        return word.to_string();
    }
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        let text = format!("{number:E}");
        return if text.contains('.') { text } else { text.replace('E', ".0E") };
    }
    format!("{number:?}")
}

fn coalesce(args: &Arguments<'_>) -> Result<Value> {
    Ok(args.values.iter().find(|value| !value.is_null()).cloned().unwrap_or(Value::Null))
}

fn null_if(args: &Arguments<'_>) -> Result<Value> {
    Ok(if equal(&args.values[0], &args.values[1]) == Some(true) { Value::Null } else { args.values[0].clone() })
}
