//! Functions of dates, times and lengths of time as Trino, BigQuery and Snowflake write them. All times are UTC.

mod bucket;
mod convert;
mod difference;
mod durations;
mod epoch;
mod format;
pub(super) mod interval_length;
pub(super) mod interval_scaled;
mod iso;
mod months;
pub mod now;
mod parts;
mod precision;
mod read;
mod shift;
mod template;
pub mod time_text;
mod trunc;
mod unit;
mod utc;
mod weekdays;
mod zone;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Int64Type, TimeUnit, TimestampMicrosecondType};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::ScalarUDF;

pub use precision::ROUND_TIME;
use quarry_types::byte_columns::is_text;
use quarry_types::{invalid, out_of_range};

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let families = [shift::udfs(), difference::udfs(), parts::udfs(), format::udfs(), convert::udfs(), zone::udfs()];
    families
        .into_iter()
        .chain([
            bucket::udfs(),
            iso::udfs(),
            precision::udfs(),
            months::udfs(),
            read::udfs(),
            template::udfs(),
            weekdays::udfs(),
            durations::udfs(),
            vec![epoch::udf()],
            utc::udfs().into(),
        ])
        .flatten()
        .collect()
}

/// The begin of the unit that each time lies in.
pub(super) fn begins(unit: &str, times: &TimestampMicrosecondArray) -> Result<TimestampMicrosecondArray> {
    let unit = unit::Unit::parse(unit)?;
    times.try_unary(|micros| unit.begin(micros))
}

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Whether a type is a date, a time of a day, or a text that can be read as one.
fn is_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 | DataType::Null)
        || is_text(data_type)
}

/// Refuses what is no time.
fn time_needed(name: &str, data_type: &DataType) -> Result<()> {
    if is_time(data_type) { Ok(()) } else { Err(invalid(format!("{name} takes a date or a timestamp."))) }
}

/// The type of times in microseconds that values of a type become, with the zone that they have.
fn in_micros(data_type: &DataType) -> DataType {
    let zone = match data_type {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    DataType::Timestamp(TimeUnit::Microsecond, zone)
}

/// Times of this type of [`in_micros`].
fn times_of(micros: TimestampMicrosecondArray, data_type: &DataType) -> ArrayRef {
    match data_type {
        DataType::Timestamp(_, zone) => Arc::new(micros.with_timezone_opt(zone.clone())),
        _ => Arc::new(micros),
    }
}

/// Microseconds since 1970 of each row of a date, a timestamp or a text.
fn micros(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
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
fn whole(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let numbers =
        cast_with_options(array, &DataType::Int64, &options).map_err(|_| invalid("A whole number is needed here."))?;
    Ok(numbers.as_primitive::<Int64Type>().iter().collect())
}

fn day_of(micros: i64) -> Result<NaiveDate> {
    Ok(moment(micros)?.date())
}

fn moment(micros: i64) -> Result<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|time| time.naive_utc()).ok_or_else(beyond)
}

fn beyond() -> DataFusionError {
    out_of_range("A date lies beyond the calendar.")
}
