//! Timestamps made of their parts. PostgreSQL's `make_timestamp` refuses the 30th of February; Snowflake's `timestamp_from_parts` counts
//! on from the first of the month. Both keep the fraction of the second.

use arrow::datatypes::{Decimal128Type, TimeUnit};
use chrono::{Datelike, NaiveDate};

use super::values::{DAY, beyond, in_calendar, integers, times_of};
use crate::numbers::float_decimals::decimals_of_floats;
use crate::prelude::*;

const MICROS: DataType = DataType::Timestamp(TimeUnit::Microsecond, None);

const SECOND: i64 = 1_000_000;

/// Year, month, day, hour and minute.
type Parts = [i64; 5];

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [
        doc(
            "timestamp_from_parts(year, month, day, hour, minute, second)",
            "The timestamp of a year, month, day, hour, minute and second; a seventh argument counts nanoseconds.",
            "select timestamp_from_parts(2024, 3, 1, 12, 30, 0)",
        )
        .aliases(["timestamp_ntz_from_parts"])
        .fallible()
        .udf(6..=7, timestamp_field, |args, _| timestamps(args, counted_on)),
        doc(
            "make_timestamp(year, month, day, hour, minute, second)",
            "The timestamp of a year, month, day, hour, minute and second, which may have a fraction; a date or a time that does not exist is an error.",
            "select make_timestamp(2024, 3, 1, 12, 30, 7.5)",
        )
        .fallible()
        .udf(6..=6, timestamp_field, |args, _| timestamps(args, existing)),
    ]
}

fn timestamp_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let is_part = |data_type: &DataType| data_type.is_numeric() || data_type.is_null() || is_text(data_type);
    match args.arg_fields.iter().find(|field| !is_part(field.data_type())) {
        Some(other) => Err(invalid(format!("Expected a number here, got {}.", type_name(other.data_type(), false)))),
        None => returns(MICROS)(args),
    }
}

/// The times of each row; `make` gets its parts, and the microseconds of its seconds.
fn timestamps(args: &[ArrayRef], make: fn(Parts, i128) -> Result<i64>) -> Result<ArrayRef> {
    let parts = args[..5].iter().map(integers).collect::<Result<Vec<Int64Array>>>()?;
    let seconds = decimals_of_floats(&args[5], &DataType::Decimal128(38, 6), false).map_err(|_| beyond())?;
    let seconds = seconds.as_primitive::<Decimal128Type>();
    let nanos = args.get(6).map(integers).transpose()?;
    let time = |row: usize| {
        let is_null = parts.iter().any(|part| part.is_null(row)) || seconds.is_null(row);
        if is_null || nanos.as_ref().is_some_and(|nanos| nanos.is_null(row)) {
            return Ok(None);
        }
        let below = nanos.as_ref().map_or(0, |nanos| nanos.value(row).div_euclid(1_000));
        let micros = seconds.value(row).checked_add(below.into()).ok_or_else(beyond)?;
        make(std::array::from_fn(|part| parts[part].value(row)), micros).map(Some)
    };
    Ok(times_of((0..args[0].len()).map(time).collect::<Result<_>>()?, &MICROS))
}

/// A time whose parts may be beyond those of a date: month 13 is January of the next year, and day 0 the last one of the month before.
fn counted_on([year, month, day, hour, minute]: Parts, micros: i128) -> Result<i64> {
    let months =
        year.checked_mul(12).and_then(|months| months.checked_add(month)?.checked_sub(1)).ok_or_else(beyond)?;
    let year = i32::try_from(months.div_euclid(12)).map_err(|_| beyond())?;
    let first = NaiveDate::from_ymd_opt(year, months.rem_euclid(12) as u32 + 1, 1).ok_or_else(beyond)?;
    let [day, hour, minute] = [day, hour, minute].map(i128::from);
    moment(first, day - 1, hour * 60 + minute, micros)
}

/// A time that is on the calendar and on a clock. As in PostgreSQL, 60 seconds are the next minute, and 24:00 is the next day.
fn existing([year, month, day, hour, minute]: Parts, micros: i128) -> Result<i64> {
    let part = |part: i64| u32::try_from(part).ok();
    let date = i32::try_from(year)
        .ok()
        .zip(part(month).zip(part(day)))
        .and_then(|(year, (month, day))| NaiveDate::from_ymd_opt(year, month, day))
        .ok_or_else(|| invalid("There is no such date."))?;
    let is_minute = (0..24).contains(&hour) && (0..60).contains(&minute);
    let is_clock = is_minute && (0..=60 * i128::from(SECOND)).contains(&micros);
    if !is_clock && (hour, minute, micros) != (24, 0, 0) {
        return Err(invalid("There is no such time."));
    }
    moment(date, 0, i128::from(hour * 60 + minute), micros)
}

/// Microseconds since 1970.
fn moment(date: NaiveDate, days: i128, minutes: i128, micros: i128) -> Result<i64> {
    let since_1970 = i128::from(date.num_days_from_ce() - NaiveDate::default().num_days_from_ce());
    let whole = (since_1970 + days) * i128::from(DAY) + minutes * 60 * i128::from(SECOND);
    let micros = whole.checked_add(micros).ok_or_else(beyond)?;
    in_calendar(i64::try_from(micros).map_err(|_| beyond())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_on_or_refused() {
        let half = 500_000;
        assert_eq!(counted_on([1970, 1, 1, 0, 0], half).unwrap(), 500_000);
        assert_eq!(counted_on([1969, 13, 1, 0, 0], 0).unwrap(), 0);
        assert_eq!(counted_on([1970, 1, 0, 24, 0], 0).unwrap(), 0);
        assert!(counted_on([i64::MAX, 1, 1, 0, 0], 0).is_err() && counted_on([1970, 1, i64::MAX, 0, 0], 0).is_err());
        assert_eq!(existing([1970, 1, 1, 0, 1], half).unwrap(), 60_500_000);
        assert_eq!(existing([1969, 12, 31, 24, 0], 0).unwrap(), 0);
        for (month, day, hour, minute) in [(2, 30, 0, 0), (13, 1, 0, 0), (1, 1, 25, 0), (1, 1, 24, 1), (1, 1, 0, 60)] {
            assert!(existing([2024, month, day, hour, minute], 0).is_err(), "{month} {day} {hour} {minute}");
        }
        assert!(existing([2024, 1, 1, 0, 0], -1).is_err() && existing([2024, 1, 1, 0, 0], 60_000_001).is_err());
    }
}
