//! Times as the functions of this folder read and write them.

use arrow::array::{Date32Array, TimestampMicrosecondArray};
use arrow::datatypes::{TimeUnit, TimestampMicrosecondType};
use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::time_of_text::read_times;
use crate::prelude::*;

/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// Whether a type is a date, a timestamp, or a text that can be read as one.
pub(super) fn is_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 | DataType::Null)
        || is_text(data_type)
}

/// Whether a type is a length of time.
pub(super) fn is_length(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Interval(_) | DataType::Duration(_))
}

/// Refuses an argument that is no time.
pub(super) fn check_time(name: &str, data_type: &DataType) -> Result<()> {
    if is_time(data_type) { Ok(()) } else { Err(invalid(format!("{name} expects a date or a timestamp."))) }
}

/// The rule of a function whose first argument is a time.
pub(super) fn takes_time(name: &'static str, to: DataType) -> impl Returns {
    let returns = returns(to);
    move |args: &ReturnFieldArgs<'_>| {
        check_time(name, args.arg_fields[0].data_type())?;
        returns(args)
    }
}

/// Times in microseconds, in UTC.
pub(super) fn utc_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// The type in microseconds of times of a type, with their zone.
pub(super) fn in_micros(data_type: &DataType) -> DataType {
    let zone = match data_type {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    DataType::Timestamp(TimeUnit::Microsecond, zone)
}

/// Microseconds since 1970 as times of a type of [`in_micros`], or as days.
pub(super) fn times_of(micros: Vec<Option<i64>>, data_type: &DataType) -> ArrayRef {
    let times = TimestampMicrosecondArray::from(micros);
    match data_type {
        DataType::Timestamp(_, zone) => Arc::new(times.with_timezone_opt(zone.clone())),
        _ => Arc::new(times.iter().map(|time| time.map(|time| time.div_euclid(DAY) as i32)).collect::<Date32Array>()),
    }
}

/// Microseconds since 1970 of each row of a date, a timestamp or a text.
pub(super) fn micros(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    if array.data_type().is_null() {
        return Ok(vec![None; array.len()]);
    }
    let to = in_micros(array.data_type());
    let times = match is_text(array.data_type()) {
        true => read_times(array, &to).map_err(|_| {
            invalid("A string is not a valid date or timestamp; write it as 2024-03-01 or 2024-03-01 12:30:00.")
        })?,
        false => strict_cast(array, &to)?,
    };
    Ok(times.as_primitive::<TimestampMicrosecondType>().iter().collect())
}

/// Whole numbers of each row.
pub(super) fn integers(array: &ArrayRef) -> Result<Int64Array> {
    int64s(array).map_err(|_| invalid("Expected an integer here."))
}

pub(super) fn day_of(micros: i64) -> Result<NaiveDate> {
    Ok(moment(micros)?.date())
}

pub(super) fn moment(micros: i64) -> Result<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|time| time.naive_utc()).ok_or_else(beyond)
}

/// The microseconds, where the calendar has the time.
pub(super) fn in_calendar(micros: i64) -> Result<i64> {
    moment(micros).map(|_| micros)
}

pub(super) fn beyond() -> DataFusionError {
    out_of_range("A date is beyond the supported range.")
}
