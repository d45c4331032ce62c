//! Durations from maps.

use crate::value::temporal::{Duration, SECOND};
use crate::value::{Map, Value, as_f64, invalid};
use quarry_types::{Error, ErrorCode, Result};

impl Duration {
    /// From `{years, quarters, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds}`.
    pub fn from_map(map: &Map) -> Result<Duration> {
        let mut sum = Duration::default();
        for (name, value) in map {
            sum = sum.checked_add(Duration::part(name, value)?)?;
        }
        Ok(sum)
    }

    fn part(name: &str, value: &Value) -> Result<Duration> {
        let (months, days, nanoseconds): (i64, i64, i128) = match name {
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
            _ => return Err(invalid(format!("A duration has no {name}."))),
        };
        if let Value::Int(count) = value {
            let too_long = || Error::new(ErrorCode::Arithmetic, "The duration is too long.");
            return Ok(Duration {
                months: months.checked_mul(*count).ok_or_else(too_long)?,
                days: days.checked_mul(*count).ok_or_else(too_long)?,
                nanoseconds: nanoseconds * i128::from(*count),
            });
        }
        let Some(count) = as_f64(value) else { return Err(invalid(format!("{name} is a number."))) };
        Duration::of_fractions(months as f64 * count, days as f64 * count, nanoseconds as f64 * count)
    }
}
