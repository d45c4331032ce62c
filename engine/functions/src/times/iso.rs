//! Dates and times as ISO 8601 writes them, and clocks of time zones as times.

use std::sync::Arc;

use arrow::array::timezone::Tz;
use arrow::array::{ArrayRef, AsArray, Date32Array, Int64Array, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use chrono::{NaiveDate, Offset, TimeZone, Weekday};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::convert::{times, utc};
use super::{DAY, beyond, micros, moment, time_needed, whole};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const TO_DOC: Doc = Doc {
    signature: "to_iso8601(time)",
    text: "A day or a time as ISO 8601 writes it.",
    example: "select to_iso8601(timestamp '2024-02-29 12:34:56')",
};
const DATE_DOC: Doc = Doc {
    signature: "from_iso8601_date(text)",
    text: "The day that a text says as ISO 8601 writes it: 2024-02-29, the week 2024-W09 or 2024-W09-4, or the day of the year 2024-060.",
    example: "select from_iso8601_date('2024-W09-4')",
};
const WITH_DOC: Doc = Doc {
    signature: "with_timezone(time, zone)",
    text: "The time at which the clocks of a time zone show what is given.",
    example: "select with_timezone(timestamp '2024-07-01 14:00:00', 'Europe/Berlin')",
};
const NANOS_DOC: Doc = Doc {
    signature: "from_unixtime_nanos(number)",
    text: "The time a number of nanoseconds after 1970-01-01 00:00:00, to the microsecond.",
    example: "select from_unixtime_nanos(1704067200000000000)",
};
const MILLIS_DOC: Doc = Doc {
    signature: "to_milliseconds(interval)",
    text: "The milliseconds of an interval of days, hours, minutes and seconds.",
    example: "select to_milliseconds(interval '90' second)",
};
const ZONE_DOC: Doc =
    Doc { signature: "current_timezone()", text: "Always UTC.", example: "select current_timezone()" };

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "to_iso8601",
            1..=1,
            Some(TO_DOC),
            |args| {
                time_needed("to_iso8601", args.arg_fields[0].data_type())?;
                Ok(Arc::new(Field::new("text", DataType::Utf8, true)))
            },
            |args, _| written(&args[0]),
        ),
        Simple::udf(
            "from_iso8601_date",
            1..=1,
            Some(DATE_DOC),
            |args| match args.arg_fields[0].data_type() {
                from if is_text(from) || from.is_null() => Ok(Arc::new(Field::new("day", DataType::Date32, true))),
                _ => Err(invalid("A text such as '2024-02-29' is needed here.")),
            },
            |args, _| {
                let read = |text: &str| {
                    let shown: String = text.chars().take(60).collect();
                    let day = day(text.trim()).ok_or_else(|| invalid(format!("'{shown}' is no day of ISO 8601.")))?;
                    Ok(day.signed_duration_since(NaiveDate::default()).num_days() as i32)
                };
                let rows = text_of(&args[0])?.into_iter().map(|text| text.map(read).transpose());
                Ok(Arc::new(rows.collect::<Result<Date32Array>>()?))
            },
        ),
        Simple::udf("with_timezone", 2..=2, Some(WITH_DOC), zoned, |args, _| in_zones(&args[0], &args[1])),
        Simple::udf(
            "from_unixtime_nanos",
            1..=1,
            Some(NANOS_DOC),
            |args| match args.arg_fields[0].data_type() {
                from if from.is_integer() || from.is_decimal() || from.is_null() => Ok(utc()),
                _ => Err(invalid("from_unixtime_nanos takes a whole number.")),
            },
            |args, _| {
                let rows = whole(&args[0])?.into_iter();
                Ok(times(rows.map(|nanos| nanos.map(|nanos| nanos.div_euclid(1_000))).collect()))
            },
        ),
        Simple::udf("to_milliseconds", 1..=1, Some(MILLIS_DOC), interval, |args, _| milliseconds(&args[0])),
        Simple::udf(
            "current_timezone",
            0..=0,
            Some(ZONE_DOC),
            |_| Ok(Arc::new(Field::new("zone", DataType::Utf8, false))),
            |_, _| Ok(Arc::new(StringArray::from(vec!["UTC"]))),
        ),
    ]
}

fn written(array: &ArrayRef) -> Result<ArrayRef> {
    let days = matches!(array.data_type(), DataType::Date32 | DataType::Date64);
    let zone = if matches!(array.data_type(), DataType::Timestamp(_, Some(_))) { "Z" } else { "" };
    let show = |time: i64| {
        let moment = moment(time)?;
        Ok(match (days, time.rem_euclid(1_000)) {
            (true, _) => moment.format("%Y-%m-%d").to_string(),
            (false, 0) => format!("{}{zone}", moment.format("%Y-%m-%dT%H:%M:%S%.3f")),
            (false, _) => format!("{}{zone}", moment.format("%Y-%m-%dT%H:%M:%S%.6f")),
        })
    };
    let rows = micros(array)?.into_iter().map(|time| time.map(show).transpose());
    Ok(Arc::new(rows.collect::<Result<StringArray>>()?))
}

/// A day of the calendar, of a week or of the year; without one the first.
fn day(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split('-');
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|sign| sign.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let year = number(parts.next()?, 4)? as i32;
    let (second, third) = (parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    match (second, third) {
        (None, _) => NaiveDate::from_ymd_opt(year, 1, 1),
        (Some(week), day) if week.starts_with('W') => {
            let day = day.map_or(Some(1), |day| number(day, 1)).filter(|day| (1..=7).contains(day))?;
            let day = Weekday::try_from(day as u8 - 1).ok()?;
            NaiveDate::from_isoywd_opt(year, number(&week[1..], 2)?, day)
        }
        (Some(day), None) if day.len() == 3 => NaiveDate::from_yo_opt(year, number(day, 3)?),
        (Some(month), day) => {
            let day = day.map_or(Some(1), |day| number(day, 2))?;
            NaiveDate::from_ymd_opt(year, number(month, 2)?, day)
        }
    }
}

fn zoned(args: &ReturnFieldArgs) -> Result<FieldRef> {
    time_needed("with_timezone", args.arg_fields[0].data_type())?;
    let zone = args.arg_fields[1].data_type();
    match is_text(zone) || zone.is_null() {
        true => Ok(utc()),
        false => Err(invalid("The time zone of with_timezone is a text such as 'Europe/Berlin'.")),
    }
}

fn in_zones(clocks: &ArrayRef, zones: &ArrayRef) -> Result<ArrayRef> {
    let rows = micros(clocks)?.into_iter().zip(text_of(zones)?);
    let time = |(shown, name): (Option<i64>, Option<&str>)| {
        let (Some(shown), Some(name)) = (shown, name) else { return Ok(None) };
        let zone = name.parse::<Tz>().map_err(|_| invalid(format!("There is no time zone {name}.")))?;
        let ahead = match zone.offset_from_local_datetime(&moment(shown)?).earliest() {
            Some(offset) => offset.fix().local_minus_utc(),
            // Clocks that are put forward never show this; it is read as if they had not been yet.
            None => zone.offset_from_utc_datetime(&moment(shown - DAY)?).fix().local_minus_utc(),
        };
        shown.checked_sub(i64::from(ahead) * 1_000_000).ok_or_else(beyond).map(Some)
    };
    Ok(times(rows.map(time).collect::<Result<_>>()?))
}

fn interval(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        DataType::Interval(_) | DataType::Duration(_) | DataType::Null => {
            Ok(Arc::new(Field::new("milliseconds", DataType::Int64, true)))
        }
        _ => Err(invalid("An interval is needed here, such as interval '90' second.")),
    }
}

fn milliseconds(array: &ArrayRef) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    if matches!(array.data_type(), DataType::Duration(_) | DataType::Null) {
        let held = cast_with_options(array, &DataType::Duration(TimeUnit::Millisecond), &options)?;
        return Ok(cast_with_options(&held, &DataType::Int64, &options)?);
    }
    let held = cast_with_options(array, &DataType::Interval(IntervalUnit::MonthDayNano), &options)?;
    let rows = held.as_primitive::<IntervalMonthDayNanoType>().iter().map(|interval| {
        let Some(interval) = interval else { return Ok(None) };
        if interval.months != 0 {
            return Err(invalid("Months have several lengths; to_milliseconds takes days and what is shorter."));
        }
        let days = i64::from(interval.days) * (DAY / 1_000);
        days.checked_add(interval.nanoseconds / 1_000_000).ok_or_else(beyond).map(Some)
    });
    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_iso_8601() {
        let date = |year, month, day| NaiveDate::from_ymd_opt(year, month, day);
        assert_eq!(day("2020-05-11"), date(2020, 5, 11));
        assert_eq!(day("2020-W10"), date(2020, 3, 2));
        assert_eq!(day("2020-W10-7"), date(2020, 3, 8));
        assert_eq!(day("2020-123"), date(2020, 5, 2));
        assert_eq!((day("2020"), day("2020-05")), (date(2020, 1, 1), date(2020, 5, 1)));
        for wrong in
            ["", "20", "2020-", "2020-W", "2020-W54", "2020-W10-8", "2020-366-1", "2021-366", "2020-5-11", "2020-é"]
        {
            assert_eq!(day(wrong), None, "{wrong}");
        }
    }
}
