//! `next_day(date, day of the week)` and `previous_day(…)`, as Snowflake and Spark write them.

use arrow::array::Date32Array;

use super::values::{DAY, beyond, day_of, is_time, micros};
use crate::prelude::*;

/// From Monday.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let takes_day = || {
        let message = "Expected a date and a day of the week, such as next_day(block_date, 'monday').";
        takes([is_time, is_text], message, DataType::Date32)
    };
    [
        doc(
            "next_day(time, day of the week)",
            "The first occurrence of a day of the week after a date: next_day(d, 'monday'), or as short as 'mo'.",
            "select next_day(date '2024-03-01', 'monday')",
        )
        .udf(2..=2, takes_day(), |args, _| moved(args, |now, wanted| 7 - (now - wanted).rem_euclid(7))),
        doc(
            "previous_day(time, day of the week)",
            "The last occurrence of a day of the week before a date: previous_day(d, 'monday'), or as short as 'mo'.",
            "select previous_day(date '2024-03-01', 'monday')",
        )
        .udf(2..=2, takes_day(), |args, _| moved(args, |now, wanted| (wanted - now).rem_euclid(7) - 7)),
    ]
}

/// Each day moved by a function of its day of the week and another, both counted from Monday.
fn moved(args: &[ArrayRef], by: fn(i32, i32) -> i32) -> Result<ArrayRef> {
    zip_rows::<Date32Array, _, _, _>(micros(&args[0])?, text_of(&args[1])?, |time, name| {
        // 1970 began on a Thursday.
        let day = i32::try_from(time.div_euclid(DAY)).map_err(|_| beyond())?;
        let moved = i64::from(day + by((day + 3).rem_euclid(7), day_of_week(name)?));
        day_of(moved * DAY).map(|_| moved as i32)
    })
}

fn day_of_week(name: &str) -> Result<i32> {
    let prefix = name.trim().to_lowercase();
    let found = DAYS.iter().position(|day| prefix.len() > 1 && day.starts_with(&prefix));
    let wrong = || invalid(format!("'{name:.20}' is not a valid day of the week; write monday, mon or mo."));
    found.map(|index| index as i32).ok_or_else(wrong)
}
