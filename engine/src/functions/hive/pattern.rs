//! Java's patterns of dates and times (`yyyy-MM-dd HH:mm:ss`), written and read.

use super::calendar::{self, Civil, DAY, SECOND};
use super::rows::Value;

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
    /// A letter and how often it stands there.
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
                // A doubled quote is one inside the text, too.
                if next == '\'' && letters.next_if_eq(&'\'').is_none() {
                    break;
                }
                text.push(next);
            }
            parts.push(Part::Text(text));
        } else if letter.is_ascii_alphabetic() {
            let more = std::iter::from_fn(|| letters.next_if_eq(&letter)).count();
            if !"yMdHhkKmsSEaDuwz".contains(letter) {
                return None;
            }
            parts.push(Part::Field(letter, more + 1));
        } else {
            parts.push(Part::Text(letter.to_string()));
        }
    }
    Some(parts)
}

/// A time, in nanoseconds since 1970, by a pattern; null for a pattern that is none.
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
            'M' if count >= 4 => MONTHS[month as usize - 1].to_string(),
            'M' if count == 3 => MONTHS[month as usize - 1][..3].to_string(),
            'M' => number(month.into()),
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
            'w' => number(calendar::week_of_year(days).into()),
            _ => "UTC".to_string(),
        });
    }
    Some(out.into())
}

/// Nanoseconds since 1970 of a text by a pattern; what stands behind the pattern's end does not matter, as in Java.
pub(super) fn parse(text: &str, pattern: &str) -> Option<i64> {
    let parts = parts(pattern)?;
    let mut rest = text.trim_start();
    let (mut civil, mut clock, mut afternoon) = (Civil { year: 1970, month: 1, day: 1 }, [0_i64; 4], None);
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
            civil.month = at as u32 + 1;
            continue;
        }
        if letter == 'a' || letter == 'E' || letter == 'z' {
            afternoon = if letter == 'a' { Some(starts(rest, "PM")) } else { afternoon };
            rest = rest.trim_start_matches(|letter: char| letter.is_alphabetic());
            continue;
        }
        // A number ends where the next field must begin, when no sign stands between them.
        let bound = if matches!(parts.peek(), Some(Part::Field(..))) { count } else { usize::MAX };
        let digits = rest.bytes().take(bound).take_while(u8::is_ascii_digit).count();
        let value: i64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        match letter {
            'y' if count == 2 && digits == 2 => civil.year = 2000 + value as i32 - if value > 45 { 100 } else { 0 },
            'y' => civil.year = i32::try_from(value).ok().filter(|year| *year < 10_000)?,
            'M' => civil.month = u32::try_from(value).ok()?,
            'd' => civil.day = u32::try_from(value).ok()?,
            'H' | 'h' | 'k' | 'K' => clock[0] = value,
            'm' => clock[1] = value,
            's' => clock[2] = value,
            'S' => clock[3] = value,
            _ => return None,
        }
    }
    if let Some(afternoon) = afternoon {
        clock[0] = clock[0] % 12 + if afternoon { 12 } else { 0 };
    }
    if !(1..=12).contains(&civil.month) || !(1..=31).contains(&civil.day) || clock.iter().any(|part| *part > 100_000) {
        return None;
    }
    let seconds = (clock[0] * 60 + clock[1]) * 60 + clock[2];
    i64::from(calendar::days(civil)).checked_mul(DAY)?.checked_add(seconds * SECOND + clock[3] * 1_000_000)
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
    }
}
