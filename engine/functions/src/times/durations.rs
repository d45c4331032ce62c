//! Lengths of time as people write and read them: `parse_duration('42.8ms')`, `human_readable_seconds(96)`.

use arrow::array::DurationNanosecondArray;
use arrow::datatypes::{IntervalMonthDayNanoType, IntervalUnit, TimeUnit};

use super::values::{DAY, beyond, is_length};
use crate::prelude::*;

/// Units with their nanoseconds.
const UNITS: [(&str, f64); 7] =
    [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3_600e9), ("d", 86_400e9)];

/// Units in words, with their seconds.
const WORDS: [(&str, u64); 5] = [("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];

pub(super) fn udfs() -> [ScalarUDF; 3] {
    [
        doc(
            "parse_duration(text)",
            "The duration in a string such as '42.8ms', with the unit ns, us, ms, s, m, h or d.",
            "select parse_duration('42.8ms')",
        )
        .fallible()
        .udf(
            1..=1,
            takes([is_text], "Expected a string such as '42.8ms' here.", DataType::Duration(TimeUnit::Nanosecond)),
            |args, _| {
                map_rows::<DurationNanosecondArray, _, _>(text_of(&args[0])?, |text| {
                    let wrong = || invalid(format!("'{text:.60}' is not a valid duration; write it as 42.8ms or 3d."));
                    parse(text).ok_or_else(wrong)
                })
            },
        ),
        doc(
            "human_readable_seconds(seconds)",
            "A number of seconds as a string of weeks, days, hours, minutes and seconds.",
            "select human_readable_seconds(100000)",
        )
        .udf(
            1..=1,
            takes([DataType::is_numeric], "Expected a number of seconds here.", DataType::Utf8),
            |args, _| map_rows::<StringArray, _, _>(&float64s(&args[0])?, in_words),
        ),
        doc(
            "to_milliseconds(interval)",
            "The number of milliseconds in an interval of days, hours, minutes and seconds.",
            "select to_milliseconds(interval '90' second)",
        )
        .udf(
            1..=1,
            takes([is_length], "Expected an interval here, such as interval '90' second.", DataType::Int64),
            |args, _| milliseconds(&args[0]),
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

fn milliseconds(array: &ArrayRef) -> Result<ArrayRef> {
    if matches!(array.data_type(), DataType::Duration(_) | DataType::Null) {
        let millis = strict_cast(array, &DataType::Duration(TimeUnit::Millisecond))?;
        return Ok(strict_cast(&millis, &DataType::Int64)?);
    }
    let intervals = strict_cast(array, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    map_rows::<Int64Array, _, _>(intervals.as_primitive::<IntervalMonthDayNanoType>(), |interval| {
        if interval.months != 0 {
            return Err(invalid("Months vary in length; to_milliseconds expects days or shorter units."));
        }
        let days = i64::from(interval.days) * (DAY / 1_000);
        days.checked_add(interval.nanoseconds / 1_000_000).ok_or_else(beyond)
    })
}

fn in_words(seconds: f64) -> Result<String> {
    if seconds.is_nan() || seconds.abs() >= 1e18 {
        return Err(invalid("Expected a number of seconds here."));
    }
    let mut rest = seconds.abs().round() as u64;
    let mut parts = Vec::new();
    for (word, each) in WORDS {
        let count = rest / each;
        rest %= each;
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
