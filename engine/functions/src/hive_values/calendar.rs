//! Days, months and times of day in the proleptic Gregorian calendar, UTC, and their texts in Hive.

/// Nanoseconds of a second and of a day.
pub(crate) const SECOND: i64 = 1_000_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;

/// A day by year, month (1 to 12) and day of the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub year: i32,
    pub month: u32,
    pub day: u32,
}

/// Days since 1970-01-01. After Howard Hinnant, "chrono-compatible low-level date algorithms".
pub(crate) fn days(civil: Civil) -> i32 {
    let year = i64::from(civil.year) - i64::from(civil.month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = i64::from(civil.month);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(civil.day) - 1;
    let day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    i32::try_from(era * 146_097 + day - 719_468).unwrap_or(i32::MAX)
}

/// The day of a count of days since 1970-01-01.
pub(crate) fn civil(days: i32) -> Civil {
    let shifted = i64::from(days) + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = of_era + era * 400 + i64::from(month <= 2);
    Civil { year: year as i32, month: month as u32, day: of_month as u32 }
}

pub(crate) fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day some months later; the last day of a month stays the last one.
pub(crate) fn add_months(days: i32, months: i32) -> Option<i32> {
    let from = civil(days);
    let months = i64::from(from.year) * 12 + i64::from(from.month) - 1 + i64::from(months);
    let (year, month) = (i32::try_from(months.div_euclid(12)).ok()?, months.rem_euclid(12) as u32 + 1);
    let last = days_in_month(year, month);
    let was_last = from.day == days_in_month(from.year, from.month);
    Some(self::days(Civil { year, month, day: if was_last { last } else { from.day.min(last) } }))
}

/// Monday is 0.
pub(crate) fn weekday(days: i32) -> i32 {
    (i64::from(days) + 3).rem_euclid(7) as i32
}

/// The day at the start of a text: `2024-01-05`, `2024-1-5 10:00:00`.
pub(crate) fn parse_date(text: &str) -> Option<i32> {
    let text = text.trim();
    let (date, _) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    let mut parts = date.splitn(3, '-');
    let part = |part: Option<&str>, longest: usize| -> Option<u32> {
        let digits = part?;
        let fine = (1..=longest).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if fine { digits.parse().ok() } else { None }
    };
    let (year, month, day) = (part(parts.next(), 4)?, part(parts.next(), 2)?, part(parts.next(), 2)?);
    let year = year as i32;
    // A day beyond the end of its month is in the next month, as in Java.
    let fine = (1..=12).contains(&month) && (1..=31).contains(&day);
    fine.then(|| days(Civil { year, month, day }))
}

/// Nanoseconds since 1970 of a time: `2024-01-05`, `2024-01-05 10:00:00.123`.
pub(crate) fn parse_timestamp(text: &str) -> Option<i64> {
    let text = text.trim();
    let days = i64::from(parse_date(text)?);
    let Some((_, time)) = text.split_once([' ', 'T']) else { return days.checked_mul(DAY) };
    days.checked_mul(DAY)?.checked_add(parse_time(time.strip_suffix('Z').unwrap_or(time))?)
}

/// Nanoseconds of a time of day: `10:00:00.123`, `10:00`.
pub(crate) fn parse_time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let mut parts = clock.split(':');
    let mut part = |below: i64| -> Option<i64> {
        let digits = parts.next()?;
        let value: i64 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        (value < below).then_some(value)
    };
    let (hour, minute) = (part(24)?, part(60)?);
    let second = match clock.split(':').count() {
        2 => 0,
        3 => part(60)?,
        _ => return None,
    };
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nanos: i64 = format!("{fraction:0<9}").parse().ok()?;
    Some(((hour * 60 + minute) * 60 + second) * SECOND + nanos)
}

pub(crate) fn format_date(days: i32) -> String {
    let Civil { year, month, day } = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A timestamp as Hive prints it, without trailing zeros of the fraction.
pub(crate) fn format_timestamp(nanos: i64) -> String {
    let (days, of_day) = (nanos.div_euclid(DAY) as i32, nanos.rem_euclid(DAY));
    let (seconds, fraction) = (of_day / SECOND, of_day % SECOND);
    let mut text = format!("{} {:02}:{:02}:{:02}", format_date(days), seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction > 0 {
        text.push_str(format!(".{fraction:09}").trim_end_matches('0'));
    }
    text
}

/// The first day of the month, quarter or year of a day; units have Hive's names.
pub(crate) fn truncate(days: i32, unit: &str) -> Option<i32> {
    let Civil { year, month, .. } = civil(days);
    if unit.eq_ignore_ascii_case("WEEK") {
        return days.checked_sub(weekday(days));
    }
    let month = match unit.to_uppercase().as_str() {
        "MONTH" | "MON" | "MM" => month,
        "QUARTER" | "Q" => (month - 1) / 3 * 3 + 1,
        "YEAR" | "YYYY" | "YY" => 1,
        _ => return None,
    };
    Some(self::days(Civil { year, month, day: 1 }))
}

/// The number of the ISO week.
pub(crate) fn week_of_year(days: i32) -> i32 {
    let thursday = days.saturating_sub(weekday(days)).saturating_add(3);
    let first = self::days(Civil { year: civil(thursday).year, month: 1, day: 1 });
    (thursday - first) / 7 + 1
}

/// The year and the number of a US week: weeks begin on Sunday, and the week of January 1 is the first.
pub(crate) fn week_of_us_year(days: i32) -> (i32, i32) {
    let sunday = |days: i32| days.saturating_sub((weekday(days) + 1) % 7);
    let saturday = sunday(days).saturating_add(6);
    let year = civil(saturday).year;
    let first = sunday(self::days(Civil { year, month: 1, day: 1 }));
    (year, (sunday(days) - first) / 7 + 1)
}

/// A whole number if both days of the month are equal or the last ones; otherwise the rest is a fraction of 31 days.
pub(crate) fn months_between(a: i64, b: i64) -> f64 {
    let parts = |nanos: i64| (civil(nanos.div_euclid(DAY) as i32), nanos.rem_euclid(DAY) / SECOND);
    let ((a, a_seconds), (b, b_seconds)) = (parts(a), parts(b));
    let months = f64::from((a.year - b.year) * 12 + a.month as i32 - b.month as i32);
    let last = |civil: Civil| civil.day == days_in_month(civil.year, civil.month);
    if a.day == b.day || (last(a) && last(b)) {
        return months;
    }
    let seconds = (i64::from(a.day) - i64::from(b.day)) * 86_400 + a_seconds - b_seconds;
    months + seconds as f64 / (31.0 * 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        for text in ["1970-01-01", "2000-02-29", "1969-12-31", "0001-01-01", "9999-12-31", "2100-03-01"] {
            assert_eq!(format_date(parse_date(text).unwrap()), text);
        }
        assert_eq!(parse_date("2021-02-29"), parse_date("2021-03-01"));
        assert_eq!(parse_date("2021-02-32"), None);
        assert_eq!(parse_date("2021-2-3 11:00"), parse_date("2021-02-03"));
        assert_eq!(parse_date("yesterday"), None);
        let date = |text: &str| parse_date(text).unwrap();
        assert_eq!(add_months(date("2024-01-31"), 1), Some(date("2024-02-29")));
        assert_eq!(add_months(date("2024-02-29"), 12), Some(date("2025-02-28")));
        assert_eq!(week_of_year(date("2021-01-03")), 53);
        assert_eq!(week_of_us_year(date("2021-01-02")), (2021, 1));
        assert_eq!(week_of_us_year(date("2021-01-03")), (2021, 2));
        assert_eq!(week_of_us_year(date("2020-12-27")), (2021, 1));
        assert_eq!(weekday(date("1970-01-01")), 3);
    }

    #[test]
    fn timestamps_keep_their_fraction() {
        for text in ["1970-01-01 00:00:00", "2024-01-15 10:20:30.5", "1960-05-05 23:59:59.123456789"] {
            assert_eq!(format_timestamp(parse_timestamp(text).unwrap()), text);
        }
        assert_eq!(parse_timestamp("2024-01-15 25:00:00"), None);
        assert_eq!(parse_timestamp("2024-01-15T10:20:30Z"), parse_timestamp("2024-01-15 10:20:30"));
    }
}
