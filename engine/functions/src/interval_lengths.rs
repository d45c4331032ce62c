//! The lengths of intervals, by which they are compared: a month has 30 days, and a day 24 hours.

use arrow::array::Decimal128Array;
use arrow::datatypes::{IntervalMonthDayNanoType, IntervalUnit};

use crate::prelude::*;

pub(crate) const DAYS_OF_MONTH: i32 = 30;
pub(crate) const NANOSECONDS_OF_DAY: i64 = 86_400_000_000_000;

/// Enough digits for the nanoseconds of the longest interval: 2^31 months.
pub(crate) const NANOSECONDS: DataType = DataType::Decimal128(38, 0);

/// Intervals of any unit in nanoseconds.
pub(crate) fn interval_lengths(intervals: &ArrayRef) -> Result<Decimal128Array> {
    let intervals = cast(intervals, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let lengths: Decimal128Array = intervals.as_primitive::<IntervalMonthDayNanoType>().unary(|interval| {
        let days = i128::from(interval.months) * i128::from(DAYS_OF_MONTH) + i128::from(interval.days);
        days * i128::from(NANOSECONDS_OF_DAY) + i128::from(interval.nanoseconds)
    });
    Ok(lengths.with_data_type(NANOSECONDS))
}
