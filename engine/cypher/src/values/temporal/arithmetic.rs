//! Arithmetic of temporal values and durations.

use chrono::{NaiveDateTime, TimeDelta};

use super::between::add_months;
use super::{DAY, Duration, SECOND, Temporal, Zone, nanoseconds_of_day, time_of};
use crate::values::invalid;
use quarry_types::{Error, ErrorCode, Result};

/// A time or a duration, plus a duration.
pub(crate) fn add(to: &Temporal, duration: &Duration) -> Result<Temporal> {
    let out_of_range = || Error::new(ErrorCode::Arithmetic, "The time is out of range.");
    let clock = |time| time_of(nanoseconds_of_day(time) + duration.nanoseconds % DAY);
    Ok(match to {
        Temporal::Date(date) => {
            // Hours count only as whole days.
            let days = i128::from(duration.days) + duration.nanoseconds / DAY;
            let moved = shift(date.and_time(Default::default()), duration.months, days * DAY);
            Temporal::Date(moved.ok_or_else(out_of_range)?.date())
        }
        Temporal::LocalTime(time) => Temporal::LocalTime(clock(*time)),
        Temporal::Time(time, offset) => Temporal::Time(clock(*time), *offset),
        Temporal::LocalDateTime(local) => {
            let nanoseconds = i128::from(duration.days) * DAY + duration.nanoseconds;
            Temporal::LocalDateTime(shift(*local, duration.months, nanoseconds).ok_or_else(out_of_range)?)
        }
        Temporal::DateTime(local, zone) => {
            // Months and days follow the calendar of the zone, hours the time that passes.
            let local = shift(*local, duration.months, i128::from(duration.days) * DAY).ok_or_else(out_of_range)?;
            let (local, zone) = zone.at(local);
            let utc = shift(local, 0, duration.nanoseconds - i128::from(zone.seconds) * SECOND);
            let (local, zone): (NaiveDateTime, Zone) = zone.local(utc.ok_or_else(out_of_range)?);
            Temporal::DateTime(local, zone)
        }
        Temporal::Duration(other) => Temporal::Duration(other.checked_add(*duration)?),
    })
}

fn shift(time: NaiveDateTime, months: i64, nanoseconds: i128) -> Option<NaiveDateTime> {
    let time = add_months(time, months)?;
    let seconds = i64::try_from(nanoseconds.div_euclid(SECOND)).ok()?;
    let delta = TimeDelta::new(seconds, nanoseconds.rem_euclid(SECOND) as u32)?;
    time.checked_add_signed(delta)
}

/// `a + b` where one is a duration.
pub(crate) fn join(a: &Temporal, b: &Temporal) -> Result<Temporal> {
    match (a, b) {
        (to, Temporal::Duration(duration)) | (Temporal::Duration(duration), to) => add(to, duration),
        _ => Err(invalid(format!("A {} can't be added to a {}.", b.type_name(), a.type_name()))),
    }
}

pub(crate) fn negate(value: &Temporal) -> Result<Duration> {
    match value {
        Temporal::Duration(duration) => Ok(duration.negated()),
        other => Err(invalid(format!("A {} can't be subtracted.", other.type_name()))),
    }
}

pub(crate) fn multiply(value: &Temporal, by: f64) -> Result<Temporal> {
    match value {
        Temporal::Duration(one) => one.scale(by).map(Temporal::Duration),
        other => Err(invalid(format!("A {} can't be multiplied.", other.type_name()))),
    }
}

pub(crate) fn divide(value: &Temporal, by: f64) -> Result<Temporal> {
    if by == 0.0 {
        return Err(Error::new(ErrorCode::Arithmetic, "Division by zero."));
    }
    match value {
        Temporal::Duration(one) => {
            let quotient =
                Duration::from_fractions(one.months as f64 / by, one.days as f64 / by, one.nanoseconds as f64 / by)?;
            Ok(Temporal::Duration(quotient))
        }
        other => Err(invalid(format!("A {} can't be divided.", other.type_name()))),
    }
}
