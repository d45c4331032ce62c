//! `time_bucket(width, time)`, `date_bin(width, time)`: the start of the interval of a width that a time lies in, of any year.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::unit::Unit;
use super::{DAY, beyond, in_micros, is_time, micros, time_needed, times_of};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;

const BUCKET_DOC: Doc = Doc {
    signature: "time_bucket(width, time, origin)",
    text: "The start of the interval of a width that a time lies in; weeks begin on Monday, unless an origin or an interval to move them by is given.",
    example: "select time_bucket(interval '15 minutes', block_timestamp) from transactions limit 1",
};
const BIN_DOC: Doc = Doc {
    signature: "date_bin(width, time, origin)",
    text: "The start of the interval of a width that a time lies in, counted from an origin, or from 1970.",
    example: "select date_bin(interval '15 minutes', block_timestamp) from transactions limit 1",
};

/// Monday, 2000-01-03, from which Timescale and DuckDB count, in microseconds since 1970.
const MONDAY: i64 = 10_959 * DAY;
/// 2000-01-01, from which they count months.
const FIRST: i64 = 10_957 * DAY;
const WIDTH: &str =
    "A width is an interval above zero of months, or of days and shorter units, as interval '15' minute.";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("time_bucket", 2..=3, Some(BUCKET_DOC), bucket, |args, to| begins(args, to, MONDAY, FIRST)),
        Simple::udf("date_bin", 2..=3, Some(BIN_DOC), bucket, |args, to| begins(args, to, 0, 0)),
    ]
}

fn bucket(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (width, time) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    let is_length = |of: &DataType| matches!(of, DataType::Interval(_) | DataType::Duration(_) | DataType::Null);
    if !is_length(width) && !is_text(width) {
        return Err(invalid(WIDTH));
    }
    time_needed("A bucket", time)?;
    if args.arg_fields.get(2).is_some_and(|origin| !is_time(origin.data_type()) && !is_length(origin.data_type())) {
        return Err(invalid("An origin is a date, a timestamp, or an interval by which the buckets are moved."));
    }
    Ok(Arc::new(Field::new("bucket", in_micros(time), true)))
}

/// What buckets are as wide as.
enum Width {
    Micros(i64),
    Months(i64),
}

impl Width {
    fn of(interval: IntervalMonthDayNano) -> Result<Width> {
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

fn begins(args: &[ArrayRef], to: &FieldRef, of_lengths: i64, of_months: i64) -> Result<ArrayRef> {
    let widths = intervals(&args[0])?;
    let origins = match args.get(2) {
        Some(origin) if is_time(origin.data_type()) => Origins::Times(micros(origin)?),
        Some(moved) => Origins::Moved(intervals(moved)?),
        None => Origins::Default,
    };
    let rows = micros(&args[1])?.into_iter().zip(widths).enumerate();
    let begins = rows.map(|(row, (time, width))| {
        let (Some(time), Some(width)) = (time, width) else { return Ok(None) };
        let width = Width::of(width)?;
        let default = if matches!(width, Width::Months(_)) { of_months } else { of_lengths };
        let origin = match &origins {
            Origins::Default => Some(default),
            Origins::Times(times) => times[row],
            Origins::Moved(by) => by[row].map(|by| moved(default, by)).transpose()?,
        };
        origin.map(|origin| width.begin(time, origin)).transpose()
    });
    Ok(times_of(begins.collect::<Result<_>>()?, to.data_type()))
}

/// Where buckets are counted from, for each row.
enum Origins {
    Default,
    Times(Vec<Option<i64>>),
    /// By these from where they are counted otherwise.
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
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let read = cast_with_options(array, &to, &options).map_err(|_| invalid(WIDTH))?;
    Ok(read.as_primitive::<IntervalMonthDayNanoType>().iter().collect())
}
