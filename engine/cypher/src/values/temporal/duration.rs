//! Durations. Months, days and seconds are separate, since months and days differ in length.

use super::{DAY, SECOND};
use quarry_types::{Error, ErrorCode, Result};

/// Days of an average month.
const MONTH: f64 = 30.436_875;

/// A length of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Duration {
    pub months: i64,
    pub days: i64,
    /// Hours and shorter units.
    pub nanoseconds: i128,
}

impl Duration {
    pub fn parts(&self) -> (i64, i64, i128) {
        (self.months, self.days, self.nanoseconds)
    }

    /// Its average length in nanoseconds, for ordering.
    pub fn average(&self) -> i128 {
        (self.months as f64 * MONTH * DAY as f64) as i128 + i128::from(self.days) * DAY + self.nanoseconds
    }

    /// Months, days and nanoseconds with fractions; a fraction becomes a part of the next shorter unit.
    pub fn from_fractions(months: f64, days: f64, nanoseconds: f64) -> Result<Duration> {
        let days = days + months.fract() * MONTH;
        let nanoseconds = nanoseconds + days.fract() * DAY as f64;
        if ![months, days, nanoseconds].iter().all(|part| part.abs() < 9e18) {
            return Err(too_long());
        }
        Ok(Duration { months: months as i64, days: days as i64, nanoseconds: nanoseconds as i128 })
    }

    pub fn checked_add(self, other: Duration) -> Result<Duration> {
        let sum = || {
            Some(Duration {
                months: self.months.checked_add(other.months)?,
                days: self.days.checked_add(other.days)?,
                nanoseconds: self.nanoseconds.checked_add(other.nanoseconds)?,
            })
        };
        sum().ok_or_else(too_long)
    }

    pub fn negated(self) -> Duration {
        Duration {
            months: self.months.saturating_neg(),
            days: self.days.saturating_neg(),
            nanoseconds: self.nanoseconds.saturating_neg(),
        }
    }

    /// A property of a duration: its length in a unit, or the rest after whole longer units.
    pub fn field(&self, name: &str) -> Option<i64> {
        let nanoseconds = self.nanoseconds;
        let number = match name {
            "quartersOfYear" => i128::from(self.months / 3 % 4),
            "monthsOfQuarter" => i128::from(self.months % 3),
            "monthsOfYear" => i128::from(self.months % 12),
            "daysOfWeek" => i128::from(self.days % 7),
            "minutesOfHour" => nanoseconds.div_euclid(60 * SECOND) % 60,
            "secondsOfMinute" => nanoseconds.div_euclid(SECOND) % 60,
            "millisecondsOfSecond" => nanoseconds.rem_euclid(SECOND) / 1_000_000,
            "microsecondsOfSecond" => nanoseconds.rem_euclid(SECOND) / 1_000,
            "nanosecondsOfSecond" => nanoseconds.rem_euclid(SECOND),
            _ => match Duration::unit(name)? {
                Duration { months: 0, days: 0, nanoseconds: unit } => nanoseconds.div_euclid(unit),
                Duration { months: 0, days: unit, .. } => i128::from(self.days / unit),
                Duration { months: unit, .. } => i128::from(self.months / unit),
            },
        };
        i64::try_from(number).ok()
    }

    /// A unit by its name in the plural.
    pub fn unit(name: &str) -> Option<Duration> {
        let (months, days, nanoseconds) = match name {
            "years" => (12, 0, 0),
            "quarters" => (3, 0, 0),
            "months" => (1, 0, 0),
            "weeks" => (0, 7, 0),
            "days" => (0, 1, 0),
            "hours" => (0, 0, 3600 * SECOND),
            "minutes" => (0, 0, 60 * SECOND),
            "seconds" => (0, 0, SECOND),
            "milliseconds" => (0, 0, 1_000_000),
            "microseconds" => (0, 0, 1_000),
            "nanoseconds" => (0, 0, 1),
            _ => return None,
        };
        Some(Duration { months, days, nanoseconds })
    }

    /// This duration, `count` times.
    pub fn times(&self, count: i64) -> Option<Duration> {
        Some(Duration {
            months: self.months.checked_mul(count)?,
            days: self.days.checked_mul(count)?,
            nanoseconds: self.nanoseconds.checked_mul(i128::from(count))?,
        })
    }

    /// This duration multiplied; a fraction of a unit becomes shorter units.
    pub fn scale(&self, by: f64) -> Result<Duration> {
        Duration::from_fractions(self.months as f64 * by, self.days as f64 * by, self.nanoseconds as f64 * by)
    }
}

fn too_long() -> Error {
    Error::new(ErrorCode::Arithmetic, "The duration is too long.")
}
