//! The duration from one moment to another.

use chrono::{Datelike, Months, NaiveDateTime, TimeDelta};

use super::{DAY, Duration, EPOCH, SECOND, Temporal, moment};
use crate::values::invalid;
use quarry_types::Result;

/// In which units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Months, then days, then time.
    All,
    Months,
    Days,
    Seconds,
}

/// What must be added to `a` to come to `b`. A value without a date has the date of the other, one without a time is at
/// midnight, one without a zone has that of the other.
pub(crate) fn between(measure: Measure, a: &Temporal, b: &Temporal) -> Result<Duration> {
    if let Some(odd) = [a, b].into_iter().find(|one| matches!(one, Temporal::Duration(_))) {
        return Err(invalid(format!("A value of type {} is not a point in time.", odd.type_name())));
    }
    let dated = a.date().is_some() && b.date().is_some();
    let day = EPOCH;
    let (from_day, to_day) = if dated {
        (a.date().unwrap_or(day), b.date().unwrap_or(day))
    } else {
        let one = a.date().or(b.date()).unwrap_or(day);
        (one, one)
    };
    let from = from_day.and_time(a.time().unwrap_or_default());
    let to = to_day.and_time(b.time().unwrap_or_default());
    // Zones count only where both have one, or one gives it to the other.
    let (from_zone, to_zone) = match (a.zone(), b.zone()) {
        (Some(x), Some(y)) => (x.seconds, y.seconds),
        (Some(x), None) => (x.seconds, x.at(to).1.seconds),
        (None, Some(y)) => (y.at(from).1.seconds, y.seconds),
        (None, None) => (0, 0),
    };
    let total = moment(to, to_zone) - moment(from, from_zone);
    let to = to + TimeDelta::seconds(i64::from(from_zone) - i64::from(to_zone));
    Ok(match measure {
        Measure::Seconds => Duration { nanoseconds: total, ..Duration::default() },
        _ if !dated => match measure {
            Measure::All => Duration { nanoseconds: total, ..Duration::default() },
            _ => Duration::default(),
        },
        Measure::Days => Duration { days: (total / DAY) as i64, ..Duration::default() },
        Measure::Months => Duration { months: months(from, to), ..Duration::default() },
        Measure::All => {
            let months = months(from, to);
            let after = add_months(from, months).unwrap_or(from);
            let rest = (to - after).num_seconds();
            let nanoseconds = i128::from(rest) * SECOND + i128::from((to - after).subsec_nanos());
            let days = nanoseconds / DAY;
            Duration { months, days: days as i64, nanoseconds: nanoseconds - days * DAY }
        }
    })
}

/// Whole months between two local times, negative when the second is earlier.
fn months(from: NaiveDateTime, to: NaiveDateTime) -> i64 {
    let mut months = i64::from(to.year() - from.year()) * 12 + i64::from(to.month()) - i64::from(from.month());
    let overshoots = |months: i64| {
        add_months(from, months).is_none_or(|time| if months > 0 { time > to } else { months < 0 && time < to })
    };
    if overshoots(months) {
        months -= months.signum();
    }
    months
}

/// A local time some months later; a day the month does not have becomes its last.
pub(super) fn add_months(time: NaiveDateTime, months: i64) -> Option<NaiveDateTime> {
    let count = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    if months < 0 { time.checked_sub_months(count) } else { time.checked_add_months(count) }
}
