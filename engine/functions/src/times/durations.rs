//! Lengths of time as people write and read them: `parse_duration('42.8ms')`, `human_readable_seconds(96)`.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, DurationNanosecondArray, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, Float64Type, TimeUnit};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const PARSE_DOC: Doc = Doc {
    signature: "parse_duration(text)",
    text: "The length of time that a number and a unit (ns, us, ms, s, m, h or d) say.",
    example: "select parse_duration('42.8ms')",
};
const READABLE_DOC: Doc = Doc {
    signature: "human_readable_seconds(seconds)",
    text: "A number of seconds in weeks, days, hours, minutes and seconds.",
    example: "select human_readable_seconds(100000)",
};

/// Units with their nanoseconds.
const UNITS: [(&str, f64); 7] =
    [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3_600e9), ("d", 86_400e9)];

/// The same in words, with their seconds.
const WORDS: [(&str, u64); 5] = [("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "parse_duration",
            1..=1,
            Some(PARSE_DOC),
            |args| match args.arg_fields[0].data_type() {
                from if is_text(from) || from.is_null() => {
                    Ok(Arc::new(Field::new("duration", DataType::Duration(TimeUnit::Nanosecond), true)))
                }
                _ => Err(invalid("A text such as '42.8ms' is needed here.")),
            },
            |args, _| {
                let read = |text: &str| {
                    let shown: String = text.chars().take(60).collect();
                    parse(text).ok_or_else(|| invalid(format!("'{shown}' is no length of time such as 42.8ms or 3d.")))
                };
                let rows = text_of(&args[0])?.into_iter().map(|text| text.map(read).transpose());
                Ok(Arc::new(rows.collect::<Result<DurationNanosecondArray>>()?))
            },
        ),
        Simple::udf(
            "human_readable_seconds",
            1..=1,
            Some(READABLE_DOC),
            |args| match args.arg_fields[0].data_type() {
                from if from.is_numeric() || from.is_null() => Ok(Arc::new(Field::new("text", DataType::Utf8, true))),
                _ => Err(invalid("A number of seconds is needed here.")),
            },
            |args, _| readable(&args[0]),
        ),
    ]
}

fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(end);
    let (_, each) = UNITS.iter().find(|(known, _)| *known == unit.trim_start())?;
    let nanos = number.parse::<f64>().ok()? * each;
    (nanos < 9.2e18).then_some(nanos.round() as i64)
}

fn readable(array: &ArrayRef) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let seconds = cast_with_options(array, &DataType::Float64, &options)?;
    let texts = seconds.as_primitive::<Float64Type>().iter().map(|seconds| seconds.map(in_words).transpose());
    Ok(Arc::new(texts.collect::<Result<StringArray>>()?))
}

fn in_words(seconds: f64) -> Result<String> {
    if seconds.is_nan() || seconds.abs() >= 1e18 {
        return Err(invalid("A number of seconds is needed here."));
    }
    let mut left = seconds.abs().round() as u64;
    let mut parts = Vec::new();
    for (word, each) in WORDS {
        let count = left / each;
        left %= each;
        if count > 0 {
            parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
        }
    }
    let text = if parts.is_empty() { "0 seconds".to_string() } else { parts.join(", ") };
    Ok(if seconds.round() < 0.0 { format!("-({text})") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        assert_eq!(parse("42.8ms"), Some(42_800_000));
        assert_eq!(parse(" 3 d "), Some(259_200_000_000_000));
        assert_eq!(parse("1ns"), Some(1));
        for wrong in ["", "5", "ms", "1.2.3s", "-1s", "5 years", "999999999d"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(in_words(96.0).unwrap(), "1 minute, 36 seconds");
        assert_eq!(in_words(3762.0).unwrap(), "1 hour, 2 minutes, 42 seconds");
        assert_eq!(in_words(56_363_463.0).unwrap(), "93 weeks, 1 day, 8 hours, 31 minutes, 3 seconds");
        assert_eq!(in_words(0.4).unwrap(), "0 seconds");
        assert_eq!(in_words(-61.0).unwrap(), "-(1 minute, 1 second)");
        assert!(in_words(f64::NAN).is_err() && in_words(f64::INFINITY).is_err());
    }
}
