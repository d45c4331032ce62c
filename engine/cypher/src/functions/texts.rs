//! Functions of texts; places count characters from 0.

use super::{Context, Function, INTEGERS, LISTS_OR_TEXTS, TEXTS, plain, wrong};
use crate::value::{Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Most bytes of a text that a function makes.
const MAX_TEXT: usize = 16 << 20;

/// A function of one text.
macro_rules! text {
    ($name:literal, $f:expr) => {
        plain($name, 1, 1, |_, values| Ok(Value::text(($f)(word($name, &values[0])?)))).typed(&[TEXTS], ValueType::Text)
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
    plain("char_length", 1, 1, length).typed(&[TEXTS], ValueType::Integer),
    plain("character_length", 1, 1, length).typed(&[TEXTS], ValueType::Integer),
    plain("replace", 3, 3, replace).typed(&[TEXTS, TEXTS, TEXTS], ValueType::Text),
    plain("split", 2, 2, split).typed(&[TEXTS, LISTS_OR_TEXTS], ValueType::List),
    plain("substring", 2, 3, substring).typed(&[TEXTS, INTEGERS, INTEGERS], ValueType::Text),
    plain("left", 2, 2, |_, values| Ok(Value::text(part("left", &values[0], 0, Some(&values[1]))?)))
        .typed(&[TEXTS, INTEGERS], ValueType::Text),
    plain("right", 2, 2, right).typed(&[TEXTS, INTEGERS], ValueType::Text),
];

fn word<'a>(function: &str, value: &'a Value) -> Result<&'a str> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(wrong(function, "a text", other)),
    }
}

fn length(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::Int(word("char_length", &values[0])?.chars().count() as i64))
}

fn replace(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let (text, from, to) = (word("replace", &values[0])?, word("replace", &values[1])?, word("replace", &values[2])?);
    if from.is_empty() {
        return Ok(values[0].clone());
    }
    let grown = text.matches(from).count().saturating_mul(to.len()).saturating_add(text.len());
    if grown > MAX_TEXT {
        return Err(Error::new(ErrorCode::InvalidQuery, "The text becomes too long."));
    }
    Ok(Value::text(text.replace(from, to)))
}

/// Cuts at a text, or at each text of a list.
fn split(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let text = word("split", &values[0])?;
    let marks = match &values[1] {
        Value::List(marks) => marks.iter().map(|mark| word("split", mark)).collect::<Result<Vec<_>>>()?,
        mark => vec![word("split", mark)?],
    };
    let mut parts = vec![text];
    for mark in marks {
        parts = parts.into_iter().flat_map(|part| pieces(part, mark)).collect();
    }
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
}

/// An empty mark cuts between all characters.
fn pieces<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    if !mark.is_empty() {
        return text.split(mark).collect();
    }
    text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]).collect()
}

fn substring(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let start = count("substring", &values[1])?;
    Ok(Value::text(part("substring", &values[0], start, values.get(2))?))
}

fn right(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    let letters = word("right", &values[0])?.chars().count();
    let start = letters.saturating_sub(count("right", &values[1])?);
    Ok(Value::text(part("right", &values[0], start, None)?))
}

fn part(function: &str, text: &Value, start: usize, length: Option<&Value>) -> Result<String> {
    let length = length.map_or(Ok(usize::MAX), |length| count(function, length))?;
    Ok(word(function, text)?.chars().skip(start).take(length).collect())
}

fn count(function: &str, value: &Value) -> Result<usize> {
    let number = super::whole(function, value)?;
    usize::try_from(number)
        .map_err(|_| Error::new(ErrorCode::InvalidQuery, format!("{function} counts from 0, so {number} is no place.")))
}
