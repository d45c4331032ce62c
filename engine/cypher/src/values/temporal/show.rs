//! Temporal values as text, in ISO 8601.

use std::fmt;

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};

use super::{Duration, SECOND, Temporal};

impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Temporal::Date(date) => f.write_str(&day(*date)),
            Temporal::LocalTime(time) => f.write_str(&clock(*time)),
            Temporal::Time(time, offset) => write!(f, "{}{}", clock(*time), super::Zone::offset(*offset).text()),
            Temporal::LocalDateTime(local) => write!(f, "{}T{}", day(local.date()), clock(local.time())),
            Temporal::DateTime(local, zone) => {
                write!(f, "{}T{}{}", day(local.date()), clock(local.time()), zone.text())?;
                match zone.place {
                    Some(place) => write!(f, "[{}]", place.name()),
                    None => Ok(()),
                }
            }
            Temporal::Duration(duration) => fmt::Display::fmt(duration, f),
        }
    }
}

fn day(date: NaiveDate) -> String {
    let year = date.year();
    let sign = if year < 0 {
        "-"
    } else if year > 9999 {
        "+"
    } else {
        ""
    };
    format!("{sign}{:04}-{:02}-{:02}", year.abs(), date.month(), date.day())
}

fn clock(time: NaiveTime) -> String {
    let mut text = format!("{:02}:{:02}", time.hour(), time.minute());
    if time.second() != 0 || time.nanosecond() != 0 {
        text.push_str(&format!(":{:02}", time.second()));
    }
    if time.nanosecond() != 0 {
        let digits = format!("{:09}", time.nanosecond());
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    text
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P")?;
        for (number, unit) in [(self.months / 12, 'Y'), (self.months % 12, 'M'), (self.days, 'D')] {
            if number != 0 {
                write!(f, "{number}{unit}")?;
            }
        }
        let nanoseconds = self.nanoseconds;
        if nanoseconds == 0 {
            return if self.months == 0 && self.days == 0 { f.write_str("T0S") } else { Ok(()) };
        }
        f.write_str("T")?;
        for (number, unit) in [(nanoseconds / (3600 * SECOND), 'H'), (nanoseconds / (60 * SECOND) % 60, 'M')] {
            if number != 0 {
                write!(f, "{number}{unit}")?;
            }
        }
        let rest = nanoseconds % (60 * SECOND);
        if rest != 0 {
            let sign = if rest < 0 { "-" } else { "" };
            write!(f, "{sign}{}", rest.abs() / SECOND)?;
            if rest % SECOND != 0 {
                let digits = format!("{:09}", (rest % SECOND).abs());
                write!(f, ".{}", digits.trim_end_matches('0'))?;
            }
            f.write_str("S")?;
        }
        Ok(())
    }
}
