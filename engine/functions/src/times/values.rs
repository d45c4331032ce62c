//! Times as the functions of this room read and write them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Int64Type, TimeUnit, TimestampMicrosecondType};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use datafusion::common::{DataFusionError, Result};
use quarry_types::byte_columns::is_text;
use quarry_types::{invalid, out_of_range};

/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// Whether a type is a date, a time of a day, or a text that can be read as one.
pub(super) fn is_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 | DataType::Null)
        || is_text(data_type)
}

/// Refuses what is no time.
pub(super) fn time_needed(name: &str, data_type: &DataType) -> Result<()> {
    if is_time(data_type) { Ok(()) } else { Err(invalid(format!("{name} takes a date or a timestamp."))) }
}

/// The type of times in microseconds that values of a type become, with the zone that they have.
pub(super) fn in_micros(data_type: &DataType) -> DataType {
    let zone = match data_type {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    DataType::Timestamp(TimeUnit::Microsecond, zone)
}

/// Times of this type of [`in_micros`].
pub(super) fn times_of(micros: TimestampMicrosecondArray, data_type: &DataType) -> ArrayRef {
    match data_type {
        DataType::Timestamp(_, zone) => Arc::new(micros.with_timezone_opt(zone.clone())),
        _ => Arc::new(micros),
    }
}

/// Microseconds since 1970 of each row of a date, a timestamp or a text.
pub(super) fn micros(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    if array.data_type().is_null() {
        return Ok(vec![None; array.len()]);
    }
    let times = cast_with_options(array, &in_micros(array.data_type()), &options);
    let times = times.map_err(|error| match is_text(array.data_type()) {
        true => invalid("A text is no date or timestamp such as 2024-03-01 or 2024-03-01 12:30:00."),
        false => error.into(),
    })?;
    Ok(times.as_primitive::<TimestampMicrosecondType>().iter().collect())
}

/// Whole numbers of each row.
pub(super) fn whole(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let numbers =
        cast_with_options(array, &DataType::Int64, &options).map_err(|_| invalid("A whole number is needed here."))?;
    Ok(numbers.as_primitive::<Int64Type>().iter().collect())
}

pub(super) fn day_of(micros: i64) -> Result<NaiveDate> {
    Ok(moment(micros)?.date())
}

pub(super) fn moment(micros: i64) -> Result<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|time| time.naive_utc()).ok_or_else(beyond)
}

pub(super) fn beyond() -> DataFusionError {
    out_of_range("A date lies beyond the calendar.")
}
