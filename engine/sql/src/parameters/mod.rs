//! Parameters of a query: `{{name}}` is a value, and `[[ … ]]` an optional part that needs values for its parameters.
//!
//! A value never becomes text of the query. Before parsing, each parameter is replaced by a marker word, and in the parsed
//! statement each marker by a literal. So whatever a value is, it stays one value.

mod fill;

use std::ops::Range;

use datafusion::sql::sqlparser::ast::{Ident, Statement};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};
use serde_json::Value as Json;

use quarry_runtime::job::Parameters;
use quarry_types::{Error, ErrorCode, Position, Result};

/// First letter of the markers; no language has words with it.
const SIGIL: char = 'ƻ';
/// The most parameters of a text, counted as often as they occur: their markers must fit the shortest `{{a}}`.
const MAX_PARAMETERS: usize = 1_000;
const MAX_ITEMS: usize = 10_000;
const MAX_NAME: usize = 100;

/// A text with markers in place of its parameters, and the values of the markers.
#[derive(Debug, Default)]
pub struct Bound {
    pub text: String,
    values: Vec<(String, Json)>,
}

/// Replaces the parameters of a text by markers of the same length, so that positions in the text do not change.
pub fn bind(text: &str, parameters: &Parameters) -> Result<Bound> {
    let text = resolve_optional_parts(text, parameters);
    let mut bound = Bound::default();
    let mut rest = text.as_str();
    let mut comments = None;
    while let Some(placeholder) = find(rest) {
        let start = text.len() - rest.len() + placeholder.start;
        let written = &rest[placeholder.start..placeholder.end];
        bound.text.push_str(&rest[..placeholder.start]);
        rest = &rest[placeholder.end..];
        let value = match value(placeholder.name, parameters) {
            Ok(value) => value,
            // A condition that is commented out needs no value.
            Err(_) if is_within(comments.get_or_insert_with(|| comments_of(&text)), start) => {
                bound.text.push_str(written);
                continue;
            }
            Err(message) => return Err(Error::new(ErrorCode::InvalidQuery, message).at(end_of(&bound.text))),
        };
        if bound.values.len() == MAX_PARAMETERS {
            let message = format!("The query text has more than {MAX_PARAMETERS} parameters.");
            return Err(Error::new(ErrorCode::TooComplex, message).at(end_of(&bound.text)));
        }
        let (width, marker) = (written.chars().count(), format!("{SIGIL}{}", bound.values.len()));
        let marker = format!("{marker:_<width$}");
        bound.text.push_str(&marker);
        bound.values.push((marker, value));
    }
    if !bound.values.is_empty() && text.contains(SIGIL) {
        return Err(Error::new(
            ErrorCode::InvalidQuery,
            format!("A query with parameters can't contain the character {SIGIL}."),
        ));
    }
    bound.text.push_str(rest);
    Ok(bound)
}

/// Whether a word may be the marker of a parameter.
pub fn may_be_marker(word: &str) -> bool {
    word.starts_with(SIGIL)
}

impl Bound {
    /// Refuses a parameter within a name.
    pub fn check(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        for token in tokens {
            if let Token::Word(word) = &token.token
                && word.value.contains(SIGIL)
                && !self.is_marker(word)
            {
                let at = Position { line: token.span.start.line, column: token.span.start.column };
                return Err(name_error().at(at));
            }
        }
        Ok(())
    }

    fn is_marker(&self, word: &Word) -> bool {
        word.quote_style.is_none() && self.values.iter().any(|(marker, _)| *marker == word.value)
    }

    /// Refuses a statement with a marker left, where no value can be.
    pub fn check_filled(&self, statement: &Statement) -> Result<()> {
        let in_values = self.values.iter().any(|(_, value)| value.to_string().contains(SIGIL));
        if self.values.is_empty() || in_values || !statement.to_string().contains(SIGIL) {
            return Ok(());
        }
        Err(name_error())
    }

    /// The value of a marker, or one item of a list.
    fn get(&self, word: &Ident) -> Option<&Json> {
        if word.quote_style.is_some() || !word.value.starts_with(SIGIL) {
            return None;
        }
        let (word, item) = match word.value.rsplit_once(SIGIL) {
            Some((word, item)) if !word.is_empty() => (word, Some(item)),
            _ => (word.value.as_str(), None),
        };
        let (_, value) = self.values.iter().find(|(marker, _)| marker == word)?;
        match item {
            Some(item) => value.get(item.parse::<usize>().ok()?),
            None => Some(value),
        }
    }
}

/// A word as a name, unless it is a parameter.
pub fn as_name(word: String) -> Result<String> {
    if word.contains(SIGIL) { Err(name_error()) } else { Ok(word) }
}

fn name_error() -> Error {
    Error::new(ErrorCode::InvalidQuery, "A parameter is a value, never the name of a table or column.")
}

/// A parameter in a text, by byte offsets.
struct Placeholder<'a> {
    start: usize,
    end: usize,
    name: &'a str,
}

fn find(text: &str) -> Option<Placeholder<'_>> {
    let mut from = 0;
    while let Some(start) = text[from..].find("{{").map(|at| at + from) {
        let inside = &text[start + 2..];
        let end = inside.find("}}")?;
        let name = inside[..end].trim();
        let is_allowed = |c: char| c.is_alphanumeric() || "_-. ".contains(c);
        if !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_allowed) {
            return Some(Placeholder { start, end: start + 2 + end + 2, name });
        }
        from = start + 2;
    }
    None
}

/// The text with blanks in place of brackets, and of the optional parts whose parameters have no values.
fn resolve_optional_parts(text: &str, parameters: &Parameters) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("[[") {
        let Some(length) = rest[start..].find("]]") else { break };
        let part = &rest[start + 2..start + length];
        out.push_str(&rest[..start]);
        if find(part).is_none() {
            // A list of lists.
            out.push_str("[[");
            rest = &rest[start + 2..];
            continue;
        }
        let mut inner = part;
        let has_values = std::iter::from_fn(|| {
            let placeholder = find(inner)?;
            inner = &inner[placeholder.end..];
            Some(placeholder)
        })
        .all(|placeholder| has_value(placeholder.name, parameters));
        out.push_str("  ");
        out.extend(part.chars().map(|c| if has_values || c == '\n' { c } else { ' ' }));
        out.push_str("  ");
        rest = &rest[start + length + 2..];
    }
    out.push_str(rest);
    out
}

/// Whether a parameter, or the end of a range that it names, has a value.
fn has_value(name: &str, parameters: &Parameters) -> bool {
    if let Some(value) = parameters.get(name) {
        return !is_empty(value);
    }
    let Some(range) = parameters.get(range_name(name)) else { return false };
    let range = range.get("value").filter(|_| range.get("type").is_some()).unwrap_or(range);
    ends(name).iter().find_map(|end| range.get(end)).is_some_and(|end| !is_empty(end))
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(parts) if parts.contains_key("type") => parts.get("value").is_none_or(is_empty),
        _ => false,
    }
}

/// The name of a range without its end: `days` of `days.start`.
fn range_name(name: &str) -> &str {
    let ends = [".start", ".end", ".from", ".to"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The keys of the end of a range that a name means.
fn ends(name: &str) -> [&'static str; 2] {
    if name.ends_with(".start") || name.ends_with(".from") { ["start", "from"] } else { ["end", "to"] }
}

/// The value of a parameter, its type checked.
fn value(name: &str, parameters: &Parameters) -> std::result::Result<Json, String> {
    let missing = || format!("There is no value for the parameter {name}.");
    let value = match parameters.get(name) {
        Some(value) => typed(name, value)?,
        None => {
            let range = typed(range_name(name), parameters.get(range_name(name)).ok_or_else(missing)?)?;
            ends(name).iter().find_map(|end| range.get(end)).cloned().ok_or_else(missing)?
        }
    };
    if lost_digits(&value) {
        return Err(format!(
            "The parameter {name} contains a number that JSON can't represent exactly; write it in quotes."
        ));
    }
    Ok(value)
}

/// Whether a value has a number beyond 64 bits, which was read as a double: wei would lose their last digits.
fn lost_digits(value: &Json) -> bool {
    match value {
        Json::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|number| number.abs() >= 9_223_372_036_854_775_808.0)
        }
        Json::Array(items) => items.iter().any(lost_digits),
        Json::Object(parts) => parts.values().any(lost_digits),
        _ => false,
    }
}

fn typed(name: &str, value: &Json) -> std::result::Result<Json, String> {
    let Json::Object(parts) = value else { return Ok(value.clone()) };
    let Some(Json::String(kind)) = parts.get("type") else { return Ok(value.clone()) };
    let inner = parts.get("value").cloned().unwrap_or(Json::Null);
    let wrong = |what: &str| format!("The value of the parameter {name} is not a valid {what}.");
    match (kind.as_str(), &inner) {
        (_, Json::Null) => Ok(Json::Null),
        ("text", Json::String(_))
        | ("number", Json::Number(_))
        | ("list", Json::Array(_))
        | ("range", Json::Object(_)) => Ok(inner),
        ("text", other) => Ok(Json::String(other.to_string())),
        ("number", Json::String(digits)) if is_number(digits.trim()) => {
            // As text, since not every number fits a JSON number.
            Ok(serde_json::json!({ "number": digits.trim() }))
        }
        ("number", _) => Err(wrong("number")),
        // Of clients of PostgreSQL.
        ("double", Json::String(digits)) if digits.trim().parse::<f64>().is_ok() => {
            Ok(serde_json::json!({ "double": digits.trim() }))
        }
        ("double", _) => Err(wrong("number")),
        ("interval" | "timestamp" | "day", Json::String(text)) => Ok(serde_json::json!({ (kind.as_str()): text })),
        ("interval" | "timestamp" | "day", _) => Err(wrong(kind)),
        ("date", Json::String(day)) if is_date(day) => Ok(inner),
        ("date", _) => Err(wrong("date; write it as 2024-03-01")),
        ("list", _) => Err(wrong("list")),
        ("range", _) => Err(wrong("range with a start and an end")),
        (other, _) => Err(format!(
            "The parameter {name} has the unknown type {other}; the types are text, number, date, range and list."
        )),
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let all = |part: &str| !part.is_empty() && part.len() <= 100 && part.bytes().all(|byte| byte.is_ascii_digit());
    all(whole) && all(fraction) && all(exponent)
}

fn is_date(text: &str) -> bool {
    let shape = |c: char| c.is_ascii_digit() || "-: T.Z".contains(c);
    (10..=32).contains(&text.len()) && text.chars().all(shape)
}

/// The comments of a text, by byte offsets, in their order.
fn comments_of(text: &str) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(['\'', '"', '`', '-', '/']).map(|at| at + from) {
        let (skip, end) = match &text.as_bytes()[start..] {
            [b'-', b'-', ..] => (2, "\n"),
            [b'/', b'*', ..] => (2, "*/"),
            [b'-' | b'/', ..] => {
                from = start + 1;
                continue;
            }
            _ => (1, &text[start..start + 1]),
        };
        from = text[start + skip..].find(end).map_or(text.len(), |at| start + skip + at + end.len());
        if skip == 2 {
            comments.push(start..from);
        }
    }
    comments
}

/// Whether an offset is in one of several ranges, which are in order.
fn is_within(ranges: &[Range<usize>], offset: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= offset);
    ranges.get(next).is_some_and(|range| range.start <= offset)
}

/// The position after a text.
fn end_of(text: &str) -> Position {
    let line = text.matches('\n').count() as u64 + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    Position { line, column }
}
