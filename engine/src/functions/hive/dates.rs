//! Functions of dates and times, all UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use super::calendar::{self, Civil, DAY, SECOND};
use super::pattern;
use super::rows::Kind::{Date, Double, Int, Long, Text, Time};
use super::rows::{Def, Row, Value, def, opt};

pub(super) const FUNCTIONS: &[Def] = &[
    def("to_date", &[Date], Date, |row| Some(Value::Date(row.date(0)?))),
    def("year", &[Date], Int, |row| Some(calendar::civil(row.date(0)?).year.into())),
    def("quarter", &[Date], Int, |row| Some(((calendar::civil(row.date(0)?).month as i32 + 2) / 3).into())),
    def("month", &[Date], Int, |row| Some((calendar::civil(row.date(0)?).month as i32).into())),
    def("day", &[Date], Int, |row| Some((calendar::civil(row.date(0)?).day as i32).into())),
    def("dayofmonth", &[Date], Int, |row| Some((calendar::civil(row.date(0)?).day as i32).into())),
    def("dayofweek", &[Date], Int, |row| Some(((calendar::weekday(row.date(0)?) + 1) % 7 + 1).into())),
    def("weekofyear", &[Date], Int, |row| Some(calendar::week_of_year(row.date(0)?).into())),
    def("hour", &[Text], Int, |row| Some((of_day(row)? / SECOND / 3600).into())),
    def("minute", &[Text], Int, |row| Some((of_day(row)? / SECOND / 60 % 60).into())),
    def("second", &[Text], Int, |row| Some((of_day(row)? / SECOND % 60).into())),
    def("datediff", &[Date, Date], Int, |row| Some((row.date(0)? - row.date(1)?).into())),
    def("date_add", &[Date, Long], Date, |row| shift(row, 1)),
    def("date_sub", &[Date, Long], Date, |row| shift(row, -1)),
    opt("add_months", 2, &[Text, Long, Text], Text, |row| {
        let days = calendar::parse_date(row.text(0)?)?;
        let later = calendar::add_months(days, i32::try_from(row.long(1)?).ok()?)?;
        if row.len() > 2 {
            let of_day = calendar::parse_timestamp(row.text(0)?)?.rem_euclid(DAY);
            return pattern::format(i64::from(later).checked_mul(DAY)?.checked_add(of_day)?, row.text(2)?);
        }
        Some(calendar::show_date(later).into())
    }),
    def("last_day", &[Date], Text, |row| {
        let Civil { year, month, .. } = calendar::civil(row.date(0)?);
        let day = calendar::days_in_month(year, month);
        Some(calendar::show_date(calendar::days(Civil { year, month, day })).into())
    }),
    def("next_day", &[Date, Text], Text, |row| {
        let (from, name) = (row.date(0)?, row.text(1)?.trim().to_uppercase());
        let names = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
        let wanted = names.iter().position(|day| [*day, &day[..3], &day[..2]].contains(&name.as_str()))?;
        let ahead = (wanted as i32 - calendar::weekday(from)).rem_euclid(7);
        Some(calendar::show_date(from + if ahead == 0 { 7 } else { ahead }).into())
    }),
    def("months_between", &[Time, Time], Double, |row| Some(months_between(row.time(0)?, row.time(1)?).into())),
    def("date_format", &[Time, Text], Text, |row| pattern::format(row.time(0)?, row.text(1)?)),
    opt("from_unixtime", 1, &[Long, Text], Text, |row| {
        let nanos = row.long(0)?.checked_mul(SECOND)?;
        pattern::format(nanos, if row.len() > 1 { row.text(1)? } else { "yyyy-MM-dd HH:mm:ss" })
    }),
    opt("unix_timestamp", 0, &[Text, Text], Long, |row| {
        let nanos = match row.len() {
            0 => return Some((now() / SECOND).into()),
            1 => calendar::parse_timestamp(row.text(0)?)?,
            _ => pattern::parse(row.text(0)?, row.text(1)?)?,
        };
        Some(nanos.div_euclid(SECOND).into())
    }),
    opt("to_unix_timestamp", 1, &[Text, Text], Long, |row| {
        let nanos = match row.len() {
            1 => calendar::parse_timestamp(row.text(0)?)?,
            _ => pattern::parse(row.text(0)?, row.text(1)?)?,
        };
        Some(nanos.div_euclid(SECOND).into())
    }),
];

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Nanoseconds since midnight of a time, or of a time of day alone.
fn of_day(row: &Row<'_>) -> Option<i64> {
    let text = row.text(0)?;
    calendar::parse_timestamp(text).map(|nanos| nanos.rem_euclid(DAY)).or_else(|| calendar::parse_time(text))
}

fn shift(row: &Row<'_>, sign: i32) -> Option<Value> {
    let days = i32::try_from(row.long(1)?).ok()?.checked_mul(sign)?;
    Some(Value::Date(row.date(0)?.checked_add(days)?))
}

/// Whole months count whole when the days of the month agree or both are the last; the rest counts by 31 days.
fn months_between(a: i64, b: i64) -> f64 {
    let parts = |nanos: i64| (calendar::civil(nanos.div_euclid(DAY) as i32), nanos.rem_euclid(DAY) / SECOND);
    let ((a, a_seconds), (b, b_seconds)) = (parts(a), parts(b));
    let months = f64::from((a.year - b.year) * 12 + a.month as i32 - b.month as i32);
    let last = |civil: Civil| civil.day == calendar::days_in_month(civil.year, civil.month);
    if a.day == b.day || (last(a) && last(b)) {
        return months;
    }
    let seconds = (i64::from(a.day) - i64::from(b.day)) * 86_400 + a_seconds - b_seconds;
    ((months + seconds as f64 / (31.0 * 86_400.0)) * 1e8).round() / 1e8
}
