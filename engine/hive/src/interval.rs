//! Intervals: `interval '1-2' year to month`, `interval (x + 1) day`, and `2 days` without the word.

use datafusion::sql::sqlparser::ast::{Expr, Interval, Value};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::build::{call, invalid, text, typed};
use super::tokens::{Tokens, is_word};
use quarry_functions::hive::intervals;
use quarry_types::Error;

const UNITS: [&str; 7] = ["year", "month", "week", "day", "hour", "minute", "second"];

/// A unit by its word, in the singular.
fn unit(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    UNITS.into_iter().find(|unit| word == *unit || word.strip_suffix('s') == Some(unit))
}

/// An interval as the value that it is.
pub(super) fn value(interval: Interval) -> Result<Expr, Box<Error>> {
    let first = interval.leading_field.as_ref().map(|field| field.to_string().to_lowercase());
    let last = interval.last_field.as_ref().map(|field| field.to_string().to_lowercase());
    let written = match interval.value.as_ref() {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::Number(text, _) => Some(text.trim().to_string()),
            _ => None,
        },
        _ => None,
    };
    let wrong =
        || invalid("An interval is written as interval '3' day, '1-2' year to month or '1 2:03:04' day to second.");
    let Some(written) = written else {
        let unit = first.as_deref().and_then(unit).filter(|_| last.is_none()).ok_or_else(wrong)?;
        return Ok(call("hive_interval", vec![*interval.value, text(unit)]));
    };
    let read = match (first.as_deref().map(unit), last.as_deref().map(unit)) {
        (Some(Some("year")), Some(Some("month"))) => intervals::parse_months(&written).map(Read::Months),
        (Some(Some("day")), Some(Some("second"))) => intervals::parse_nanos(&written).map(Read::Nanos),
        (Some(Some(unit)), None) => of_unit(&written, unit),
        (None, None) => of_words(&written),
        _ => None,
    };
    match read.ok_or_else(wrong)? {
        Read::Months(months) => typed(text(&intervals::show_months(months)), "interval_year_month"),
        Read::Nanos(nanos) => typed(text(&intervals::show_nanos(nanos)), "interval_day_time"),
    }
}

enum Read {
    Months(i32),
    Nanos(i64),
}

fn of_unit(digits: &str, unit: &str) -> Option<Read> {
    let nanos = match unit {
        "year" => return Some(Read::Months(digits.parse::<i32>().ok()?.checked_mul(12)?)),
        "month" => return Some(Read::Months(digits.parse().ok()?)),
        "second" if digits.contains('.') => {
            let seconds = digits.parse::<f64>().ok().filter(|seconds| seconds.abs() < 9e9)?;
            (seconds * intervals::length("second") as f64).round() as i64
        }
        unit => digits.parse::<i64>().ok()?.checked_mul(intervals::length(unit))?,
    };
    Some(Read::Nanos(nanos))
}

/// `1 day 2 hours`.
fn of_words(text: &str) -> Option<Read> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [digits, word] => of_unit(digits, unit(word)?),
        _ => None,
    });
    pairs.reduce(|sum, next| match (sum?, next?) {
        (Read::Months(a), Read::Months(b)) => a.checked_add(b).map(Read::Months),
        (Read::Nanos(a), Read::Nanos(b)) => a.checked_add(b).map(Read::Nanos),
        _ => None,
    })?
}

/// Puts the word INTERVAL before `2 days` and `(x + 1) days`.
pub(super) fn spell_out(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut opened: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_unit =
            matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && unit(&word.value).is_some());
        let called = tokens.get(index + 1).is_some_and(|next| next.token == Token::LParen);
        let mut closed = None;
        match &token.token {
            Token::LParen => opened.push(out.len()),
            Token::RParen => closed = opened.pop(),
            _ if is_unit && !called => {
                let start = match out.last().map(|last| &last.token) {
                    Some(Token::Number(..)) => Some(out.len() - 1),
                    _ => None,
                };
                if let Some(start) = start.filter(|start| !after_interval(&out, *start)) {
                    let span = out[start].span;
                    out.insert(start, TokenWithSpan { token: Token::make_word("interval", None), span });
                }
            }
            _ => {}
        }
        out.push(token.clone());
        let unit_next = tokens.get(index + 1).is_some_and(
            |next| matches!(&next.token, Token::Word(word) if word.quote_style.is_none() && unit(&word.value).is_some()),
        );
        if let Some(start) = closed.filter(|start| unit_next && is_operand(&out, *start)) {
            let span = out[start].span;
            out.insert(start, TokenWithSpan { token: Token::make_word("interval", None), span });
        }
    }
    out
}

/// `floor(x to month)` is `floor_month(x)`.
pub(super) fn floors(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut opened: Vec<usize> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        match &token.token {
            Token::LParen => opened.push(out.len()),
            Token::RParen => {
                opened.pop();
            }
            word if is_word(word, "to") => {
                let floor = opened.last().and_then(|open| open.checked_sub(1));
                let floor = floor.filter(|floor| is_word(&out[*floor].token, "floor"));
                let unit = rest.peek().and_then(|next| match &next.token {
                    Token::Word(word) if word.value.eq_ignore_ascii_case("quarter") => Some("quarter"),
                    Token::Word(word) => unit(&word.value),
                    _ => None,
                });
                if let (Some(floor), Some(unit)) = (floor, unit) {
                    out[floor].token = Token::make_word(&format!("floor_{unit}"), None);
                    rest.next();
                    continue;
                }
            }
            _ => {}
        }
        out.push(token);
    }
    out
}

fn after_interval(tokens: &[TokenWithSpan], at: usize) -> bool {
    at > 0 && is_word(&tokens[at - 1].token, "interval")
}

/// Whether the parentheses that open here are a value of their own: neither the arguments of a call nor a query.
fn is_operand(tokens: &[TokenWithSpan], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| &tokens[at].token);
    let query = tokens
        .get(at + 1)
        .is_some_and(|inner| ["select", "from", "with"].iter().any(|word| is_word(&inner.token, word)));
    let operator = match before {
        Some(Token::Plus | Token::Minus | Token::Eq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq) => true,
        Some(token) => is_word(token, "select"),
        None => false,
    };
    operator && !query
}
