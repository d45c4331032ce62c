//! Functions of lists, and those that lists share with texts.

use super::{Context, Function, INTEGERS, LISTS, LISTS_OR_TEXTS, plain, whole, wrong};
use crate::value::{Key, Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Most items of `range`.
const MAX_RANGE: i64 = 10_000_000;

pub(super) const FUNCTIONS: &[Function] = &[
    plain("size", 1, 1, size).typed(&[LISTS_OR_TEXTS], ValueType::Integer),
    plain("head", 1, 1, |_, values| at(&values[0], "head", |_| Some(0))).typed(&[LISTS], ValueType::Any),
    plain("last", 1, 1, |_, values| at(&values[0], "last", |length| length.checked_sub(1)))
        .typed(&[LISTS], ValueType::Any),
    plain("tail", 1, 1, tail).typed(&[LISTS], ValueType::List),
    plain("reverse", 1, 1, reverse).typed(&[LISTS_OR_TEXTS], ValueType::Any),
    plain("range", 2, 3, range).typed(&[INTEGERS, INTEGERS, INTEGERS], ValueType::List),
    plain("isEmpty", 1, 1, is_empty).typed(&[&[ValueType::List, ValueType::Text, ValueType::Map]], ValueType::Boolean),
    plain("toSet", 1, 1, to_set).typed(&[LISTS], ValueType::List),
];

fn size(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Int(match &values[0] {
        Value::List(items) => items.len() as i64,
        Value::Text(text) => text.chars().count() as i64,
        other => return Err(wrong("size", "a list or a text", other)),
    }))
}

fn at(list: &Value, name: &str, place: fn(usize) -> Option<usize>) -> Result<Value> {
    match list {
        Value::List(items) => Ok(place(items.len()).and_then(|place| items.get(place)).cloned().unwrap_or(Value::Null)),
        other => Err(wrong(name, "a list", other)),
    }
}

fn tail(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::List(items) => Ok(Value::list(items.iter().skip(1).cloned().collect())),
        other => Err(wrong("tail", "a list", other)),
    }
}

fn reverse(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::List(items) => Ok(Value::list(items.iter().rev().cloned().collect())),
        Value::Text(text) => Ok(Value::text(text.chars().rev().collect::<String>())),
        other => Err(wrong("reverse", "a list or a text", other)),
    }
}

fn range(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let (from, to) = (whole("range", &values[0])?, whole("range", &values[1])?);
    let step = values.get(2).map_or(Ok(1), |step| whole("range", step))?;
    let error = |message: String| Error::new(ErrorCode::InvalidQuery, message);
    if step == 0 {
        return Err(error("The step of range can't be 0.".to_string()));
    }
    let distance = i128::from(to) - i128::from(from);
    let count = if distance.signum() * i128::from(step.signum()) < 0 { 0 } else { distance / i128::from(step) + 1 };
    if count > i128::from(MAX_RANGE) {
        return Err(error(format!("range would make {count} items; at most {MAX_RANGE} are allowed.")));
    }
    Ok(Value::list((0..count as i64).map(|index| Value::Int(from + index * step)).collect()))
}

fn is_empty(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Bool(match &values[0] {
        Value::List(items) => items.is_empty(),
        Value::Text(text) => text.is_empty(),
        Value::Map(map) => map.is_empty(),
        other => return Err(wrong("isEmpty", "a list, a map or a text", other)),
    }))
}

/// The items of a list, each once, in order.
fn to_set(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let Value::List(items) = &values[0] else { return Err(wrong("toSet", "a list", &values[0])) };
    let mut seen = std::collections::HashSet::new();
    Ok(Value::list(items.iter().filter(|item| seen.insert(Key(vec![(*item).clone()]))).cloned().collect()))
}
