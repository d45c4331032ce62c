//! Parts of a time as functions: `year(t)`, `day_of_week(t)` …

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array};
use arrow::datatypes::{DataType, Field};
use chrono::{Datelike, NaiveDateTime, Timelike};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::{micros, moment, time_needed};
use crate::functions::simple::{Doc, Simple};

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
                time_needed($name, args.arg_fields[0].data_type())?;
                Ok(Arc::new(Field::new($name, DataType::Int64, true)))
            },
            |args, _| parts(&args[0], $part),
        )
        .with_aliases($aliases)
    };
}

const NONE: [&str; 0] = [];

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
