//! Intervals as values: `interval '1-2' year to month`, `interval (x + 1) day`.

use datafusion::sql::sqlparser::ast::{Expr, Interval, Value};

use crate::ast::{call, cast, not_allowed, text};
use quarry_functions::hive::intervals;
use quarry_types::Error;

/// A unit of an interval by its word, in the singular.
pub(crate) fn interval_unit(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let units = ["year", "month", "week", "day", "hour", "minute", "second"];
    units.into_iter().find(|unit| word == *unit || word.strip_suffix('s') == Some(unit))
}

enum Length {
    Months(i32),
    Nanos(i64),
}

/// The value of an interval.
pub(super) fn interval_value(interval: Interval) -> Result<Expr, Box<Error>> {
    let first = interval.leading_field.as_ref().map(|field| interval_unit(&field.to_string()));
    let last = interval.last_field.as_ref().map(|field| interval_unit(&field.to_string()));
    let literal = match interval.value.as_ref() {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::Number(text, _) => Some(text.trim()),
            _ => None,
        },
        _ => None,
    };
    let length = match (literal, first, last) {
        (None, Some(Some(unit)), None) => return Ok(call("hive_interval", vec![*interval.value, text(unit)])),
        (Some(text), Some(Some("year")), Some(Some("month"))) => intervals::parse_months(text).map(Length::Months),
        (Some(text), Some(Some("day")), Some(Some("second"))) => intervals::parse_nanos(text).map(Length::Nanos),
        (Some(digits), Some(Some(unit)), None) => length_of(digits, unit),
        (Some(words), None, None) => sum_of(words),
        _ => None,
    };
    match length {
        Some(Length::Months(months)) => cast(text(&intervals::format_months(months)), "interval_year_month"),
        Some(Length::Nanos(nanos)) => cast(text(&intervals::format_nanos(nanos)), "interval_day_time"),
        None => {
            Err(not_allowed("Write an interval as interval '3' day, '1-2' year to month or '1 2:03:04' day to second."))
        }
    }
}

fn length_of(digits: &str, unit: &str) -> Option<Length> {
    let nanos = match unit {
        "year" => return Some(Length::Months(digits.parse::<i32>().ok()?.checked_mul(12)?)),
        "month" => return Some(Length::Months(digits.parse().ok()?)),
        "second" if digits.contains('.') => {
            let seconds = digits.parse::<f64>().ok().filter(|seconds| seconds.abs() < 9e9)?;
            (seconds * intervals::length("second") as f64).round() as i64
        }
        unit => digits.parse::<i64>().ok()?.checked_mul(intervals::length(unit))?,
    };
    Some(Length::Nanos(nanos))
}

/// `1 day 2 hours`.
fn sum_of(text: &str) -> Option<Length> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lengths = words.chunks(2).map(|pair| match pair {
        [digits, word] => length_of(digits, interval_unit(word)?),
        _ => None,
    });
    lengths.reduce(|sum, next| match (sum?, next?) {
        (Length::Months(a), Length::Months(b)) => a.checked_add(b).map(Length::Months),
        (Length::Nanos(a), Length::Nanos(b)) => a.checked_add(b).map(Length::Nanos),
        _ => None,
    })?
}
