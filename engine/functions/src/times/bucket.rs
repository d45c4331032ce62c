//! `time_bucket(width, time)`, `date_bin(width, time)`: the start of the interval of a width that a time lies in, of any year.

use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};

use super::unit::Unit;
use super::values::{DAY, beyond, check_time, in_micros, is_length, is_time, micros, times_of};
use crate::prelude::*;

/// Monday, 2000-01-03, from which Timescale and DuckDB count, in microseconds since 1970.
const MONDAY: i64 = 10_959 * DAY;
/// 2000-01-01, from which they count months.
const FIRST: i64 = 10_957 * DAY;
const WIDTH: &str =
    "The width must be a positive interval of months, or of days and shorter units, such as interval '15' minute.";

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [
        doc(
            "time_bucket(width, time, origin)",
            "The start of the bucket of a given width that contains a timestamp; weeks begin on Monday, unless an origin or an interval to shift the buckets by is given.",
            "select time_bucket(interval '15 minutes', block_timestamp) from transactions limit 1",
        )
        .udf(2..=3, bucket_field, |args, to| buckets(args, to, MONDAY, FIRST)),
        doc(
            "date_bin(width, time, origin)",
            "The start of the bucket of a given width that contains a timestamp, counted from an origin or, by default, from 1970.",
            "select date_bin(interval '15 minutes', block_timestamp) from transactions limit 1",
        )
        .udf(2..=3, bucket_field, |args, to| buckets(args, to, 0, 0)),
    ]
}

fn bucket_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (width, time) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    if !is_length(width) && !is_text(width) && !width.is_null() {
        return Err(invalid(WIDTH));
    }
    check_time("A bucket", time)?;
    if args.arg_fields.get(2).is_some_and(|origin| !is_time(origin.data_type()) && !is_length(origin.data_type())) {
        return Err(invalid("The origin must be a date, a timestamp, or an interval to shift the buckets by."));
    }
    returns(in_micros(time))(args)
}

enum Width {
    Micros(i64),
    Months(i64),
}

impl Width {
    fn new(interval: IntervalMonthDayNano) -> Result<Width> {
        let shorter = i128::from(interval.days) * i128::from(DAY) + i128::from(interval.nanoseconds) / 1_000;
        match (i64::from(interval.months), i64::try_from(shorter)) {
            (0, Ok(micros)) if micros > 0 => Ok(Width::Micros(micros)),
            (months, Ok(0)) if months > 0 => Ok(Width::Months(months)),
            _ => Err(invalid(WIDTH)),
        }
    }

    fn begin(&self, time: i64, origin: i64) -> Result<i64> {
        match self {
            Width::Micros(width) => {
                let passed = i128::from(time) - i128::from(origin);
                i64::try_from(i128::from(time) - passed.rem_euclid(i128::from(*width))).map_err(|_| beyond())
            }
            Width::Months(width) => {
                let month = Unit::Months(1);
                let mut passed = month.borders(origin, time)?;
                if month.shift(origin, passed)? > time {
                    passed -= 1;
                }
                month.shift(origin, passed.div_euclid(*width) * width)
            }
        }
    }
}

fn buckets(args: &[ArrayRef], to: &FieldRef, origin: i64, origin_of_months: i64) -> Result<ArrayRef> {
    let widths = intervals(&args[0])?;
    let origins = match args.get(2) {
        Some(origin) if is_time(origin.data_type()) => Origins::Times(micros(origin)?),
        Some(moved) => Origins::Moved(intervals(moved)?),
        None => Origins::Default,
    };
    let rows = micros(&args[1])?.into_iter().zip(widths).enumerate();
    let buckets = rows.map(|(row, (time, width))| {
        let (Some(time), Some(width)) = (time, width) else { return Ok(None) };
        let width = Width::new(width)?;
        let default = if matches!(width, Width::Months(_)) { origin_of_months } else { origin };
        let origin = match &origins {
            Origins::Default => Some(default),
            Origins::Times(times) => times[row],
            Origins::Moved(by) => by[row].map(|by| moved(default, by)).transpose()?,
        };
        origin.map(|origin| width.begin(time, origin)).transpose()
    });
    Ok(times_of(buckets.collect::<Result<_>>()?, to.data_type()))
}

/// The origin of each row.
enum Origins {
    Default,
    Times(Vec<Option<i64>>),
    /// The default, moved.
    Moved(Vec<Option<IntervalMonthDayNano>>),
}

fn moved(origin: i64, by: IntervalMonthDayNano) -> Result<i64> {
    let origin = Unit::Months(1).shift(origin, by.months.into())?;
    let origin = Unit::Micros(DAY).shift(origin, by.days.into())?;
    Unit::Micros(1).shift(origin, by.nanoseconds / 1_000)
}

fn intervals(array: &ArrayRef) -> Result<Vec<Option<IntervalMonthDayNano>>> {
    if array.data_type().is_null() {
        return Ok(vec![None; array.len()]);
    }
    let to = DataType::Interval(IntervalUnit::MonthDayNano);
    let read = strict_cast(array, &to).map_err(|_| invalid(WIDTH))?;
    Ok(read.as_primitive::<IntervalMonthDayNanoType>().iter().collect())
}
