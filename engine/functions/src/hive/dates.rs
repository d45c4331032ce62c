//! Functions of dates and times, all UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use super::calendar::{self, Civil, DAY, SECOND};
use super::row_functions::Kind::{Bool, Date, Double, Int, Long, Text, Time, TimeText};
use super::row_functions::{Row, Value, optional_udf, udf};
use super::{date_pattern, zones};
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        udf("to_date", &[Date], Date, |row| Some(Value::Date(row.date(0)?))),
        udf("quarter", &[Date], Int, |row| Some(((calendar::civil(row.date(0)?).month as i32 + 2) / 3).into())),
        udf("dayofweek", &[Date], Int, |row| Some(((calendar::weekday(row.date(0)?) + 1) % 7 + 1).into())),
        udf("weekofyear", &[Date], Int, |row| Some(calendar::week_of_year(row.date(0)?).into())),
        udf("datediff", &[Date, Date], Int, |row| Some(row.date(0)?.checked_sub(row.date(1)?)?.into())),
        udf("date_add", &[Date, Long], Date, |row| shift(row, 1)),
        udf("date_sub", &[Date, Long], Date, |row| shift(row, -1)),
        optional_udf("add_months", 2, &[Text, Long, Text], Text, |row| {
            let days = calendar::parse_date(row.text(0)?)?;
            let later = calendar::add_months(days, i32::try_from(row.long(1)?).ok()?)?;
            if row.len() > 2 {
                let of_day = zones::clock(row.text(0)?)?.rem_euclid(DAY);
                return date_pattern::format(i64::from(later).checked_mul(DAY)?.checked_add(of_day)?, row.text(2)?);
            }
            Some(calendar::format_date(later).into())
        }),
        udf("last_day", &[Date], Text, |row| {
            let Civil { year, month, .. } = calendar::civil(row.date(0)?);
            let day = calendar::days_in_month(year, month);
            Some(calendar::format_date(calendar::days(Civil { year, month, day })).into())
        }),
        udf("next_day", &[Date, Text], Text, |row| {
            let (from, name) = (row.date(0)?, row.text(1)?.trim().to_uppercase());
            let names = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
            let weekday = names.iter().position(|day| [*day, &day[..3], &day[..2]].contains(&name.as_str()))?;
            let ahead = (weekday as i32 - calendar::weekday(from)).rem_euclid(7);
            Some(calendar::format_date(from.checked_add(if ahead == 0 { 7 } else { ahead })?).into())
        }),
        // Rounded to eight digits unless the third argument is false.
        optional_udf("months_between", 2, &[Time, Time, Bool], Double, |row| {
            let months = calendar::months_between(row.time(0)?, row.time(1)?);
            let rounded = row.len() < 3 || row.bool(2)?;
            Some(if rounded { (months * 1e8).round() / 1e8 } else { months }.into())
        }),
        udf("hive_units_passed", &[Time, Time, Long], Long, |row| {
            let passed = i128::from(row.time(1)?) - i128::from(row.time(0)?);
            i64::try_from(passed / i128::from(row.long(2)?.max(1))).ok().map(Into::into)
        }),
        udf("hive_months_passed", &[Time, Time], Long, |row| Some(months_passed(row.time(0)?, row.time(1)?).into())),
        udf("hive_zone", &[Text], Text, |row| Some(zones::name(row.text(0)?).into())),
        udf("date_format", &[Time, Text], Text, |row| date_pattern::format(row.time(0)?, row.text(1)?)),
        optional_udf("from_unixtime", 1, &[Long, Text], Text, |row| {
            let nanos = row.long(0)?.checked_mul(SECOND)?;
            date_pattern::format(nanos, if row.len() > 1 { row.text(1)? } else { DEFAULT_PATTERN })
        }),
        optional_udf("unix_timestamp", 0, &[TimeText, Text], Long, |row| match row.len() {
            0 => Some((now() / SECOND).into()),
            _ => seconds(row),
        }),
        optional_udf("to_unix_timestamp", 1, &[TimeText, Text], Long, seconds),
        udf("to_epoch_milli", &[Time], Long, |row| Some(row.time(0)?.div_euclid(SECOND / 1_000).into())),
    ]
}

const DEFAULT_PATTERN: &str = "yyyy-MM-dd HH:mm:ss";

/// Seconds since 1970 of a text by a pattern.
fn seconds(row: &Row<'_>) -> Option<Value> {
    let pattern = if row.len() > 1 { row.text(1)? } else { DEFAULT_PATTERN };
    Some(date_pattern::parse(row.text(0)?, pattern)?.div_euclid(SECOND).into())
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

fn shift(row: &Row<'_>, sign: i32) -> Option<Value> {
    let days = i32::try_from(row.long(1)?).ok()?.checked_mul(sign)?;
    Some(Value::Date(row.date(0)?.checked_add(days)?))
}

/// Whole months from one time to another, below zero if it is earlier. As in Spark, the last day of a month is a day like others.
fn months_passed(from: i64, to: i64) -> i64 {
    let parts = |nanos: i64| (calendar::civil(nanos.div_euclid(DAY) as i32), nanos.rem_euclid(DAY));
    let ((a, a_time), (b, b_time)) = (parts(from), parts(to));
    let months = i64::from((b.year - a.year) * 12) + i64::from(b.month) - i64::from(a.month);
    let (before, after) = ((a.day, a_time), (b.day, b_time));
    match months {
        1.. if after < before => months - 1,
        ..=-1 if after > before => months + 1,
        _ => months,
    }
}
