//! Parts of days, times and intervals, and times truncated to a unit.

use arrow::array::{Int32Array, TimestampNanosecondArray};
use arrow::datatypes::{Date32Type, DurationNanosecondType, IntervalYearMonthType, TimeUnit, TimestampNanosecondType};

use super::calendar::{self, DAY, SECOND};
use super::intervals::{MONTHS, TIME};
use super::{cast, zones};
use crate::prelude::*;

const TIMESTAMP: DataType = DataType::Timestamp(TimeUnit::Nanosecond, None);

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        part_udf("year", Some(year), None, Some(|months| months / 12), None),
        part_udf("month", Some(month), None, Some(|months| months % 12), None),
        part_udf("day", Some(day), None, None, Some(|nanos| nanos / DAY)),
        part_udf("dayofmonth", Some(day), None, None, Some(|nanos| nanos / DAY)),
        part_udf("hour", None, Some(|nanos| nanos / SECOND / 3600), None, Some(|nanos| nanos / SECOND / 3600 % 24)),
        part_udf("minute", None, Some(|nanos| nanos / SECOND / 60 % 60), None, Some(|nanos| nanos / SECOND / 60 % 60)),
        part_udf("second", None, Some(|nanos| nanos / SECOND % 60), None, Some(|nanos| nanos / SECOND % 60)),
        floor_udf("floor_year", |nanos| start(nanos, "YEAR")),
        floor_udf("floor_quarter", |nanos| start(nanos, "QUARTER")),
        floor_udf("floor_month", |nanos| start(nanos, "MONTH")),
        floor_udf("floor_week", |nanos| {
            let days = nanos.div_euclid(DAY);
            (days - i64::from(calendar::weekday(days as i32))).checked_mul(DAY)
        }),
        floor_udf("floor_day", |nanos| multiple(nanos, DAY)),
        floor_udf("floor_hour", |nanos| multiple(nanos, 3600 * SECOND)),
        floor_udf("floor_minute", |nanos| multiple(nanos, 60 * SECOND)),
        floor_udf("floor_second", |nanos| multiple(nanos, SECOND)),
        scalar_udf("tumbling_window", 2..=3, window_field, |arrays, _| window_starts(arrays)),
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

type OfDays = fn(i32) -> i32;
type OfNanos = fn(i64) -> i64;

/// A part of days, of times of day, of intervals of months and of intervals of time; null of those that have no such part.
fn part_udf(
    name: &'static str,
    of_day: Option<OfDays>,
    of_time: Option<OfNanos>,
    of_months: Option<OfDays>,
    of_nanos: Option<OfNanos>,
) -> ScalarUDF {
    scalar_udf(name, 1..=1, returns(DataType::Int32), move |arrays, _| {
        let array = &arrays[0];
        let parts: Int32Array = match (array.data_type(), of_day, of_time, of_months, of_nanos) {
            (months, _, _, Some(of), _) if *months == MONTHS => array.as_primitive::<IntervalYearMonthType>().unary(of),
            (nanos, _, _, _, Some(of)) if *nanos == TIME => {
                array.as_primitive::<DurationNanosecondType>().unary(|nanos| of(nanos) as i32)
            }
            (_, Some(of), _, _, _) => cast::to_type(array, &DataType::Date32)?.as_primitive::<Date32Type>().unary(of),
            (DataType::Timestamp(..), _, Some(of), _, _) => {
                let times = cast::to_type(array, &TIMESTAMP)?;
                times.as_primitive::<TimestampNanosecondType>().unary(|nanos| of(nanos.rem_euclid(DAY)) as i32)
            }
            (_, _, Some(of), _, _) => {
                let texts = cast::to_type(array, &DataType::Utf8)?;
                // A time of day without a day is null.
                let nanos = |text: &str| Some(of(zones::clock(text)?.rem_euclid(DAY)) as i32);
                texts.as_string::<i32>().iter().map(|text| text.and_then(nanos)).collect()
            }
            _ => Int32Array::new_null(array.len()),
        };
        Ok(Arc::new(parts))
    })
}

/// Truncates times.
fn floor_udf(name: &'static str, floor: fn(i64) -> Option<i64>) -> ScalarUDF {
    scalar_udf(name, 1..=1, returns(TIMESTAMP), move |arrays, _| {
        let times = cast::to_type(&arrays[0], &TIMESTAMP)?;
        let times = times.as_primitive::<TimestampNanosecondType>();
        Ok(Arc::new(times.iter().map(|nanos| nanos.and_then(floor)).collect::<TimestampNanosecondArray>()))
    })
}

/// `tumbling_window(time, length, origin)`: a time, an interval of days to seconds and a time.
fn window_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if !matches!(args.arg_fields[1].data_type(), DataType::Duration(_)) {
        return Err(invalid("tumbling_window expects a timestamp and an interval of days or shorter units."));
    }
    returns(TIMESTAMP)(args)
}

/// The start of the window of each time. Windows follow each other without gaps from an origin, by default 1970.
fn window_starts(arrays: &[ArrayRef]) -> Result<ArrayRef> {
    let times = cast::to_type(&arrays[0], &TIMESTAMP)?;
    let lengths = cast::to_type(&arrays[1], &TIME)?;
    let origins = match arrays.get(2) {
        Some(origins) => cast::to_type(origins, &TIMESTAMP)?,
        None => Arc::new(TimestampNanosecondArray::from(vec![0; times.len()])),
    };
    let lengths = lengths.as_primitive::<DurationNanosecondType>();
    let rows = times.as_primitive::<TimestampNanosecondType>().iter().zip(lengths);
    let rows = rows.zip(origins.as_primitive::<TimestampNanosecondType>());
    let starts = rows.map(|((nanos, length), origin)| {
        let (nanos, length, origin) = (nanos?, length.filter(|length| *length > 0)?, origin?);
        multiple(nanos.checked_sub(origin)?, length)?.checked_add(origin)
    });
    Ok(Arc::new(starts.collect::<TimestampNanosecondArray>()))
}

/// The last multiple of a length up to a time.
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
    fn times_are_truncated_to_a_unit() {
        let time = |text: &str| calendar::parse_timestamp(text).unwrap();
        let noon = time("1969-05-08 12:34:56.5");
        assert_eq!(start(noon, "QUARTER"), Some(time("1969-04-01")));
        assert_eq!(multiple(noon, 3600 * SECOND), Some(time("1969-05-08 12:00:00")));
        assert_eq!((year(-1), month(-1), day(-1)), (1969, 12, 31));
    }
}
