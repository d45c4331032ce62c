//! Days and times from other values, and times as numbers.

use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, Float64Array, Int64Array, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use chrono::NaiveDate;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::{DAY, beyond, micros, moment, time_needed, whole};
use crate::simple::{Doc, Simple};
use quarry_types::invalid;

macro_rules! doc {
    ($signature:expr, $text:expr, $example:expr) => {
        Some(Doc { signature: $signature, text: $text, example: $example })
    };
}

macro_rules! from_number {
    ($name:literal, $unit:literal, $micros:literal) => {
        Simple::udf(
            $name,
            1..=1,
            doc!(
                concat!($name, "(number)"),
                concat!("The time a number of ", $unit, " after 1970-01-01 00:00:00."),
                concat!("select ", $name, "(1704067200)")
            ),
            |args| match args.arg_fields[0].data_type() {
                from if from.is_integer() || from.is_decimal() || from.is_null() => Ok(utc()),
                _ => Err(invalid(concat!($name, " takes a whole number."))),
            },
            |args, _| {
                let scaled = |number: i64| {
                    let micros = number.checked_mul($micros).ok_or_else(beyond)?;
                    moment(micros).map(|_| micros)
                };
                let rows = whole(&args[0])?.into_iter().map(|number| number.map(scaled).transpose());
                Ok(times(rows.collect::<Result<_>>()?))
            },
        )
    };
}

macro_rules! to_number {
    ($name:literal, $unit:literal, $micros:literal) => {
        Simple::udf(
            $name,
            1..=1,
            doc!(
                concat!($name, "(time)"),
                concat!("Whole ", $unit, " from 1970-01-01 00:00:00 to a time."),
                concat!("select ", $name, "(timestamp '2024-01-01 00:00:00')")
            ),
            |args| {
                time_needed($name, args.arg_fields[0].data_type())?;
                Ok(Arc::new(Field::new($name, DataType::Int64, true)))
            },
            |args, _| {
                let rows = micros(&args[0])?.into_iter().map(|time| time.map(|time| time.div_euclid($micros)));
                Ok(Arc::new(rows.collect::<Int64Array>()))
            },
        )
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "date",
            1..=3,
            doc!(
                "date(time)",
                "The day of a time or of a text; date(year, month, day) makes one.",
                "select date('2024-02-29')"
            ),
            |args| {
                if args.arg_fields.len() == 1 {
                    time_needed("date", args.arg_fields[0].data_type())?;
                }
                Ok(Arc::new(Field::new("date", DataType::Date32, true)))
            },
            |args, _| days(args),
        ),
        Simple::udf(
            "timestamp",
            1..=1,
            doc!(
                "timestamp(text or date)",
                "The time that a text says, or the start of a day.",
                "select timestamp('2024-02-29 12:00:00')"
            ),
            |args| {
                time_needed("timestamp", args.arg_fields[0].data_type())?;
                Ok(utc())
            },
            |args, _| Ok(times(micros(&args[0])?)),
        )
        .with_aliases(["datetime", "from_iso8601_timestamp", "from_iso8601_timestamp_nanos"]),
        from_number!("timestamp_seconds", "seconds", 1_000_000),
        from_number!("timestamp_millis", "milliseconds", 1_000),
        from_number!("timestamp_micros", "microseconds", 1),
        Simple::udf(
            "to_unixtime",
            1..=1,
            doc!(
                "to_unixtime(time)",
                "Seconds from 1970-01-01 00:00:00 to a time, with their fraction.",
                "select to_unixtime(timestamp '2024-01-01 00:00:00.5')"
            ),
            |args| {
                time_needed("to_unixtime", args.arg_fields[0].data_type())?;
                Ok(Arc::new(Field::new("to_unixtime", DataType::Float64, true)))
            },
            |args, _| {
                let rows = micros(&args[0])?.into_iter().map(|time| time.map(|time| time as f64 / 1e6));
                Ok(Arc::new(rows.collect::<Float64Array>()))
            },
        ),
        to_number!("unix_seconds", "seconds", 1_000_000),
        to_number!("unix_millis", "milliseconds", 1_000),
    ]
}

pub(super) fn utc() -> FieldRef {
    Arc::new(Field::new("time", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())), true))
}

pub(super) fn times(rows: Vec<Option<i64>>) -> ArrayRef {
    Arc::new(TimestampMicrosecondArray::from(rows).with_timezone("UTC"))
}

fn days(args: &[ArrayRef]) -> Result<ArrayRef> {
    let [year, month, day] = args else {
        if args.len() != 1 {
            return Err(invalid("date takes a time, or a year, a month and a day."));
        }
        let rows = micros(&args[0])?.into_iter().map(|time| time.map(|time| time.div_euclid(DAY) as i32));
        return Ok(Arc::new(rows.collect::<Date32Array>()));
    };
    let rows = whole(year)?.into_iter().zip(whole(month)?).zip(whole(day)?);
    let make = |((year, month), day): ((Option<i64>, Option<i64>), Option<i64>)| {
        let (Some(year), Some(month), Some(day)) = (year, month, day) else { return Ok(None) };
        let made = (|| NaiveDate::from_ymd_opt(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?))();
        let made = made.ok_or_else(|| invalid(format!("There is no day {year}-{month}-{day}.")))?;
        Ok(Some(made.signed_duration_since(NaiveDate::default()).num_days() as i32))
    };
    Ok(Arc::new(rows.map(make).collect::<Result<Date32Array>>()?))
}
