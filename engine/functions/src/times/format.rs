//! Times as text and back, by patterns of strftime, MySQL (which Trino uses) and Java.

use std::fmt::Write;

use chrono::NaiveDateTime;
use chrono::format::{Item, Parsed, StrftimeItems, parse};

use super::values::{beyond, micros, moment, takes_time, times_of, utc_type};
use crate::prelude::*;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        doc(
            "date_format(time, pattern)",
            "A timestamp as a string, formatted with a Trino (%Y-%m-%d %H:%i) or Java (yyyy-MM-dd) pattern.",
            "select date_format(timestamp '2024-02-29 12:34:56', '%Y-%m-%d %H:%i')",
        )
        .udf(2..=2, takes_time("date_format", DataType::Utf8), |args, _| formatted(&args[0], &args[1], mysql_or_java)),
        doc(
            "format_datetime(time, pattern)",
            "A timestamp as a string, formatted with a Java pattern; BigQuery's argument order and patterns work too.",
            "select format_datetime(timestamp '2024-02-29 12:34:56', 'yyyy-MM-dd HH:mm')",
        )
        .udf(2..=2, returns(DataType::Utf8), |args, _| match is_text(args[0].data_type()) {
            true => formatted(&args[1], &args[0], strftime),
            false => formatted(&args[0], &args[1], java),
        }),
        doc(
            "format_date(pattern, time)",
            "A timestamp as a string, formatted with a BigQuery (strftime) pattern.",
            "select format_date('%Y-%m', date '2024-02-29')",
        )
        .aliases(["format_timestamp"])
        .udf(2..=2, returns(DataType::Utf8), |args, _| formatted(&args[1], &args[0], strftime)),
        doc(
            "date_parse(text, pattern)",
            "The timestamp in a string, parsed with a Trino pattern (%Y-%m-%d %H:%i).",
            "select date_parse('2024-02-29 12:34', '%Y-%m-%d %H:%i')",
        )
        .fallible()
        .udf(2..=2, returns(utc_type()), |args, to| parsed_times(&args[0], &args[1], mysql_or_java, to)),
        doc(
            "parse_timestamp(pattern, text)",
            "The timestamp in a string, parsed with a BigQuery (strftime) pattern.",
            "select parse_timestamp('%Y-%m-%d %H:%M', '2024-02-29 12:34')",
        )
        .fallible()
        .udf(2..=2, returns(utc_type()), |args, to| parsed_times(&args[1], &args[0], strftime, to)),
        doc(
            "parse_datetime(text, pattern)",
            "The timestamp in a string, parsed with a Java pattern; BigQuery's argument order and patterns work too.",
            "select parse_datetime('2024-02-29 12:34', 'yyyy-MM-dd HH:mm')",
        )
        .fallible()
        .udf(2..=2, returns(utc_type()), |args, to| {
            // BigQuery writes the pattern first, and its patterns have a sign that no time has.
            match text_of(&args[0])?.iter().flatten().any(|text| text.contains('%')) {
                true => parsed_times(&args[1], &args[0], strftime, to),
                false => parsed_times(&args[0], &args[1], mysql_or_java, to),
            }
        }),
        doc(
            "parse_date(pattern, text)",
            "The date in a string, parsed with a BigQuery (strftime) pattern.",
            "select parse_date('%Y%m%d', '20240229')",
        )
        .fallible()
        .udf(2..=2, returns(DataType::Date32), |args, to| parsed_times(&args[1], &args[0], strftime, to)),
    ]
}

/// Translates a pattern of another language to strftime.
pub(super) type Translate = fn(&str) -> Result<String>;

pub(super) fn formatted(times: &ArrayRef, patterns: &ArrayRef, translate: Translate) -> Result<ArrayRef> {
    let mut last = None;
    zip_rows::<StringArray, _, _, _>(micros(times)?, text_of(patterns)?, |time, pattern| {
        let strftime = reuse_last(&mut last, pattern, |pattern| checked(pattern, translate))?;
        let mut text = String::new();
        write!(text, "{}", moment(time)?.and_utc().format(strftime)).map_err(|_| no_pattern(pattern))?;
        Ok(text)
    })
}

fn no_pattern(pattern: &str) -> DataFusionError {
    invalid(format!("'{pattern}' is not a valid datetime pattern."))
}

/// A translated pattern without unknown fields.
fn checked(pattern: &str, translate: Translate) -> Result<String> {
    let translated = translate(pattern)?;
    match StrftimeItems::new(&translated).any(|item| matches!(item, Item::Error)) {
        true => Err(no_pattern(pattern)),
        false => Ok(translated),
    }
}

fn parsed_times(texts: &ArrayRef, patterns: &ArrayRef, translate: Translate, to: &Field) -> Result<ArrayRef> {
    Ok(times_of(parsed(texts, patterns, translate)?, to.data_type()))
}

/// Microseconds since 1970 of what texts say by their patterns.
pub(super) fn parsed(texts: &ArrayRef, patterns: &ArrayRef, translate: Translate) -> Result<Vec<Option<i64>>> {
    let rows = text_of(texts)?.into_iter().zip(text_of(patterns)?);
    let read = |(text, pattern): (Option<&str>, Option<&str>)| {
        let (Some(text), Some(pattern)) = (text, pattern) else { return Ok(None) };
        // A fraction of a second has as many digits as it has.
        let translated = checked(pattern, translate)?.replace(".%6f", "%.f").replace(".%f", "%.f");
        let mut fields = Parsed::new();
        let fits = parse(&mut fields, text, StrftimeItems::new(&translated)).is_ok();
        // Seconds since 1970 are a whole time.
        if let Some(seconds) = fields.timestamp().filter(|_| fits) {
            return seconds.checked_mul(1_000_000).map(Some).ok_or_else(beyond);
        }
        // A year and a month alone mean the first day.
        if fields.day().is_none() && fields.ordinal().is_none() {
            let _ = fields.set_day(1);
            if fields.month().is_none() {
                let _ = fields.set_month(1);
            }
            // A time of day alone is of 1970-01-01.
            if fields.year().is_none() && fields.year_mod_100().is_none() {
                let _ = fields.set_year(1970);
            }
        }
        let day = fields.to_naive_date().ok().filter(|_| fits);
        // An hour alone has no minutes, and without AM or PM it is in the morning; minutes alone are of the first hour.
        if fields.hour_mod_12().is_none() {
            let _ = fields.set_hour(0);
        } else if fields.hour_div_12().is_none() {
            let _ = fields.set_ampm(false);
        }
        if fields.minute().is_none() {
            let _ = fields.set_minute(0);
        }
        let time = fields.to_naive_time().ok();
        // A zone ahead of UTC shows a time earlier.
        let ahead = i64::from(fields.offset().unwrap_or_default()) * 1_000_000;
        let moment =
            day.zip(time).map(|(day, time)| NaiveDateTime::new(day, time).and_utc().timestamp_micros() - ahead);
        moment.map(Some).ok_or_else(|| invalid(format!("'{text}' does not match the pattern '{pattern}'.")))
    };
    rows.map(read).collect()
}

fn strftime(pattern: &str) -> Result<String> {
    Ok(pattern.to_string())
}

/// Trino's patterns have percent signs, Java's have not.
fn mysql_or_java(pattern: &str) -> Result<String> {
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
            Some(same @ ('a' | 'b' | 'd' | 'H' | 'j' | 'm' | 'p' | 'Y' | 'y' | '%')) => {
                out.push('%');
                out.push(same);
                continue;
            }
            _ => return Err(no_pattern(pattern)),
        });
    }
    Ok(out)
}

/// Java's patterns: letters repeat, and text is in quotes.
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
            ('D', 1) => "%-j",
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
            ('S', 9) => "%9f",
            ('a', _) => "%p",
            ('x', _) => "%G",
            ('w', 1) => "%-V",
            ('w', _) => "%V",
            ('e', _) => "%u",
            ('E', 4) => "%A",
            ('E', _) => "%a",
            _ => return Err(no_pattern(pattern)),
        });
    }
    Ok(out)
}
