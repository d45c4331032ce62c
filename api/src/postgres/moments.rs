//! Times that clients bind as text with a time zone: `2024-01-31 12:00:00.5+08`, `2024-01-31 +08`. JDBC binds all its dates and
//! times so, and leaves the type open.

use chrono::{Duration, NaiveDate, NaiveDateTime, NaiveTime};

use super::types::{DATE, TIME, TIMESTAMP, TIMESTAMPTZ};

const SECONDS: &str = "%Y-%m-%d %H:%M:%S%.f";

/// A bound time as the engine reads it: UTC for `timestamptz`. All other types ignore the zone, as PostgreSQL does. A text
/// that is no time stays as it is.
pub fn without_zone(text: &str, oid: u32) -> String {
    let (plain, zone) = split(text);
    match oid {
        TIMESTAMPTZ => moment(plain)
            .zip(zone)
            .and_then(|(moment, zone)| moment.checked_sub_signed(zone))
            .map_or_else(|| text.to_string(), |moment| moment.to_string()),
        DATE => moment(plain).map_or_else(|| text.to_string(), |moment| moment.date().to_string()),
        _ => plain.to_string(),
    }
}

/// The type of an untyped text if it is a date or a time with a zone, written as JDBC does; 0 for any other text.
pub fn type_of(text: &str) -> u32 {
    if text.contains('T') || text.ends_with(":00") || text.ends_with(['Z', 'z']) {
        return 0;
    }
    match split(text) {
        (plain, Some(_)) if is_day(plain) => DATE,
        (plain, Some(_)) if moment(plain).is_some() => TIMESTAMP,
        (plain, Some(_)) if NaiveTime::parse_from_str(plain, "%H:%M:%S%.f").is_ok() => TIME,
        _ => 0,
    }
}

/// Characters of `2024-01-31`.
const DAY: usize = 10;

fn is_day(text: &str) -> bool {
    text.len() == DAY && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// A date, or a date with a time of day.
fn moment(text: &str) -> Option<NaiveDateTime> {
    if is_day(text) {
        return moment(&format!("{text} 00:00:00"));
    }
    NaiveDateTime::parse_from_str(&text.replacen('T', " ", 1), SECONDS).ok()
}

/// The text before a time zone, and the offset of the zone from UTC.
fn split(text: &str) -> (&str, Option<Duration>) {
    let text = text.trim();
    if let Some(plain) = text.strip_suffix(['Z', 'z']) {
        return (plain.trim_end(), Some(Duration::zero()));
    }
    let Some(at) = text.rfind(['+', '-']) else { return (text, None) };
    let (plain, zone) = (text[..at].trim_end(), &text[at..]);
    // The dashes of a date are none of a zone.
    let is_behind = plain.contains(':') || is_day(plain);
    match offset(zone).filter(|_| is_behind) {
        Some(offset) => (plain, Some(offset)),
        None => (text, None),
    }
}

/// `+08`, `-0530`, `+05:30` or `+05:30:15`.
fn offset(zone: &str) -> Option<Duration> {
    let (sign, digits) = (if zone.starts_with('-') { -1 } else { 1 }, zone.get(1..)?.replace(':', ""));
    if !matches!(digits.len(), 1 | 2 | 4 | 6) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let filled = format!("{:0>2}", digits);
    let part = |at: usize| filled.get(at..at + 2).map_or(Some(0), |part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    let sane = hours < 16 && minutes < 60 && seconds < 60;
    sane.then(|| Duration::seconds(sign * (hours * 3_600 + minutes * 60 + seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_counts_only_for_types_that_have_one() {
        for (text, oid, expected) in [
            ("2024-01-31 12:34:56.789+08", TIMESTAMP, "2024-01-31 12:34:56.789"),
            ("2024-01-31 12:34:56.789+08", TIMESTAMPTZ, "2024-01-31 04:34:56.789"),
            ("2024-01-31T01:00:00-05:30", TIMESTAMPTZ, "2024-01-31 06:30:00"),
            ("2024-01-31 +08", TIMESTAMPTZ, "2024-01-30 16:00:00"),
            ("2024-01-31 +08", DATE, "2024-01-31"),
            ("2024-01-31 23:00:00-05", DATE, "2024-01-31"),
            ("2024-01-31 +08", TIMESTAMP, "2024-01-31"),
            ("12:34:56+08", TIME, "12:34:56"),
            ("2024-01-31 12:00:00Z", TIMESTAMP, "2024-01-31 12:00:00"),
        ] {
            assert_eq!(without_zone(text, oid), expected, "{text}");
        }
    }

    #[test]
    fn what_has_no_zone_stays() {
        for text in
            ["2024-01-31", "2024-01-31 12:00:00", "infinity", "", "0044-03-15 00:00:00+00 BC", "é+08", "+", "1-2+99"]
        {
            for oid in [DATE, TIME, TIMESTAMP, TIMESTAMPTZ] {
                let expected = if oid == DATE && text.starts_with("2024") { "2024-01-31" } else { text };
                assert_eq!(without_zone(text, oid), expected, "{text}");
            }
            assert_eq!(type_of(text), 0, "{text}");
        }
    }

    #[test]
    fn a_time_with_a_zone_tells_its_type() {
        assert_eq!(type_of("2024-01-31 12:34:56.789+08"), TIMESTAMP);
        assert_eq!(type_of("2024-01-31 +08"), DATE);
        assert_eq!(type_of("2024-01-31 12:34:56+05:30"), TIMESTAMP);
        assert_eq!(type_of("12:34:56-03:30"), TIME);
        for other in ["12:34+08", "0x12-05", "2024-01-31T12:00:00Z", "2024-01-31 12:00:00+08:00"] {
            assert_eq!(type_of(other), 0, "{other}");
        }
    }
}
