//! Parameters: `{{name}}` stands for a value, `[[ … ]]` for a part that is there only when its parameters have values.
//!
//! A value never becomes text of the query. Before the text is parsed, each parameter is replaced by a word that stands
//! for it; in the parsed statement that word is replaced by a literal. So whatever a value holds, it stays one value.

mod fill;

use std::ops::Range;

use datafusion::sql::sqlparser::ast::{Ident, Statement};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};
use serde_json::Value as Json;

use quarry_runtime::job::Parameters;
use quarry_types::{Error, ErrorCode, Position, Result};

/// First letter of the words that stand for parameters; no language writes words with it.
const SIGIL: char = 'ƻ';
/// Most parameters of a text, as often as they are named: their words must fit the shortest `{{a}}`.
const MOST: usize = 1_000;
/// Most items of a list.
const MOST_ITEMS: usize = 10_000;
/// Longest name.
const NAME: usize = 100;
/// Types whose name stands before a text: `date '2024-03-01'`.
const MOMENTS: [&str; 3] = ["date", "timestamp", "datetime"];

/// A text with words for its parameters, and what they stand for.
#[derive(Debug, Default)]
pub struct Bound {
    pub text: String,
    values: Vec<(String, Json)>,
}

/// Finds the parameters of a text. The text keeps its length, so that places in it stay what they are.
pub fn bind(text: &str, parameters: &Parameters) -> Result<Bound> {
    let text = optional(text, parameters);
    let mut bound = Bound::default();
    let mut rest = text.as_str();
    let mut comments = None;
    while let Some(found) = find(rest) {
        let start = text.len() - rest.len() + found.start;
        let (before, inside) = (&rest[..found.start], &rest[found.start..found.end]);
        bound.text.push_str(before);
        let value = match value(found.name, parameters) {
            Ok(value) => value,
            // Who comments a condition out wants to run the rest.
            Err(_) if is_within(comments.get_or_insert_with(|| comments_of(&text)), start) => {
                bound.text.push_str(inside);
                rest = &rest[found.end..];
                continue;
            }
            Err(message) => return Err(Error::new(ErrorCode::InvalidQuery, message).at(end_of(&bound.text))),
        };
        if bound.values.len() == MOST {
            let message = format!("The text has more than {MOST} parameters.");
            return Err(Error::new(ErrorCode::TooComplex, message).at(end_of(&bound.text)));
        }
        let mut word = format!("{SIGIL}{}", bound.values.len());
        let missing = inside.chars().count().saturating_sub(word.chars().count());
        word.push_str(&"_".repeat(missing));
        bound.text.push_str(&word);
        bound.values.push((word, value));
        rest = &rest[found.end..];
    }
    if !bound.values.is_empty() && text.contains(SIGIL) {
        return Err(Error::new(
            ErrorCode::InvalidQuery,
            format!("A text with parameters can't have the letter {SIGIL}."),
        ));
    }
    bound.text.push_str(rest);
    Ok(bound)
}

impl Bound {
    /// Refuses a parameter where a name or a part of one should be: it stands for a value.
    pub fn check(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        for token in tokens {
            let Token::Word(word) = &token.token else { continue };
            let stands_alone = word.quote_style.is_none() && self.values.iter().any(|(known, _)| *known == word.value);
            if word.value.contains(SIGIL) && !stands_alone {
                let at = Position { line: token.span.start.line, column: token.span.start.column };
                return Err(name_error().at(at));
            }
        }
        Ok(())
    }

    /// `timestamp {{at}}` as `timestamp '{{at}}'`, which the parser reads.
    pub fn quote_moments(&self, tokens: &mut [TokenWithSpan]) {
        let mut before: Option<usize> = None;
        for at in 0..tokens.len() {
            match &tokens[at].token {
                Token::Whitespace(Whitespace::Space | Whitespace::Newline | Whitespace::Tab) => continue,
                Token::Word(word)
                    if word.quote_style.is_none() && self.values.iter().any(|(known, _)| *known == word.value) =>
                {
                    let moment = before.is_some_and(|at| {
                        matches!(&tokens[at].token, Token::Word(word)
                        if word.quote_style.is_none() && MOMENTS.contains(&word.value.to_ascii_lowercase().as_str()))
                    });
                    if moment {
                        tokens[at].token = Token::SingleQuotedString(word.value.clone());
                    }
                }
                _ => {}
            }
            before = Some(at);
        }
    }

    /// Refuses a statement in which a word is left: it stands where no value can.
    pub fn check_filled(&self, statement: &Statement) -> Result<()> {
        let in_values = self.values.iter().any(|(_, value)| value.to_string().contains(SIGIL));
        if self.values.is_empty() || in_values || !statement.to_string().contains(SIGIL) {
            return Ok(());
        }
        Err(name_error())
    }

    /// What a word stands for: a value, or one item of a list.
    fn get(&self, word: &Ident) -> Option<&Json> {
        if word.quote_style.is_some() || !word.value.starts_with(SIGIL) {
            return None;
        }
        let (word, item) = match word.value.rsplit_once(SIGIL) {
            Some((word, item)) if !word.is_empty() => (word, Some(item)),
            _ => (word.value.as_str(), None),
        };
        let value = self.values.iter().find(|(known, _)| known == word).map(|(_, value)| value)?;
        match item {
            Some(item) => value.get(item.parse::<usize>().ok()?),
            None => Some(value),
        }
    }
}

/// A word where a name must stand, unless it stands for a parameter.
pub fn as_name(word: String) -> Result<String> {
    if word.contains(SIGIL) { Err(name_error()) } else { Ok(word) }
}

fn name_error() -> Error {
    Error::new(ErrorCode::InvalidQuery, "A parameter stands for a value, never for the name of a table or column.")
}

/// A parameter in a text, by byte places.
struct Found<'a> {
    start: usize,
    end: usize,
    name: &'a str,
}

fn find(text: &str) -> Option<Found<'_>> {
    let mut from = 0;
    while let Some(start) = text[from..].find("{{").map(|at| at + from) {
        let inside = &text[start + 2..];
        let end = inside.find("}}")?;
        let name = inside[..end].trim();
        let fine = |c: char| c.is_alphanumeric() || "_-. ".contains(c);
        if !name.is_empty() && name.len() <= NAME && name.chars().all(fine) {
            return Some(Found { start, end: start + 2 + end + 2, name });
        }
        from = start + 2;
    }
    None
}

/// The text without the optional parts whose parameters have no value, and without the brackets of the others.
fn optional(text: &str, parameters: &Parameters) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("[[") {
        let Some(length) = rest[start..].find("]]") else { break };
        let part = &rest[start + 2..start + length];
        out.push_str(&rest[..start]);
        if find(part).is_none() {
            // Lists of lists have such brackets too.
            out.push_str("[[");
            rest = &rest[start + 2..];
            continue;
        }
        let (mut inner, mut given) = (part, true);
        while let Some(found) = find(inner) {
            given &= is_given(found.name, parameters);
            inner = &inner[found.end..];
        }
        let blank = |part: &str| part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
        out.push_str("  ");
        out.push_str(&if given { part.to_string() } else { blank(part) });
        out.push_str("  ");
        rest = &rest[start + length + 2..];
    }
    out.push_str(rest);
    out
}

/// Whether a parameter, or the end of a range that is meant, has a value.
fn is_given(name: &str, parameters: &Parameters) -> bool {
    if let Some(value) = parameters.get(name) {
        return has_value(value);
    }
    let Some(range) = parameters.get(base(name)) else { return false };
    let range = range.get("value").filter(|_| range.get("type").is_some()).unwrap_or(range);
    ends(name).iter().find_map(|end| range.get(end)).is_some_and(has_value)
}

/// Whether a value says anything.
fn has_value(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(parts) if parts.contains_key("type") => parts.get("value").is_some_and(has_value),
        _ => true,
    }
}

/// The name of a range without its end: `days` of `days.start`.
fn base(name: &str) -> &str {
    let ends = [".start", ".end", ".from", ".to"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// What the end of a range that a name means is called in it.
fn ends(name: &str) -> [&'static str; 2] {
    if name.ends_with(".start") || name.ends_with(".from") { ["start", "from"] } else { ["end", "to"] }
}

/// The value of a parameter, its type checked.
fn value(name: &str, parameters: &Parameters) -> std::result::Result<Json, String> {
    let missing = || format!("There is no value for the parameter {name}.");
    let value = match parameters.get(name) {
        Some(value) => typed(name, value)?,
        None => {
            let range = typed(base(name), parameters.get(base(name)).ok_or_else(missing)?)?;
            ends(name).iter().find_map(|end| range.get(end)).cloned().ok_or_else(missing)?
        }
    };
    if lost_digits(&value) {
        return Err(format!(
            "The parameter {name} has a number that JSON does not keep to the last digit; write it in quotes."
        ));
    }
    Ok(value)
}

/// Whether a value holds a number beyond 64 bits: it was read as a double, and wei would lose their last digits.
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
    let wrong = |what: &str| format!("The value of the parameter {name} is no {what}.");
    match (kind.as_str(), &inner) {
        (_, Json::Null) => Ok(Json::Null),
        ("text", Json::String(_))
        | ("number", Json::Number(_))
        | ("list", Json::Array(_))
        | ("range", Json::Object(_)) => Ok(inner),
        ("text", other) => Ok(Json::String(other.to_string())),
        ("number", Json::String(digits)) if is_number(digits.trim()) => {
            // Kept as a marked text, since not every number fits JSON's.
            Ok(serde_json::json!({ "number": digits.trim() }))
        }
        ("number", _) => Err(wrong("number")),
        // As clients of PostgreSQL bind them.
        ("double", Json::String(digits)) if digits.trim().parse::<f64>().is_ok() => {
            Ok(serde_json::json!({ "double": digits.trim() }))
        }
        ("double", _) => Err(wrong("number")),
        ("interval" | "timestamp" | "day", Json::String(text)) => Ok(serde_json::json!({ (kind.as_str()): text })),
        ("interval" | "timestamp" | "day", _) => Err(wrong(kind)),
        ("date", Json::String(day)) if is_date(day) => Ok(inner),
        ("date", _) => Err(wrong("date such as 2024-03-01")),
        ("list", _) => Err(wrong("list")),
        ("range", _) => Err(wrong("range with a start and an end")),
        (other, _) => {
            Err(format!("The parameter {name} has the type {other}; there are text, number, date, range and list."))
        }
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

/// Where the comments of a text are, by byte places, in their order.
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

/// Whether a place lies in one of several ranges, which are in order.
fn is_within(ranges: &[Range<usize>], place: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= place);
    ranges.get(next).is_some_and(|range| range.start <= place)
}

/// The place behind a text.
fn end_of(text: &str) -> Position {
    let line = text.matches('\n').count() as u64 + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    Position { line, column }
}
