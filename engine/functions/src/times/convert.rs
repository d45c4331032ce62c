//! Days and times from other values, and times as numbers.

use arrow::array::Date32Array;
use arrow::datatypes::TimestampMicrosecondType;
use chrono::NaiveDate;

use super::values::{
    beyond, check_time, in_calendar, in_micros, integers, is_time, micros, takes_time, times_of, utc_type,
};
use crate::prelude::*;

macro_rules! from_number {
    ($name:literal, $unit:literal, $micros:literal) => {
        doc(
            concat!($name, "(number)"),
            concat!("The timestamp a number of ", $unit, " after 1970-01-01 00:00:00."),
            concat!("select ", $name, "(1704067200)"),
        )
        .udf(1..=1, takes_whole(concat!($name, " expects an integer.")), |args, _| {
            times(&args[0], |number| in_calendar(number.checked_mul($micros).ok_or_else(beyond)?))
        })
    };
}

macro_rules! to_number {
    ($name:literal, $unit:literal, $micros:literal) => {
        doc(
            concat!($name, "(time)"),
            concat!("The number of whole ", $unit, " from 1970-01-01 00:00:00 to a timestamp."),
            concat!("select ", $name, "(timestamp '2024-01-01 00:00:00')"),
        )
        .udf(1..=1, takes_time($name, DataType::Int64), |args, _| {
            map_rows::<Int64Array, _, _>(micros(&args[0])?, |time| Ok(time.div_euclid($micros)))
        })
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        doc(
            "date(time)",
            "The date of a timestamp or string; date(year, month, day) builds a date.",
            "select date('2024-02-29')",
        )
        .udf(
            1..=3,
            |args| {
                if args.arg_fields.len() == 1 {
                    check_time("date", args.arg_fields[0].data_type())?;
                }
                returns(DataType::Date32)(args)
            },
            days,
        ),
        doc(
            "timestamp(text or date)",
            "The timestamp in a string, or the start of a date.",
            "select timestamp('2024-02-29 12:00:00')",
        )
        .aliases(["datetime", "from_iso8601_timestamp", "from_iso8601_timestamp_nanos"])
        .fallible()
        .udf(1..=1, takes_time("timestamp", utc_type()), |args, to| Ok(times_of(micros(&args[0])?, to.data_type()))),
        from_number!("timestamp_seconds", "seconds", 1_000_000),
        from_number!("timestamp_millis", "milliseconds", 1_000),
        from_number!("timestamp_micros", "microseconds", 1),
        doc(
            "from_unixtime_nanos(number)",
            "The timestamp a number of nanoseconds after 1970-01-01 00:00:00, with microsecond precision.",
            "select from_unixtime_nanos(1704067200000000000)",
        )
        .udf(1..=1, takes_whole("from_unixtime_nanos expects an integer."), |args, _| {
            times(&args[0], |nanos| Ok(nanos.div_euclid(1_000)))
        }),
        doc(
            "to_unixtime(time)",
            "The number of seconds from 1970-01-01 00:00:00 to a timestamp, including the fraction.",
            "select to_unixtime(timestamp '2024-01-01 00:00:00.5')",
        )
        .udf(1..=1, takes_time("to_unixtime", DataType::Float64), |args, _| {
            map_rows::<Float64Array, _, _>(micros(&args[0])?, |time| Ok(time as f64 / 1e6))
        }),
        to_number!("unix_seconds", "seconds", 1_000_000),
        to_number!("unix_millis", "milliseconds", 1_000),
        doc(
            "epoch(timestamp)",
            "The number of seconds since 1970-01-01 00:00:00 UTC, rounded down.",
            "select epoch(timestamp) from blocks limit 1",
        )
        .udf(
            1..=1,
            takes(
                [|from| is_time(from) && !is_text(from) && *from != DataType::Date64],
                "epoch expects a timestamp or a date.",
                DataType::Int64,
            ),
            |args, _| {
                let times = cast(&args[0], &in_micros(args[0].data_type()))?;
                let times = times.as_primitive::<TimestampMicrosecondType>();
                Ok(Arc::new(times.unary::<_, Int64Type>(|micros| micros.div_euclid(1_000_000))))
            },
        ),
    ]
}

fn takes_whole(otherwise: &'static str) -> impl Returns {
    takes([|from| from.is_integer() || from.is_decimal()], otherwise, utc_type())
}

/// The times of whole numbers.
fn times(numbers: &ArrayRef, micros: impl Fn(i64) -> Result<i64>) -> Result<ArrayRef> {
    let rows = integers(numbers)?.iter().map(|number| number.map(&micros).transpose()).collect::<Result<_>>()?;
    Ok(times_of(rows, &utc_type()))
}

fn days(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let [year, month, day] = args else {
        return match args {
            [time] => Ok(times_of(micros(time)?, to.data_type())),
            _ => Err(invalid("date expects a date or a timestamp, or a year, a month and a day.")),
        };
    };
    let (months, days) = (integers(month)?, integers(day)?);
    let months_and_days = months.iter().zip(&days).map(|(month, day)| month.zip(day));
    zip_rows::<Date32Array, _, _, _>(&integers(year)?, months_and_days, |year, (month, day)| {
        let date = (|| NaiveDate::from_ymd_opt(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?))();
        let date = date.ok_or_else(|| invalid(format!("There is no day {year}-{month}-{day}.")))?;
        Ok(date.signed_duration_since(NaiveDate::default()).num_days() as i32)
    })
}
