//! Formats and parses times by Java's patterns (`yyyy-MM-dd HH:mm:ss`).

use super::calendar::{self, Civil, DAY, SECOND};
use super::row_functions::Value;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A piece of a pattern.
enum Part {
    Text(String),
    /// A letter and how often it is repeated.
    Field(char, usize),
}

fn parts(pattern: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\'' {
            if letters.next_if_eq(&'\'').is_some() {
                parts.push(Part::Text("'".to_string()));
                continue;
            }
            let mut text = String::new();
            while let Some(next) = letters.next() {
                // A doubled quote is a quote within the text, too.
                if next == '\'' && letters.next_if_eq(&'\'').is_none() {
                    break;
                }
                text.push(next);
            }
            parts.push(Part::Text(text));
        } else if letter.is_ascii_alphabetic() {
            let more = std::iter::from_fn(|| letters.next_if_eq(&letter)).count();
            if !"GyYMLwWDdFEuaHkKhmsSzZX".contains(letter) {
                return None;
            }
            parts.push(Part::Field(letter, more + 1));
        } else {
            parts.push(Part::Text(letter.to_string()));
        }
    }
    Some(parts)
}

/// Formats a time in nanoseconds since 1970; `None` for an invalid pattern.
pub(super) fn format(nanos: i64, pattern: &str) -> Option<Value> {
    let (days, of_day) = (nanos.div_euclid(DAY) as i32, nanos.rem_euclid(DAY));
    let Civil { year, month, day } = calendar::civil(days);
    let (hour, minute, second) = (of_day / SECOND / 3600, of_day / SECOND / 60 % 60, of_day / SECOND % 60);
    let mut out = String::new();
    for part in parts(pattern)? {
        let (letter, count) = match part {
            Part::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Part::Field(letter, count) => (letter, count),
        };
        let number = |value: i64| format!("{value:0count$}");
        out.push_str(&match letter {
            'y' if count == 2 => format!("{:02}", year.rem_euclid(100)),
            'y' => number(year.into()),
            'Y' if count == 2 => format!("{:02}", calendar::week_of_us_year(days).0.rem_euclid(100)),
            'Y' => number(calendar::week_of_us_year(days).0.into()),
            'G' => if year > 0 { "AD" } else { "BC" }.to_string(),
            'M' | 'L' if count >= 4 => MONTHS[month as usize - 1].to_string(),
            'M' | 'L' if count == 3 => MONTHS[month as usize - 1][..3].to_string(),
            'M' | 'L' => number(month.into()),
            'd' => number(day.into()),
            'H' => number(hour),
            'k' => number(if hour == 0 { 24 } else { hour }),
            'K' => number(hour % 12),
            'h' => number((hour + 11) % 12 + 1),
            'm' => number(minute),
            's' => number(second),
            'S' => number(of_day % SECOND / 1_000_000),
            'E' if count >= 4 => DAYS[calendar::weekday(days) as usize].to_string(),
            'E' => DAYS[calendar::weekday(days) as usize][..3].to_string(),
            'u' => number(i64::from(calendar::weekday(days)) + 1),
            'a' => if hour < 12 { "AM" } else { "PM" }.to_string(),
            'D' => number(i64::from(days - calendar::days(Civil { year, month: 1, day: 1 })) + 1),
            'w' => number(calendar::week_of_us_year(days).1.into()),
            'W' => {
                let first = calendar::weekday(calendar::days(Civil { year, month, day: 1 })) + 1;
                number(i64::from(day as i32 - 1 + first % 7) / 7 + 1)
            }
            'F' => number(i64::from(day - 1) / 7 + 1),
            'Z' => "+0000".to_string(),
            'X' => "Z".to_string(),
            _ if count >= 4 => "Coordinated Universal Time".to_string(),
            _ => "UTC".to_string(),
        });
    }
    Some(out.into())
}

/// Parses a text to nanoseconds since 1970; text behind the end of the pattern is ignored, as in Java.
pub(super) fn parse(text: &str, pattern: &str) -> Option<i64> {
    let parts = parts(pattern)?;
    let mut rest = text.trim_start();
    let (mut year, mut month, mut day, mut of_year) = (1970_i64, 1_i64, 1_i64, None);
    let (mut clock, mut afternoon, mut ahead) = ([0_i64; 4], None, 0_i64);
    let mut parts = parts.iter().peekable();
    while let Some(part) = parts.next() {
        let (letter, count) = match part {
            Part::Text(text) => {
                rest = rest.strip_prefix(text.as_str())?;
                continue;
            }
            Part::Field(letter, count) => (*letter, *count),
        };
        if letter == 'M' && count >= 3 {
            let at = MONTHS.iter().position(|name| starts(rest, &name[..3]))?;
            rest = rest.trim_start_matches(|letter: char| letter.is_alphabetic());
            month = at as i64 + 1;
            continue;
        }
        if letter == 'a' {
            afternoon = Some(starts(rest, "PM"));
            rest = rest.get(2..).filter(|_| starts(rest, "PM") || starts(rest, "AM"))?;
            continue;
        }
        if letter == 'Z' || letter == 'X' || letter == 'z' {
            (ahead, rest) = offset(rest)?;
            continue;
        }
        if letter == 'E' || letter == 'G' {
            rest = rest.trim_start_matches(|letter: char| letter.is_alphabetic());
            continue;
        }
        rest = rest.trim_start();
        // Without a sign between them, a number ends where the next field begins.
        let bound = if matches!(parts.peek(), Some(Part::Field(..))) { count } else { usize::MAX };
        let digits = rest.bytes().take(bound).take_while(u8::is_ascii_digit).count();
        let value: i64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        match letter {
            'y' if count <= 2 && digits == 2 => year = 2000 + value - if value > 45 { 100 } else { 0 },
            'y' | 'Y' => year = value,
            'M' | 'L' => month = value,
            'd' => day = value,
            'D' => of_year = Some(value),
            'u' | 'F' | 'w' | 'W' => {}
            'H' | 'h' | 'K' => clock[0] = value,
            'k' => clock[0] = value % 24,
            'm' => clock[1] = value,
            's' => clock[2] = value,
            'S' => clock[3] = value,
            _ => return None,
        }
    }
    if let Some(afternoon) = afternoon {
        clock[0] = clock[0] % 12 + if afternoon { 12 } else { 0 };
    }
    if [year, month, day, of_year.unwrap_or(1)].iter().chain(&clock).any(|part| *part > 100_000_000) {
        return None;
    }
    // Months, days and hours beyond the last one carry over to the next year, month and day.
    let months = of_year.map_or(year * 12 + month - 1, |_| year * 12);
    let year = i32::try_from(months.div_euclid(12)).ok().filter(|year| *year < 300_000)?;
    let first = calendar::days(Civil { year, month: months.rem_euclid(12) as u32 + 1, day: 1 });
    let days = i64::from(first) + of_year.unwrap_or(day) - 1;
    let seconds = (clock[0] * 60 + clock[1]) * 60 + clock[2] - ahead;
    days.checked_mul(DAY)?.checked_add(seconds.checked_mul(SECOND)?)?.checked_add(clock[3] * 1_000_000)
}

/// The seconds by which a zone is ahead of UTC (`+0130`, `-08:00`, `Z`, `GMT+8`, `PST`), and the rest of the text.
fn offset(text: &str) -> Option<(i64, &str)> {
    let named =
        text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '/').len();
    let (name, rest) = text.split_at(named);
    let sign = match rest.chars().next() {
        Some('+') => 1,
        Some('-') => -1,
        _ => {
            let hours = [
                ("PST", -8),
                ("PDT", -7),
                ("MST", -7),
                ("MDT", -6),
                ("CST", -6),
                ("CDT", -5),
                ("EST", -5),
                ("EDT", -4),
            ];
            if ["Z", "UTC", "GMT", "UT"].contains(&name) {
                return Some((0, rest));
            }
            return hours.iter().find(|(known, _)| *known == name).map(|(_, hours)| (hours * 3600, rest));
        }
    };
    let behind = &rest[1..];
    let digits = behind.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let (clock, rest) = behind.split_at(digits);
    let clock = clock.replace(':', "");
    let value: i64 = clock.parse().ok().filter(|_| clock.len() <= 4)?;
    let (hours, minutes) = if clock.len() > 2 { (value / 100, value % 100) } else { (value, 0) };
    Some((sign * (hours * 3600 + minutes * 60), rest))
}

fn starts(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_by_patterns() {
        let nanos = calendar::parse_timestamp("2024-02-05 15:04:09.25").unwrap();
        let write = |pattern: &str| match format(nanos, pattern) {
            Some(Value::Text(text)) => text,
            _ => "null".to_string(),
        };
        assert_eq!(write("yyyy-MM-dd HH:mm:ss.SSS"), "2024-02-05 15:04:09.250");
        assert_eq!(write("EEE, d MMM yy h 'o''clock' a"), "Mon, 5 Feb 24 3 o'clock PM");
        assert_eq!(write("bb"), "null");
        assert_eq!(parse("20240205", "yyyyMMdd"), calendar::parse_timestamp("2024-02-05"));
        assert_eq!(
            parse("05/Feb/2024 03:04 PM", "dd/MMM/yyyy hh:mm a"),
            calendar::parse_timestamp("2024-02-05 15:04:00")
        );
        assert_eq!(parse("nonsense", "yyyy"), None);
        // Days beyond the end of a month carry over to the next.
        assert_eq!(parse("2024-13-32 25", "yyyy-MM-dd HH"), calendar::parse_timestamp("2025-02-02 01:00:00"));
        assert_eq!(parse("2024 36 +0130", "yyyy D Z"), calendar::parse_timestamp("2024-02-04 22:30:00"));
        assert_eq!(write("YYYY w W F Z X G"), "2024 6 2 1 +0000 Z AD");
        assert_eq!(parse("1 xx", "h a"), None);
    }
}
