//! Times as the clocks of a time zone show them, and back.

use arrow::array::timezone::Tz;
use arrow::datatypes::{Decimal128Type, TimeUnit};
use chrono::{Offset, TimeZone};

use super::values::{DAY, beyond, check_time, in_calendar, micros, moment, times_of, utc_type};
use crate::numbers::float_decimals::decimals_of_floats;
use crate::prelude::*;

const SECOND: i64 = 1_000_000;

pub(super) fn udfs() -> [ScalarUDF; 4] {
    [
        doc(
            "at_timezone(time, zone)",
            "The local time in a time zone at a timestamp. The zone is a name such as Europe/Berlin or an offset such as +05:30.",
            "select at_timezone(timestamp '2024-07-01 12:00:00', 'Europe/Berlin')",
        )
        .udf(
            2..=2,
            |args| {
                check_time("at_timezone", args.arg_fields[0].data_type())?;
                zoned("at_timezone", args, DataType::Timestamp(TimeUnit::Microsecond, None))
            },
            |args, to| clocks(micros(&args[0])?, &args[1], to),
        ),
        doc(
            "with_timezone(time, zone)",
            "The timestamp of a local time in a time zone.",
            "select with_timezone(timestamp '2024-07-01 14:00:00', 'Europe/Berlin')",
        )
        .udf(
            2..=2,
            |args| {
                check_time("with_timezone", args.arg_fields[0].data_type())?;
                zoned("with_timezone", args, utc_type())
            },
            |args, to| times(micros(&args[0])?, &args[1], to),
        ),
        doc(
            "from_unixtime(seconds, zone)",
            "The timestamp a number of seconds after 1970-01-01 00:00:00 UTC; with a time zone, the local time there.",
            "select from_unixtime(1704067200)",
        )
        .udf(
            1..=2,
            |args| match args.arg_fields[0].data_type() {
                from if !from.is_numeric() && !from.is_null() => {
                    Err(invalid("from_unixtime expects a number of seconds."))
                }
                _ if args.arg_fields.len() == 1 => returns(utc_type())(args),
                _ => zoned("from_unixtime", args, DataType::Timestamp(TimeUnit::Microsecond, None)),
            },
            |args, to| match args.get(1) {
                None => Ok(times_of(micros_of_seconds(&args[0])?, to.data_type())),
                Some(zones) => clocks(micros_of_seconds(&args[0])?, zones, to),
            },
        ),
        doc("current_timezone()", "Always UTC.", "select current_timezone()").udf(
            0..=0,
            |_| Ok(Arc::new(Field::new("zone", DataType::Utf8, false))),
            |_, _| Ok(Arc::new(StringArray::from(vec!["UTC"]))),
        ),
    ]
}

/// The rule of a function whose second argument is a time zone.
fn zoned(name: &str, args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    match args.arg_fields[1].data_type() {
        zone if is_text(zone) || zone.is_null() => returns(to)(args),
        _ => Err(invalid(format!("The time zone of {name} must be a string such as 'Europe/Berlin'."))),
    }
}

/// Microseconds of a number of seconds, with its fraction.
fn micros_of_seconds(seconds: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let exact = decimals_of_floats(seconds, &DataType::Decimal128(38, 6), false).map_err(|_| beyond())?;
    let micros = |micros: i128| in_calendar(i64::try_from(micros).map_err(|_| beyond())?);
    exact.as_primitive::<Decimal128Type>().iter().map(|row| row.map(micros).transpose()).collect()
}

/// What the clocks of each row's zone show at its time.
fn clocks(times: Vec<Option<i64>>, zones: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    with_zones(times, zones, to, |time, zone| {
        let ahead = zone.offset_from_utc_datetime(&moment(time)?).fix().local_minus_utc();
        time.checked_add(i64::from(ahead) * SECOND).ok_or_else(beyond)
    })
}

/// The times at which the clocks of each row's zone show what they do.
fn times(clocks: Vec<Option<i64>>, zones: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    with_zones(clocks, zones, to, |clock, zone| {
        let ahead = match zone.offset_from_local_datetime(&moment(clock)?).earliest() {
            Some(offset) => offset.fix().local_minus_utc(),
            // Clocks that are put forward never show this; it is read with the offset of the day before.
            None => zone.offset_from_utc_datetime(&moment(clock - DAY)?).fix().local_minus_utc(),
        };
        clock.checked_sub(i64::from(ahead) * SECOND).ok_or_else(beyond)
    })
}

fn with_zones(
    rows: Vec<Option<i64>>,
    zones: &ArrayRef,
    to: &Field,
    shift: impl Fn(i64, Tz) -> Result<i64>,
) -> Result<ArrayRef> {
    let mut last = None;
    let rows = rows.into_iter().zip(text_of(zones)?).map(|(time, name)| {
        let Some((time, name)) = time.zip(name) else { return Ok(None) };
        let parse = |name: &&str| name.parse::<Tz>().map_err(|_| invalid(format!("There is no time zone {name}.")));
        shift(time, *reuse_last(&mut last, name, parse)?).map(Some)
    });
    Ok(times_of(rows.collect::<Result<_>>()?, to.data_type()))
}
