//! Parts of days, times and intervals, and times cut off at a unit.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, TimestampNanosecondArray};
use arrow::datatypes::{
    DataType, Date32Type, DurationNanosecondType, Field, FieldRef, IntervalYearMonthType, TimeUnit,
    TimestampNanosecondType,
};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::calendar::{self, DAY, SECOND};
use super::intervals::{MONTHS, TIME};
use super::{cast, zones};
use crate::simple::Simple;
use quarry_types::invalid;

/// A part by its function's name.
macro_rules! part {
    ($name:literal, $of_day:expr, $of_time:expr, $of_months:expr, $of_nanos:expr) => {
        Simple::udf($name, 1..=1, None, int, |arrays, _| part(&arrays[0], $of_day, $of_time, $of_months, $of_nanos))
    };
}

/// Days cut off at a unit.
macro_rules! cut {
    ($name:literal, $cut:expr) => {
        Simple::udf($name, 1..=1, None, time, |arrays, _| cut(&arrays[0], $cut))
    };
}

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        part!("year", Some(year), None, Some(|months| months / 12), None),
        part!("month", Some(month), None, Some(|months| months % 12), None),
        part!("day", Some(day), None, None, Some(|nanos| nanos / DAY)),
        part!("dayofmonth", Some(day), None, None, Some(|nanos| nanos / DAY)),
        part!("hour", None, Some(|nanos| nanos / SECOND / 3600), None, Some(|nanos| nanos / SECOND / 3600 % 24)),
        part!("minute", None, Some(|nanos| nanos / SECOND / 60 % 60), None, Some(|nanos| nanos / SECOND / 60 % 60)),
        part!("second", None, Some(|nanos| nanos / SECOND % 60), None, Some(|nanos| nanos / SECOND % 60)),
        cut!("floor_year", |nanos| start(nanos, "YEAR")),
        cut!("floor_quarter", |nanos| start(nanos, "QUARTER")),
        cut!("floor_month", |nanos| start(nanos, "MONTH")),
        cut!("floor_week", |nanos| {
            let days = nanos.div_euclid(DAY);
            (days - i64::from(calendar::weekday(days as i32))).checked_mul(DAY)
        }),
        cut!("floor_day", |nanos| multiple(nanos, DAY)),
        cut!("floor_hour", |nanos| multiple(nanos, 3600 * SECOND)),
        cut!("floor_minute", |nanos| multiple(nanos, 60 * SECOND)),
        cut!("floor_second", |nanos| multiple(nanos, SECOND)),
        Simple::udf("tumbling_window", 2..=3, None, window_of, |arrays, _| windows(arrays)),
    ]
}

fn year(days: i32) -> i32 {
    calendar::civil(days).year
}

fn month(days: i32) -> i32 {
    calendar::civil(days).month as i32
}

fn day(days: i32) -> i32 {
    calendar::civil(days).day as i32
}

fn int(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(Arc::new(Field::new("part", DataType::Int32, true)))
}

fn time(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(Arc::new(Field::new("time", DataType::Timestamp(TimeUnit::Nanosecond, None), true)))
}

type OfDays = fn(i32) -> i32;
type OfNanos = fn(i64) -> i64;

/// A part of each value: of its day, of its time of day, of an interval of months or of one of time.
fn part(
    array: &ArrayRef,
    of_day: Option<OfDays>,
    of_time: Option<OfNanos>,
    of_months: Option<OfDays>,
    of_nanos: Option<OfNanos>,
) -> Result<ArrayRef> {
    let found: Int32Array = match (array.data_type(), of_day, of_time, of_months, of_nanos) {
        (months, _, _, Some(of), _) if *months == MONTHS => array.as_primitive::<IntervalYearMonthType>().unary(of),
        (nanos, _, _, _, Some(of)) if *nanos == TIME => {
            array.as_primitive::<DurationNanosecondType>().unary(|nanos| of(nanos) as i32)
        }
        (_, Some(of), _, _, _) => cast::to_type(array, &DataType::Date32)?.as_primitive::<Date32Type>().unary(of),
        (DataType::Timestamp(..), _, Some(of), _, _) => {
            let times = cast::to_type(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            times.as_primitive::<TimestampNanosecondType>().unary(|nanos| of(nanos.rem_euclid(DAY)) as i32)
        }
        (_, _, Some(of), _, _) => {
            let texts = cast::to_type(array, &DataType::Utf8)?;
            // A time of day without its day is none.
            let nanos = |text: &str| Some(of(zones::clock(text)?.rem_euclid(DAY)) as i32);
            texts.as_string::<i32>().iter().map(|text| text.and_then(nanos)).collect()
        }
        _ => Int32Array::new_null(array.len()),
    };
    Ok(Arc::new(found))
}

fn cut(array: &ArrayRef, cut: fn(i64) -> Option<i64>) -> Result<ArrayRef> {
    let times = cast::to_type(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
    let times = times.as_primitive::<TimestampNanosecondType>();
    Ok(Arc::new(times.iter().map(|nanos| nanos.and_then(cut)).collect::<TimestampNanosecondArray>()))
}

/// `tumbling_window(time, length, origin)`: a time, an interval of days to seconds and a time.
fn window_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if !matches!(args.arg_fields[1].data_type(), DataType::Duration(_)) {
        return Err(invalid("tumbling_window takes a time and an interval of days to seconds."));
    }
    time(args)
}

/// The beginning of the window in which each time lies; windows of that length follow each other from an origin on, which is
/// 1970 where none is given.
fn windows(arrays: &[ArrayRef]) -> Result<ArrayRef> {
    let moment = DataType::Timestamp(TimeUnit::Nanosecond, None);
    let times = cast::to_type(&arrays[0], &moment)?;
    let lengths = cast::to_type(&arrays[1], &TIME)?;
    let origins = match arrays.get(2) {
        Some(origins) => cast::to_type(origins, &moment)?,
        None => Arc::new(TimestampNanosecondArray::from(vec![0; times.len()])),
    };
    let lengths = lengths.as_primitive::<DurationNanosecondType>();
    let rows = times.as_primitive::<TimestampNanosecondType>().iter().zip(lengths);
    let rows = rows.zip(origins.as_primitive::<TimestampNanosecondType>());
    let begins = rows.map(|((nanos, length), origin)| {
        let (nanos, length, origin) = (nanos?, length.filter(|length| *length > 0)?, origin?);
        multiple(nanos.checked_sub(origin)?, length)?.checked_add(origin)
    });
    Ok(Arc::new(begins.collect::<TimestampNanosecondArray>()))
}

/// The last time before that is a whole number of a length.
fn multiple(nanos: i64, length: i64) -> Option<i64> {
    nanos.div_euclid(length).checked_mul(length)
}

/// The first moment of the month, quarter or year.
fn start(nanos: i64, unit: &str) -> Option<i64> {
    i64::from(calendar::truncate(nanos.div_euclid(DAY) as i32, unit)?).checked_mul(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_cut_off_at_a_unit() {
        let time = |text: &str| calendar::parse_timestamp(text).unwrap();
        let noon = time("1969-05-08 12:34:56.5");
        assert_eq!(start(noon, "QUARTER"), Some(time("1969-04-01")));
        assert_eq!(multiple(noon, 3600 * SECOND), Some(time("1969-05-08 12:00:00")));
        assert_eq!((year(-1), month(-1), day(-1)), (1969, 12, 31));
    }
}
