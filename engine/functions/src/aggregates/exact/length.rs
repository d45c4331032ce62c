//! Lengths of time: differences of times, summed in 128 bits of microseconds, and intervals, whose months, days and nanoseconds
//! are summed apart.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, DurationMicrosecondArray, IntervalMonthDayNanoArray};
use arrow::datatypes::{
    DataType, DurationMicrosecondType, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit,
};
use datafusion::common::Result;

use super::mean::Means;
use super::number::{Kind, too_large};

/// The type of intervals.
pub(crate) const INTERVAL: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

/// What a month and a day count where an interval is divided, as in PostgreSQL.
const DAYS_OF_MONTH: i128 = 30;
const NANOSECONDS_OF_DAY: i128 = 86_400_000_000_000;
/// Times have microseconds.
const SMALLEST: i128 = 1_000;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Length;

impl Kind for Length {
    type Sum = i128;

    fn read<'a>(self, array: &'a ArrayRef, _: bool) -> Box<dyn Fn(usize) -> i128 + 'a> {
        let values = array.as_primitive::<DurationMicrosecondType>().values();
        Box::new(move |row| values[row].into())
    }

    fn add(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_add(value)
    }

    fn subtract(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_sub(value)
    }

    fn write(self, sums: Vec<i128>, valid: Vec<bool>, _: &DataType) -> Result<ArrayRef> {
        let all = sums.into_iter().zip(valid);
        let micros = all.map(|(sum, valid)| valid.then(|| i64::try_from(sum)).transpose().map_err(|_| too_large()));
        Ok(Arc::new(micros.collect::<Result<DurationMicrosecondArray>>()?))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Span;

/// Months, days and nanoseconds.
type Parts = [i128; 3];

/// A sum as an interval, when it is none too long.
fn interval([months, days, nanoseconds]: Parts) -> Option<IntervalMonthDayNano> {
    let (months, days) = (i32::try_from(months).ok()?, i32::try_from(days).ok()?);
    Some(IntervalMonthDayNano { months, days, nanoseconds: i64::try_from(nanoseconds).ok()? })
}

impl Kind for Span {
    type Sum = Parts;

    fn read<'a>(self, array: &'a ArrayRef, _: bool) -> Box<dyn Fn(usize) -> Parts + 'a> {
        let values = array.as_primitive::<IntervalMonthDayNanoType>().values();
        Box::new(move |row| [values[row].months.into(), values[row].days.into(), values[row].nanoseconds.into()])
    }

    fn add(self, sum: Parts, value: Parts) -> Option<Parts> {
        Some([0, 1, 2].map(|part| sum[part] + value[part]))
    }

    fn subtract(self, sum: Parts, value: Parts) -> Option<Parts> {
        Some([0, 1, 2].map(|part| sum[part] - value[part]))
    }

    fn write(self, sums: Vec<Parts>, valid: Vec<bool>, _: &DataType) -> Result<ArrayRef> {
        let all = sums.into_iter().zip(valid);
        let intervals = all.map(|(sum, valid)| valid.then(|| interval(sum).ok_or_else(too_large)).transpose());
        Ok(Arc::new(intervals.collect::<Result<IntervalMonthDayNanoArray>>()?))
    }
}

impl Means for Span {
    type Mean = IntervalMonthDayNanoType;

    /// What is no whole month goes into days, and what is no whole day into hours.
    fn mean(self, [months, days, nanoseconds]: Parts, count: i64, _: u32) -> Option<IntervalMonthDayNano> {
        let count = i128::from(count);
        let days = days + months % count * DAYS_OF_MONTH;
        let nanoseconds = nanoseconds + days % count * NANOSECONDS_OF_DAY;
        let unit = count * SMALLEST;
        let half = unit / 2 * nanoseconds.signum();
        interval([months / count, days / count, (nanoseconds + half) / unit * SMALLEST])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_month_goes_into_days_and_hours() {
        let mean = |parts, count| {
            Span.mean(parts, count, 0).map(|mean| (mean.months, mean.days, mean.nanoseconds / 3_600_000_000_000))
        };
        assert_eq!(mean([1, 1, 0], 2), Some((0, 15, 12)));
        assert_eq!(mean([1, 1, 0], 31), Some((0, 1, 0)));
        assert_eq!(mean([-3, 0, 0], 2), Some((-1, -15, 0)));
        assert_eq!(mean([i128::from(i32::MAX) * 2, 0, 0], 2), Some((i32::MAX, 0, 0)));
        assert_eq!(mean([i128::from(i32::MAX) * 4, 0, 0], 2), None);
        assert_eq!(Span.mean([0, 0, 5_000], 3, 0).map(|mean| mean.nanoseconds), Some(2_000));
    }
}
