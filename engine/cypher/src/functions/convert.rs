//! Conversions between types.

use std::sync::Arc;

use super::{Context, Function, plain, wrong};
use crate::value::ValueType::{Any, Boolean, Float, Integer, Temporal, Text};
use crate::value::{Value, equal, exact_float, whole};
use quarry_types::cell::float_word;
use quarry_types::{Error, ErrorCode, Result};

pub(super) const FUNCTIONS: &[Function] = &[
    plain("timestamp", 0, 0, timestamp).typed(&[], Integer),
    plain("toInteger", 1, 1, to_integer).typed(&[&[Integer, Float, Boolean, Text]], Any),
    plain("toFloat", 1, 1, to_float).typed(&[&[Integer, Float, Text]], Float),
    plain("toBoolean", 1, 1, to_boolean).typed(&[&[Boolean, Integer, Text]], Boolean),
    plain("toString", 1, 1, to_text).typed(&[&[Text, Integer, Float, Boolean, Temporal]], Text),
    plain("toIntegerOrNull", 1, 1, |context, values| Ok(to_integer(context, values).unwrap_or(Value::Null))),
    plain("toFloatOrNull", 1, 1, |context, values| Ok(to_float(context, values).unwrap_or(Value::Null))),
    plain("toBooleanOrNull", 1, 1, |context, values| Ok(to_boolean(context, values).unwrap_or(Value::Null))),
    plain("toStringOrNull", 1, 1, |context, values| Ok(to_text(context, values).unwrap_or(Value::Null))),
    Function { sees_null: true, ..plain("coalesce", 1, usize::MAX, coalesce) },
    Function { sees_null: true, ..plain("nullIf", 2, 2, null_if) },
    Function { sees_null: true, ..plain("valueType", 1, 1, |_, values| Ok(Value::text(values[0].type_name()))) },
];

/// Milliseconds since 1970, the same in all rows of a query.
fn timestamp(context: &Context<'_>, _: &[Value]) -> Result<Value> {
    let since = context.now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(Value::Int(since.as_millis() as i64))
}

/// Decimals are cut, text is read, anything else is an error.
fn to_integer(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(match &values[0] {
        Value::Int(_) | Value::Amount(_) => values[0].clone(),
        Value::Float(number) => cut(*number)?,
        Value::Bool(truth) => Value::Int(i64::from(*truth)),
        Value::Text(text) => {
            let text = text.trim();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            match (whole(digits, 10, text.starts_with('-')), text.parse::<f64>()) {
                (Some(number), _) => number,
                (None, Ok(number)) if is_plain_number(text) => cut(number).unwrap_or(Value::Null),
                _ => Value::Null,
            }
        }
        other => return Err(wrong("toInteger", "a number or a text", other)),
    })
}

fn cut(number: f64) -> Result<Value> {
    let whole = exact_float(number.trunc()).and_then(|whole| i64::try_from(whole).ok());
    whole
        .map(Value::Int)
        .ok_or_else(|| Error::new(ErrorCode::Arithmetic, format!("{number} does not fit an integer of 64 bits.")))
}

/// Words like `inf` that Rust reads as numbers are none here.
fn is_plain_number(text: &str) -> bool {
    text.trim().starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter))
        && text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE \t".contains(letter))
}

fn to_float(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(match &values[0] {
        Value::Float(_) => values[0].clone(),
        Value::Text(text) if is_plain_number(text) => text.trim().parse().map_or(Value::Null, Value::Float),
        Value::Text(_) => Value::Null,
        number => match crate::value::as_f64(number) {
            Some(number) => Value::Float(number),
            None => return Err(wrong("toFloat", "a number or a text", number)),
        },
    })
}

fn to_boolean(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(match &values[0] {
        Value::Bool(_) => values[0].clone(),
        Value::Int(number) => Value::Bool(*number != 0),
        Value::Text(text) => match text.trim().to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Null,
        },
        other => return Err(wrong("toBoolean", "a boolean or a text", other)),
    })
}

fn to_text(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    text_of(&values[0]).map(Value::Text).ok_or_else(|| wrong("toString", "a number, a boolean or a text", &values[0]))
}

/// A plain value as text.
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

fn coalesce(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(values.iter().find(|value| !value.is_null()).cloned().unwrap_or(Value::Null))
}

fn null_if(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(if equal(&values[0], &values[1]) == Some(true) { Value::Null } else { values[0].clone() })
}
