//! Functions of lists, and those that lists share with texts.

use std::collections::HashSet;

use super::{Arguments, Function, INTEGERS, LISTS, LISTS_OR_TEXTS, function};
use crate::values::{Key, Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Most items of `range`.
const MAX_RANGE: i64 = 10_000_000;

pub(super) const FUNCTIONS: &[Function] = &[
    function("size", 1, 1, size).typed(&[LISTS_OR_TEXTS], ValueType::Integer),
    function("head", 1, 1, |args| Ok(args.list(0)?.first().cloned().unwrap_or(Value::Null)))
        .typed(&[LISTS], ValueType::Any),
    function("last", 1, 1, |args| Ok(args.list(0)?.last().cloned().unwrap_or(Value::Null)))
        .typed(&[LISTS], ValueType::Any),
    function("tail", 1, 1, |args| Ok(Value::list(args.list(0)?.iter().skip(1).cloned().collect())))
        .typed(&[LISTS], ValueType::List),
    function("reverse", 1, 1, reverse).typed(&[LISTS_OR_TEXTS], ValueType::Any),
    function("range", 2, 3, range).typed(&[INTEGERS, INTEGERS, INTEGERS], ValueType::List),
    function("isEmpty", 1, 1, is_empty)
        .typed(&[&[ValueType::List, ValueType::Text, ValueType::Map]], ValueType::Boolean),
    function("toSet", 1, 1, to_set).typed(&[LISTS], ValueType::List),
];

fn size(args: &Arguments<'_>) -> Result<Value> {
    Ok(Value::Int(match &args.values[0] {
        Value::List(items) => items.len() as i64,
        Value::Text(text) => text.chars().count() as i64,
        _ => return Err(args.wrong(0, "a list or a string")),
    }))
}

fn reverse(args: &Arguments<'_>) -> Result<Value> {
    match &args.values[0] {
        Value::List(items) => Ok(Value::list(items.iter().rev().cloned().collect())),
        Value::Text(text) => Ok(Value::text(text.chars().rev().collect::<String>())),
        _ => Err(args.wrong(0, "a list or a string")),
    }
}

fn range(args: &Arguments<'_>) -> Result<Value> {
    let (from, to) = (args.integer(0)?, args.integer(1)?);
    let step = if args.values.len() > 2 { args.integer(2)? } else { 1 };
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

fn is_empty(args: &Arguments<'_>) -> Result<Value> {
    Ok(Value::Bool(match &args.values[0] {
        Value::List(items) => items.is_empty(),
        Value::Text(text) => text.is_empty(),
        Value::Map(map) => map.is_empty(),
        _ => return Err(args.wrong(0, "a list, a map or a string")),
    }))
}

/// The distinct items of a list, in order.
fn to_set(args: &Arguments<'_>) -> Result<Value> {
    let mut seen = HashSet::new();
    let items = args.list(0)?.iter().filter(|item| seen.insert(Key(vec![(*item).clone()])));
    Ok(Value::list(items.cloned().collect()))
}
