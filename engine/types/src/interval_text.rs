//! Lengths of time as text: `2 days 3 hours 0.5 secs`, zeros left out.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit, TimeUnit,
};

const DAY: i128 = 86_400_000_000_000;
const HOUR: i128 = 3_600_000_000_000;
const MINUTE: i128 = 60_000_000_000;
const SECOND: i128 = 1_000_000_000;

/// The text of a row, if the column holds intervals with months, days and nanoseconds, or durations.
pub fn length_text(array: &dyn Array, row: usize) -> Option<String> {
    let (count, nanos_of_unit) = match array.data_type() {
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            return Some(interval(array.as_primitive::<IntervalMonthDayNanoType>().value(row)));
        }
        DataType::Duration(TimeUnit::Second) => (array.as_primitive::<DurationSecondType>().value(row), SECOND),
        DataType::Duration(TimeUnit::Millisecond) => {
            (array.as_primitive::<DurationMillisecondType>().value(row), 1_000_000)
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            (array.as_primitive::<DurationMicrosecondType>().value(row), 1_000)
        }
        DataType::Duration(TimeUnit::Nanosecond) => (array.as_primitive::<DurationNanosecondType>().value(row), 1),
        _ => return None,
    };
    let nanos = i128::from(count) * nanos_of_unit;
    Some(joined([(nanos / DAY, "days")], nanos % DAY))
}

fn interval(interval: IntervalMonthDayNano) -> String {
    let months = i128::from(interval.months);
    joined([(months / 12, "years"), (months % 12, "mons"), (interval.days.into(), "days")], interval.nanoseconds.into())
}

fn joined<const N: usize>(days: [(i128, &str); N], nanos: i128) -> String {
    let clock = [(nanos / HOUR, "hours"), (nanos % HOUR / MINUTE, "mins")];
    let whole = days.into_iter().chain(clock).filter(|(count, _)| *count != 0);
    let mut parts: Vec<String> = whole.map(|(count, unit)| format!("{count} {unit}")).collect();
    let rest = nanos % MINUTE;
    if rest != 0 || parts.is_empty() {
        let sign = if rest < 0 { "-" } else { "" };
        let seconds = format!("{}.{:09}", rest.abs() / SECOND, rest.abs() % SECOND);
        parts.push(format!("{sign}{} secs", seconds.trim_end_matches('0').trim_end_matches('.')));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_left_out() {
        let text = |months, days, nanoseconds| interval(IntervalMonthDayNano { months, days, nanoseconds });
        assert_eq!(text(0, 0, 0), "0 secs");
        assert_eq!(text(14, -3, 0), "1 years 2 mons -3 days");
        assert_eq!(text(0, 0, 5_025_500_000_000), "1 hours 23 mins 45.5 secs");
        assert_eq!(text(0, 0, -500_000_000), "-0.5 secs");
        assert_eq!(joined([(2, "days")], 1), "2 days 0.000000001 secs");
    }
}
