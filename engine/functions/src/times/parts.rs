//! Parts of a time as functions: `year(t)`, `day_of_week(t)` …

use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};
use chrono::{Datelike, NaiveDateTime, Timelike};

use super::values::{check_time, is_length, micros, moment};
use crate::prelude::*;

macro_rules! part {
    ($name:literal, $aliases:expr, $text:literal, $part:expr) => {
        doc(concat!($name, "(time)"), $text, concat!("select ", $name, "(timestamp '2024-02-29 12:34:56')"))
            .aliases($aliases)
            .udf(1..=1, |args| part_field($name, args), |args, _| parts($name, &args[0], $part))
    };
}

const NONE: [&str; 0] = [];

const SECOND_NANOS: i64 = 1_000_000_000;
const HOUR_NANOS: i64 = 3_600 * SECOND_NANOS;
const DAY_NANOS: i64 = 24 * HOUR_NANOS;

/// A part of a length of time, which has months, days and nanoseconds apart: an hour is from 0 to 23, as in Trino.
pub(super) fn part_of_length(part: &str) -> Option<fn(IntervalMonthDayNano) -> i64> {
    let part: fn(IntervalMonthDayNano) -> i64 = match part {
        "year" => |length| (length.months / 12).into(),
        "month" => |length| (length.months % 12).into(),
        "day" => |length| i64::from(length.days) + length.nanoseconds / DAY_NANOS,
        "hour" => |length| length.nanoseconds % DAY_NANOS / HOUR_NANOS,
        "minute" => |length| length.nanoseconds % HOUR_NANOS / (60 * SECOND_NANOS),
        "second" => |length| length.nanoseconds % (60 * SECOND_NANOS) / SECOND_NANOS,
        "millisecond" => |length| length.nanoseconds % SECOND_NANOS / 1_000_000,
        _ => return None,
    };
    Some(part)
}

/// A part of each length of time.
pub(super) fn parts_of_lengths(array: &ArrayRef, part: fn(IntervalMonthDayNano) -> i64) -> Result<ArrayRef> {
    let lengths = cast(array, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let lengths = lengths.as_primitive::<IntervalMonthDayNanoType>();
    Ok(Arc::new(lengths.unary::<_, Int64Type>(part)))
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        part!("year", NONE, "The year of a timestamp.", |time| time.year().into()),
        part!("decade", NONE, "The decade of a timestamp: its year without the last digit.", |time| {
            time.year().div_euclid(10).into()
        }),
        part!("century", NONE, "The century of a timestamp; the first one began with the year 1.", |time| {
            since_year_one(time.year(), 100)
        }),
        part!("millennium", NONE, "The millennium of a timestamp; the first one began with the year 1.", |time| {
            since_year_one(time.year(), 1000)
        }),
        part!("quarter", NONE, "The quarter of a timestamp, starting at 1.", |time| i64::from(time.month0() / 3 + 1)),
        part!("month", NONE, "The month of a timestamp, starting at 1.", |time| time.month().into()),
        part!("week", ["week_of_year"], "The ISO 8601 week of a timestamp.", |time| time.iso_week().week().into()),
        part!("year_of_week", ["yow"], "The year that the ISO 8601 week of a timestamp belongs to.", |time| time
            .iso_week()
            .year()
            .into()),
        part!("day", ["day_of_month"], "The day of the month of a timestamp.", |time| time.day().into()),
        part!("day_of_week", ["dow"], "The day of the week of a timestamp, from 1 for Monday.", |time| time
            .weekday()
            .number_from_monday()
            .into()),
        part!("day_of_year", ["doy"], "The day of the year of a timestamp, starting at 1.", |time| time
            .ordinal()
            .into()),
        part!("hour", NONE, "The hour of a timestamp.", |time| time.hour().into()),
        part!("minute", NONE, "The minute of a timestamp.", |time| time.minute().into()),
        part!("second", NONE, "The whole seconds of a timestamp.", |time| time.second().into()),
        part!("millisecond", NONE, "The milliseconds of a timestamp, not including its seconds.", |time| {
            i64::from(time.nanosecond() / 1_000_000)
        }),
    ]
}

/// The number of the century or millennium of a year, from 1 for the one that began with the year 1. There is no number 0: the one
/// before is -1, as in PostgreSQL.
fn since_year_one(year: i32, length: i32) -> i64 {
    let passed = (year - 1).div_euclid(length);
    i64::from(if passed < 0 { passed } else { passed + 1 })
}

fn part_field(name: &str, args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    if part_of_length(name).is_none() || !is_length(from) {
        check_time(name, from)?;
    }
    returns(DataType::Int64)(args)
}

fn parts(name: &str, array: &ArrayRef, part: fn(NaiveDateTime) -> i64) -> Result<ArrayRef> {
    match part_of_length(name).filter(|_| is_length(array.data_type())) {
        Some(part) => parts_of_lengths(array, part),
        None => map_rows::<Int64Array, _, _>(micros(array)?, |time| moment(time).map(part)),
    }
}
