//! `months_between(later, earlier)`: months with a fraction, as Snowflake and Hive count them; `age(later, earlier)`: years,
//! months, days and time, as PostgreSQL does.

use arrow::array::IntervalMonthDayNanoArray;
use arrow::datatypes::{IntervalMonthDayNano, IntervalUnit};
use chrono::Datelike;

use super::values::{DAY, day_of, is_time, micros};
use crate::hive_values::calendar::months_between;
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let between = doc(
        "months_between(later, earlier)",
        "The number of months between two dates or timestamps: an integer if both are on the same day of the month or on the last day, otherwise with a fraction based on 31-day months.",
        "select months_between(date '2024-03-31', date '2024-02-29')",
    )
    .udf(
        2..=2,
        takes([is_time], "months_between expects two dates or timestamps.", DataType::Float64),
        |args, _| {
            // Beyond the year 2262 there are too many nanoseconds.
            let nanos = |micros: Option<i64>| micros.and_then(|micros| micros.checked_mul(1000));
            let rows = micros(&args[0])?.into_iter().zip(micros(&args[1])?);
            let months = rows.map(|(later, earlier)| Some(months_between(nanos(later)?, nanos(earlier)?)));
            Ok(Arc::new(months.collect::<Float64Array>()))
        },
    );
    let age = doc(
        "age(later, earlier)",
        "The interval between two timestamps in whole months, days and the remaining time, as in PostgreSQL; negative if the first is earlier.",
        "select age(timestamp '2024-03-31 12:00:00', timestamp '2024-02-29')",
    )
    .udf(
        2..=2,
        takes([is_time], "age expects two dates or timestamps.", DataType::Interval(IntervalUnit::MonthDayNano)),
        |args, _| zip_rows::<IntervalMonthDayNanoArray, _, _, _>(micros(&args[0])?, micros(&args[1])?, age),
    );
    [between, age]
}

/// Months and days are those of the calendar; days are borrowed from the month of the earlier time.
fn age(later: i64, earlier: i64) -> Result<IntervalMonthDayNano> {
    let sign = if later < earlier { -1 } else { 1 };
    let (first, last) = (later.min(earlier), later.max(earlier));
    let (from, to) = (day_of(first)?, day_of(last)?);
    let mut time = last.rem_euclid(DAY) - first.rem_euclid(DAY);
    let mut days = to.day().cast_signed() - from.day().cast_signed();
    let mut months = (to.year() - from.year()) * 12 + to.month().cast_signed() - from.month().cast_signed();
    if time < 0 {
        time += DAY;
        days -= 1;
    }
    if days < 0 {
        days += i32::from(from.num_days_in_month());
        months -= 1;
    }
    Ok(IntervalMonthDayNano::new(sign * months, sign * days, i64::from(sign) * time * 1000))
}
