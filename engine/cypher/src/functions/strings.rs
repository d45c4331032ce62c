//! Functions of strings; positions count characters from 0.

use super::{Arguments, Function, INTEGERS, LISTS_OR_TEXTS, TEXTS, function};
use crate::values::{Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Most bytes of a string that a function makes.
const MAX_TEXT: usize = 16 << 20;

/// A function of one string.
macro_rules! text {
    ($name:literal, $f:expr) => {
        function($name, 1, 1, |args| Ok(Value::text(($f)(args.text(0)?)))).typed(&[TEXTS], ValueType::Text)
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    text!("toLower", str::to_lowercase),
    text!("toUpper", str::to_uppercase),
    text!("lower", str::to_lowercase),
    text!("upper", str::to_uppercase),
    text!("trim", str::trim),
    text!("btrim", str::trim),
    text!("lTrim", str::trim_start),
    text!("rTrim", str::trim_end),
    function("char_length", 1, 1, length).typed(&[TEXTS], ValueType::Integer),
    function("character_length", 1, 1, length).typed(&[TEXTS], ValueType::Integer),
    function("replace", 3, 3, replace).typed(&[TEXTS, TEXTS, TEXTS], ValueType::Text),
    function("split", 2, 2, split).typed(&[TEXTS, LISTS_OR_TEXTS], ValueType::List),
    function("substring", 2, 3, substring).typed(&[TEXTS, INTEGERS, INTEGERS], ValueType::Text),
    function("left", 2, 2, |args| part(args, 0, count(args, 1)?)).typed(&[TEXTS, INTEGERS], ValueType::Text),
    function("right", 2, 2, right).typed(&[TEXTS, INTEGERS], ValueType::Text),
];

fn length(args: &Arguments<'_>) -> Result<Value> {
    Ok(Value::Int(args.text(0)?.chars().count() as i64))
}

fn replace(args: &Arguments<'_>) -> Result<Value> {
    let (text, from, to) = (args.text(0)?, args.text(1)?, args.text(2)?);
    if from.is_empty() {
        return Ok(args.values[0].clone());
    }
    let grown = text.matches(from).count().saturating_mul(to.len()).saturating_add(text.len());
    if grown > MAX_TEXT {
        return Err(Error::new(ErrorCode::InvalidQuery, "The resulting string is too long."));
    }
    Ok(Value::text(text.replace(from, to)))
}

/// Splits at a separator, or at each separator of a list. An empty one splits between all characters.
fn split(args: &Arguments<'_>) -> Result<Value> {
    let mut parts = vec![args.text(0)?];
    let separators = match &args.values[1] {
        Value::List(separators) => separators.as_slice(),
        separator => std::slice::from_ref(separator),
    };
    for separator in separators {
        let Value::Text(separator) = separator else { return Err(super::wrong(args.name, "a string", separator)) };
        parts = parts.into_iter().flat_map(|part| pieces(part, separator)).collect();
    }
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
}

fn pieces<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    match separator.is_empty() {
        true => text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]).collect(),
        false => text.split(separator).collect(),
    }
}

fn substring(args: &Arguments<'_>) -> Result<Value> {
    let length = if args.values.len() > 2 { count(args, 2)? } else { usize::MAX };
    part(args, count(args, 1)?, length)
}

fn right(args: &Arguments<'_>) -> Result<Value> {
    let letters = args.text(0)?.chars().count();
    part(args, letters.saturating_sub(count(args, 1)?), usize::MAX)
}

/// A part of the first argument.
fn part(args: &Arguments<'_>, start: usize, length: usize) -> Result<Value> {
    Ok(Value::text(args.text(0)?.chars().skip(start).take(length).collect::<String>()))
}

fn count(args: &Arguments<'_>, at: usize) -> Result<usize> {
    let number = args.integer(at)?;
    let message = || format!("{} expects a non-negative integer, got {number}.", args.name);
    usize::try_from(number).map_err(|_| Error::new(ErrorCode::InvalidQuery, message()))
}
