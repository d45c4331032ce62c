//! Times as text and back, in the three ways patterns are written.

use std::fmt::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, StringArray, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use chrono::NaiveDateTime;
use chrono::format::{Item, Parsed, StrftimeItems, parse};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{DAY, beyond, micros, moment, time_needed};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

macro_rules! doc {
    ($signature:literal, $text:literal, $example:literal) => {
        Some(Doc { signature: $signature, text: $text, example: $example })
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let text_of_time: fn(&ReturnFieldArgs) -> Result<FieldRef> = |args| {
        time_needed("date_format", args.arg_fields[0].data_type())?;
        Ok(Arc::new(Field::new("text", DataType::Utf8, true)))
    };
    let text: fn(&ReturnFieldArgs) -> Result<FieldRef> = |_| Ok(Arc::new(Field::new("text", DataType::Utf8, true)));
    vec![
        Simple::udf(
            "date_format",
            2..=2,
            doc!(
                "date_format(time, pattern)",
                "A time as text, by a pattern of Trino (%Y-%m-%d %H:%i) or Java (yyyy-MM-dd).",
                "select date_format(timestamp '2024-02-29 12:34:56', '%Y-%m-%d %H:%i')"
            ),
            text_of_time,
            |args, _| formatted(&args[0], &args[1], either),
        ),
        Simple::udf(
            "format_datetime",
            2..=2,
            doc!(
                "format_datetime(time, pattern)",
                "A time as text, by a pattern of Java; BigQuery's order and pattern work too.",
                "select format_datetime(timestamp '2024-02-29 12:34:56', 'yyyy-MM-dd HH:mm')"
            ),
            text,
            |args, _| match is_text(args[0].data_type()) {
                true => formatted(&args[1], &args[0], strftime),
                false => formatted(&args[0], &args[1], java),
            },
        ),
        Simple::udf(
            "format_date",
            2..=2,
            doc!(
                "format_date(pattern, time)",
                "A time as text, by a pattern of BigQuery (strftime).",
                "select format_date('%Y-%m', date '2024-02-29')"
            ),
            text,
            |args, _| formatted(&args[1], &args[0], strftime),
        )
        .with_aliases(["format_timestamp"]),
        Simple::udf(
            "date_parse",
            2..=2,
            doc!(
                "date_parse(text, pattern)",
                "The time that a text says, by a pattern of Trino (%Y-%m-%d %H:%i).",
                "select date_parse('2024-02-29 12:34', '%Y-%m-%d %H:%i')"
            ),
            |_| Ok(time_field()),
            |args, _| parsed_times(&args[0], &args[1], either),
        ),
        Simple::udf(
            "parse_timestamp",
            2..=2,
            doc!(
                "parse_timestamp(pattern, text)",
                "The time that a text says, by a pattern of BigQuery (strftime).",
                "select parse_timestamp('%Y-%m-%d %H:%M', '2024-02-29 12:34')"
            ),
            |_| Ok(time_field()),
            |args, _| parsed_times(&args[1], &args[0], strftime),
        ),
        Simple::udf(
            "parse_datetime",
            2..=2,
            doc!(
                "parse_datetime(text, pattern)",
                "The time that a text says, by a pattern of Java; BigQuery's order and pattern work too.",
                "select parse_datetime('2024-02-29 12:34', 'yyyy-MM-dd HH:mm')"
            ),
            |_| Ok(time_field()),
            |args, _| {
                // BigQuery writes the pattern first, and its patterns have a sign that no time has.
                if text_of(&args[0])?.iter().flatten().any(|text| text.contains('%')) {
                    parsed_times(&args[1], &args[0], strftime)
                } else {
                    parsed_times(&args[0], &args[1], either)
                }
            },
        ),
        Simple::udf(
            "parse_date",
            2..=2,
            doc!(
                "parse_date(pattern, text)",
                "The day that a text says, by a pattern of BigQuery (strftime).",
                "select parse_date('%Y%m%d', '20240229')"
            ),
            |_| Ok(Arc::new(Field::new("day", DataType::Date32, true))),
            |args, _| {
                let days = parsed(&args[1], &args[0], strftime)?.into_iter();
                Ok(Arc::new(days.map(|time| time.map(|time| time.div_euclid(DAY) as i32)).collect::<Date32Array>()))
            },
        ),
    ]
}

fn time_field() -> FieldRef {
    Arc::new(Field::new("time", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())), true))
}

/// Turns a pattern of some language into one of strftime.
pub(super) type Translate = fn(&str) -> Result<String>;

pub(super) fn formatted(times: &ArrayRef, patterns: &ArrayRef, translate: Translate) -> Result<ArrayRef> {
    let mut last: Option<(String, String)> = None;
    let mut texts: Vec<Option<String>> = Vec::with_capacity(times.len());
    for (time, pattern) in micros(times)?.into_iter().zip(text_of(patterns)?) {
        let (Some(time), Some(pattern)) = (time, pattern) else {
            texts.push(None);
            continue;
        };
        if last.as_ref().is_none_or(|(known, _)| known != pattern) {
            last = Some((pattern.to_string(), checked(pattern, translate)?));
        }
        let mut text = String::new();
        let items = last.iter().flat_map(|(_, translated)| StrftimeItems::new(translated));
        write!(text, "{}", moment(time)?.and_utc().format_with_items(items))
            .map_err(|_| invalid(format!("'{pattern}' is no pattern of a time.")))?;
        texts.push(Some(text));
    }
    Ok(Arc::new(StringArray::from(texts)))
}

/// A pattern of strftime that has only what it knows.
fn checked(pattern: &str, translate: Translate) -> Result<String> {
    let translated = translate(pattern)?;
    if StrftimeItems::new(&translated).any(|item| matches!(item, Item::Error)) {
        return Err(invalid(format!("'{pattern}' is no pattern of a time.")));
    }
    Ok(translated)
}

fn parsed_times(texts: &ArrayRef, patterns: &ArrayRef, translate: Translate) -> Result<ArrayRef> {
    Ok(Arc::new(TimestampMicrosecondArray::from(parsed(texts, patterns, translate)?).with_timezone("UTC")))
}

/// Microseconds since 1970 of what texts say by their patterns.
pub(super) fn parsed(texts: &ArrayRef, patterns: &ArrayRef, translate: Translate) -> Result<Vec<Option<i64>>> {
    let rows = text_of(texts)?.into_iter().zip(text_of(patterns)?);
    let read = |(text, pattern): (Option<&str>, Option<&str>)| {
        let (Some(text), Some(pattern)) = (text, pattern) else { return Ok(None) };
        // A fraction of a second has as many digits as it has.
        let translated = checked(pattern, translate)?.replace(".%6f", "%.f").replace(".%f", "%.f");
        let mut parts = Parsed::new();
        let fits = parse(&mut parts, text, StrftimeItems::new(&translated)).is_ok();
        // Seconds since 1970 say it all.
        if let Some(seconds) = parts.timestamp().filter(|_| fits) {
            return seconds.checked_mul(1_000_000).map(Some).ok_or_else(beyond);
        }
        // A year and a month alone mean the first day.
        if parts.day().is_none() && parts.ordinal().is_none() {
            let _ = parts.set_day(1);
            if parts.month().is_none() {
                let _ = parts.set_month(1);
            }
            // A time of day alone is one of the first day of all.
            if parts.year().is_none() && parts.year_mod_100().is_none() {
                let _ = parts.set_year(1970);
            }
        }
        let day = parts.to_naive_date().ok().filter(|_| fits);
        // An hour alone is a whole one, without a word on which half of the day of the first half; minutes alone are of the
        // first hour.
        if parts.hour_mod_12().is_none() {
            let _ = parts.set_hour(0);
        } else if parts.hour_div_12().is_none() {
            let _ = parts.set_ampm(false);
        }
        if parts.minute().is_none() {
            let _ = parts.set_minute(0);
        }
        let time = parts.to_naive_time().ok();
        // What is before UTC is later there.
        let ahead = i64::from(parts.offset().unwrap_or_default()) * 1_000_000;
        let moment =
            day.zip(time).map(|(day, time)| NaiveDateTime::new(day, time).and_utc().timestamp_micros() - ahead);
        moment.map(Some).ok_or_else(|| invalid(format!("'{text}' is no time of the pattern '{pattern}'.")))
    };
    rows.map(read).collect()
}

fn strftime(pattern: &str) -> Result<String> {
    Ok(pattern.to_string())
}

/// Trino's patterns have percent signs, Java's have not.
fn either(pattern: &str) -> Result<String> {
    if pattern.contains('%') { mysql(pattern) } else { java(pattern) }
}

/// MySQL's patterns, which Trino uses.
fn mysql(pattern: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        out.push_str(match rest.next() {
            Some('i') => "%M",
            Some('M') => "%B",
            Some('W') => "%A",
            Some('c') => "%-m",
            Some('e') => "%-d",
            Some('f') => "%6f",
            Some('h' | 'I') => "%I",
            Some('k') => "%-H",
            Some('l') => "%-I",
            Some('r') => "%I:%M:%S %p",
            Some('s' | 'S') => "%S",
            Some('T') => "%H:%M:%S",
            Some('v') => "%V",
            Some('x') => "%G",
            Some('a') => "%a",
            Some('b') => "%b",
            Some('d') => "%d",
            Some('H') => "%H",
            Some('j') => "%j",
            Some('m') => "%m",
            Some('p') => "%p",
            Some('Y') => "%Y",
            Some('y') => "%y",
            Some('%') => "%%",
            _ => return Err(invalid(format!("'{pattern}' is no pattern of a time."))),
        });
    }
    Ok(out)
}

/// Java's patterns: letters repeat, text stands in quotes.
pub(super) fn java(pattern: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '\'' {
            if rest.next_if_eq(&'\'').is_some() {
                out.push('\'');
                continue;
            }
            for quoted in rest.by_ref().take_while(|c| *c != '\'') {
                out.push_str(if quoted == '%' { "%%" } else { "" });
                out.extend((quoted != '%').then_some(quoted));
            }
            continue;
        }
        if !c.is_ascii_alphabetic() {
            out.push_str(if c == '%' { "%" } else { "" });
            out.push(c);
            continue;
        }
        let mut count = 1;
        while rest.next_if_eq(&c).is_some() {
            count += 1;
        }
        out.push_str(match (c, count) {
            ('y' | 'Y' | 'u', 2) => "%y",
            ('y' | 'Y' | 'u', _) => "%Y",
            ('M' | 'L', 1) => "%-m",
            ('M' | 'L', 2) => "%m",
            ('M' | 'L', 3) => "%b",
            ('M' | 'L', _) => "%B",
            ('d', 1) => "%-d",
            ('d', 2) => "%d",
            ('D', _) => "%j",
            ('H', 1) => "%-H",
            ('H', 2) => "%H",
            ('h', 1) => "%-I",
            ('h', 2) => "%I",
            ('m', 1) => "%-M",
            ('m', 2) => "%M",
            ('s', 1) => "%-S",
            ('s', 2) => "%S",
            ('Z', 1) => "%z",
            ('Z', _) => "%:z",
            ('S', 3) => "%3f",
            ('S', 6) => "%6f",
            ('a', _) => "%p",
            ('x', _) => "%G",
            ('w', 1) => "%-V",
            ('w', _) => "%V",
            ('e', _) => "%u",
            ('S', 9) => "%9f",
            ('E', 4) => "%A",
            ('E', _) => "%a",
            _ => return Err(invalid(format!("'{pattern}' is no pattern of a time."))),
        });
    }
    Ok(out)
}
