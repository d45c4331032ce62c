//! Parts of a time as functions: `year(t)`, `day_of_week(t)` …

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};
use chrono::{Datelike, NaiveDateTime, Timelike};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::{micros, moment, time_needed};
use crate::simple::{Doc, Simple};

macro_rules! part {
    ($name:literal, $aliases:expr, $text:literal, $part:expr) => {
        Simple::udf(
            $name,
            1..=1,
            Some(Doc {
                signature: concat!($name, "(time)"),
                text: $text,
                example: concat!("select ", $name, "(timestamp '2024-02-29 12:34:56')"),
            }),
            |args| {
                let from = args.arg_fields[0].data_type();
                if of_length($name).is_none() || !is_length(from) {
                    time_needed($name, from)?;
                }
                Ok(Arc::new(Field::new($name, DataType::Int64, true)))
            },
            |args, _| match of_length($name).filter(|_| is_length(args[0].data_type())) {
                Some(part) => of_lengths(&args[0], part),
                None => parts(&args[0], $part),
            },
        )
        .with_aliases($aliases)
    };
}

const NONE: [&str; 0] = [];

const SECOND_NANOS: i64 = 1_000_000_000;
const HOUR_NANOS: i64 = 3_600 * SECOND_NANOS;
const DAY_NANOS: i64 = 24 * HOUR_NANOS;

/// A part of a length of time, which has years and months, and days and what is shorter beside them: an hour is one of 0 to 23, as
/// in Trino.
pub(super) fn of_length(part: &str) -> Option<fn(IntervalMonthDayNano) -> i64> {
    let of: fn(IntervalMonthDayNano) -> i64 = match part {
        "year" => |length| (length.months / 12).into(),
        "month" => |length| (length.months % 12).into(),
        "day" => |length| i64::from(length.days) + length.nanoseconds / DAY_NANOS,
        "hour" => |length| length.nanoseconds % DAY_NANOS / HOUR_NANOS,
        "minute" => |length| length.nanoseconds % HOUR_NANOS / (60 * SECOND_NANOS),
        "second" => |length| length.nanoseconds % (60 * SECOND_NANOS) / SECOND_NANOS,
        "millisecond" => |length| length.nanoseconds % SECOND_NANOS / 1_000_000,
        _ => return None,
    };
    Some(of)
}

pub(super) fn is_length(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Interval(_) | DataType::Duration(_))
}

/// A part of each length of time.
pub(super) fn of_lengths(array: &ArrayRef, part: fn(IntervalMonthDayNano) -> i64) -> Result<ArrayRef> {
    let lengths = cast(array, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let lengths = lengths.as_primitive::<IntervalMonthDayNanoType>();
    Ok(Arc::new(lengths.unary::<_, Int64Type>(part)))
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        part!("year", NONE, "The year of a time.", |time| time.year().into()),
        part!("decade", NONE, "The decade of a time: its year without the last digit.", |time| {
            time.year().div_euclid(10).into()
        }),
        part!("century", NONE, "The century of a time; the first one began with the year 1.", |time| {
            since_year_one(time.year(), 100)
        }),
        part!("millennium", NONE, "The millennium of a time; the first one began with the year 1.", |time| {
            since_year_one(time.year(), 1000)
        }),
        part!("quarter", NONE, "The quarter of a time, from 1.", |time| i64::from(time.month0() / 3 + 1)),
        part!("month", NONE, "The month of a time, from 1.", |time| time.month().into()),
        part!("week", ["week_of_year"], "The week of a time as ISO 8601 counts it.", |time| time
            .iso_week()
            .week()
            .into()),
        part!("year_of_week", ["yow"], "The year that the ISO week of a time belongs to.", |time| time
            .iso_week()
            .year()
            .into()),
        part!("day", ["day_of_month"], "The day of the month of a time.", |time| time.day().into()),
        part!("day_of_week", ["dow"], "The day of the week of a time, from 1 for Monday.", |time| time
            .weekday()
            .number_from_monday()
            .into()),
        part!("day_of_year", ["doy"], "The day of the year of a time, from 1.", |time| time.ordinal().into()),
        part!("hour", NONE, "The hour of a time.", |time| time.hour().into()),
        part!("minute", NONE, "The minute of a time.", |time| time.minute().into()),
        part!("second", NONE, "The whole seconds of a time.", |time| time.second().into()),
        part!("millisecond", NONE, "The milliseconds of a time, beside its seconds.", |time| {
            i64::from(time.nanosecond() / 1_000_000)
        }),
    ]
}

/// The number of the stretch of so many years that a year lies in, from 1 for the one that began with the year 1. There is none of
/// the number 0: what lay before is -1, as in PostgreSQL.
fn since_year_one(year: i32, length: i32) -> i64 {
    let passed = (year - 1).div_euclid(length);
    i64::from(if passed < 0 { passed } else { passed + 1 })
}

fn parts(array: &ArrayRef, part: fn(NaiveDateTime) -> i64) -> Result<ArrayRef> {
    let rows = micros(array)?.into_iter().map(|time| time.map(|time| moment(time).map(part)).transpose());
    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
}
