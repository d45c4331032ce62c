//! Durations: months, days and seconds apart, since neither a month nor a day is always as long.

use super::{DAY, SECOND};
use quarry_types::{Error, ErrorCode, Result};

/// Days of an average month.
const MONTH: f64 = 30.436_875;

/// A length of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Duration {
    pub months: i64,
    pub days: i64,
    /// Hours and all that is shorter.
    pub nanoseconds: i128,
}

impl Duration {
    pub fn parts(&self) -> (i64, i64, i128) {
        (self.months, self.days, self.nanoseconds)
    }

    /// Its usual length in nanoseconds, for ordering.
    pub fn average(&self) -> i128 {
        (self.months as f64 * MONTH * DAY as f64) as i128 + i128::from(self.days) * DAY + self.nanoseconds
    }

    /// Months, days and nanoseconds that may have fractions; a fraction becomes a part of the next shorter unit.
    pub fn of_fractions(months: f64, days: f64, nanoseconds: f64) -> Result<Duration> {
        let days = days + months.fract() * MONTH;
        let nanoseconds = nanoseconds + days.fract() * DAY as f64;
        if ![months, days, nanoseconds].iter().all(|part| part.abs() < 9e18) {
            return Err(Error::new(ErrorCode::Arithmetic, "The duration is too long."));
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
        sum().ok_or_else(|| Error::new(ErrorCode::Arithmetic, "The duration is too long."))
    }

    pub fn negated(self) -> Duration {
        Duration {
            months: self.months.saturating_neg(),
            days: self.days.saturating_neg(),
            nanoseconds: self.nanoseconds.saturating_neg(),
        }
    }

    /// The months, days or nanoseconds in units, as the properties of a duration give them.
    pub fn field(&self, name: &str) -> Option<i64> {
        let nanoseconds = self.nanoseconds;
        let whole = |unit: i128| nanoseconds.div_euclid(unit);
        let number = match name {
            "years" => i128::from(self.months / 12),
            "quarters" => i128::from(self.months / 3),
            "months" => i128::from(self.months),
            "weeks" => i128::from(self.days / 7),
            "days" => i128::from(self.days),
            "hours" => whole(3600 * SECOND),
            "minutes" => whole(60 * SECOND),
            "seconds" => whole(SECOND),
            "milliseconds" => whole(1_000_000),
            "microseconds" => whole(1_000),
            "nanoseconds" => nanoseconds,
            "quartersOfYear" => i128::from(self.months / 3 % 4),
            "monthsOfQuarter" => i128::from(self.months % 3),
            "monthsOfYear" => i128::from(self.months % 12),
            "daysOfWeek" => i128::from(self.days % 7),
            "minutesOfHour" => whole(60 * SECOND) % 60,
            "secondsOfMinute" => whole(SECOND) % 60,
            "millisecondsOfSecond" => nanoseconds.rem_euclid(SECOND) / 1_000_000,
            "microsecondsOfSecond" => nanoseconds.rem_euclid(SECOND) / 1_000,
            "nanosecondsOfSecond" => nanoseconds.rem_euclid(SECOND),
            _ => return None,
        };
        i64::try_from(number).ok()
    }
}
