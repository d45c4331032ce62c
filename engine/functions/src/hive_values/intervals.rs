//! Hive's two kinds of intervals: months (`1-2` is a year and two months), and time in nanoseconds (`3 04:05:06.7`).

use arrow::datatypes::{DurationNanosecondType, IntervalUnit, IntervalYearMonthType, TimeUnit};

use super::calendar::{DAY, SECOND, parse_time};
use crate::prelude::*;

/// Whole months.
pub const MONTHS: DataType = DataType::Interval(IntervalUnit::YearMonth);
/// Nanoseconds.
pub const TIME: DataType = DataType::Duration(TimeUnit::Nanosecond);

/// Whether a type is one of the two.
pub fn is_interval(data_type: &DataType) -> bool {
    *data_type == MONTHS || matches!(data_type, DataType::Duration(_))
}

/// Nanoseconds of a unit.
pub fn length(unit: &str) -> i64 {
    match unit {
        "week" => 7 * DAY,
        "day" => DAY,
        "hour" => 3600 * SECOND,
        "minute" => 60 * SECOND,
        "millisecond" => SECOND / 1_000,
        "microsecond" => SECOND / 1_000_000,
        _ => SECOND,
    }
}

/// Months of `1-2`, `-1-2`, `+0-11`.
pub fn parse_months(text: &str) -> Option<i32> {
    let (sign, digits) = signed(text);
    let (years, months) = digits.split_once('-')?;
    let (years, months): (i32, i32) = (number(years)?.try_into().ok()?, number(months)?.try_into().ok()?);
    if months > 11 {
        return None;
    }
    years.checked_mul(12)?.checked_add(months)?.checked_mul(sign as i32)
}

/// Nanoseconds of `3 4:05:06.7`.
pub fn parse_nanos(text: &str) -> Option<i64> {
    let (sign, digits) = signed(text);
    let (days, time) = digits.split_once([' ', 'T'])?;
    let nanos = number(days)?.checked_mul(DAY)?.checked_add(parse_time(time)?)?;
    nanos.checked_mul(sign)
}

fn signed(text: &str) -> (i64, &str) {
    let text = text.trim();
    match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn number(digits: &str) -> Option<i64> {
    let fine = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if fine { digits.parse().ok() } else { None }
}

/// Fourteen months are `1-2`.
pub fn format_months(months: i32) -> String {
    let (sign, count) = (if months < 0 { "-" } else { "" }, months.unsigned_abs());
    format!("{sign}{}-{}", count / 12, count % 12)
}

/// Nanoseconds as `3 04:05:06.700000000`.
pub fn format_nanos(nanos: i64) -> String {
    let (sign, count) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
    let (day, second) = (DAY as u64, SECOND as u64);
    let (days, seconds, fraction) = (count / day, count % day / second, count % second);
    format!("{sign}{days} {:02}:{:02}:{:02}.{fraction:09}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Intervals as Hive prints them; `None` for other columns.
pub(crate) fn format(array: &ArrayRef) -> Option<arrow::array::StringArray> {
    match array.data_type() {
        DataType::Interval(IntervalUnit::YearMonth) => {
            Some(array.as_primitive::<IntervalYearMonthType>().iter().map(|value| value.map(format_months)).collect())
        }
        DataType::Duration(_) => {
            let nanos = arrow::compute::cast(array, &TIME).ok()?;
            Some(nanos.as_primitive::<DurationNanosecondType>().iter().map(|value| value.map(format_nanos)).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_parsed_and_formatted() {
        for text in ["1-2", "-1-2", "0-11", "0-0"] {
            assert_eq!(format_months(parse_months(text).unwrap()), text);
        }
        for text in ["3 04:05:06.700000000", "-26 00:00:00.000000000", "0 00:00:00.000000001"] {
            assert_eq!(format_nanos(parse_nanos(text).unwrap()), text);
        }
        for bad in ["", "1", "1-12", "x-1", "1 2", "1 25:00:00", "99999999999-1", "999999999999 0:0:0"] {
            assert_eq!((parse_months(bad), parse_nanos(bad)), (None, None), "{bad}");
        }
    }
}
