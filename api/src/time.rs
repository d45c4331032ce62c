//! Moments as the product writes them: milliseconds since 1970 in the database, `YYYY-MM-DD HH:mm:ss` in UTC outside.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    to_ms(SystemTime::now())
}

/// Milliseconds since 1970 of a moment; a moment before that is 0.
pub fn to_ms(at: SystemTime) -> i64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds of a time of the lake, which has microseconds.
pub fn milliseconds(microseconds: i64) -> i64 {
    microseconds.div_euclid(1000)
}

/// `YYYY-MM-DD HH:mm:ss` in UTC.
pub fn text(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    let rest = seconds.rem_euclid(86_400);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Year, month and day of a day counted from 1970-01-01, by Howard Hinnant's `civil_from_days`: years begin in March,
/// so that the leap day is the last day of a year, and eras of 400 years repeat exactly.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_leap_days_and_ends_of_years() {
        assert_eq!(text(0), "1970-01-01 00:00:00");
        assert_eq!(text(951_782_399_999), "2000-02-28 23:59:59");
        assert_eq!(text(951_782_400_000), "2000-02-29 00:00:00");
        assert_eq!(text(1_709_251_199_000), "2024-02-29 23:59:59");
        assert_eq!(text(1_735_689_599_000), "2024-12-31 23:59:59");
        assert_eq!(text(-1000), "1969-12-31 23:59:59");
    }
}
