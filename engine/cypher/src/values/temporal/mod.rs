//! Dates, times and durations of the language.

mod arithmetic;
mod between;
mod duration;
pub(crate) mod parse;
mod show;
mod zone;

use std::cmp::Ordering;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};

pub(crate) use arithmetic::{add, divide, join, multiply, negate};
pub(crate) use between::{Measure, between};
pub(crate) use duration::Duration;
pub(crate) use zone::Zone;

/// Nanoseconds of a second and of a day.
pub(crate) const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;
/// The day of a value that has none.
pub(crate) const EPOCH: NaiveDate = match NaiveDate::from_ymd_opt(1970, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};

/// One value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Temporal {
    Date(NaiveDate),
    LocalTime(NaiveTime),
    /// With the seconds its clock is ahead of UTC.
    Time(NaiveTime, i32),
    LocalDateTime(NaiveDateTime),
    DateTime(NaiveDateTime, Zone),
    Duration(Duration),
}

impl Temporal {
    pub fn type_name(&self) -> &'static str {
        match self {
            Temporal::Date(_) => "DATE",
            Temporal::LocalTime(_) => "LOCAL TIME",
            Temporal::Time(..) => "ZONED TIME",
            Temporal::LocalDateTime(_) => "LOCAL DATETIME",
            Temporal::DateTime(..) => "ZONED DATETIME",
            Temporal::Duration(_) => "DURATION",
        }
    }

    /// Place of its type in the order of all types.
    pub fn class(&self) -> u8 {
        match self {
            Temporal::DateTime(..) => 5,
            Temporal::LocalDateTime(_) => 6,
            Temporal::Date(_) => 7,
            Temporal::Time(..) => 8,
            Temporal::LocalTime(_) => 9,
            Temporal::Duration(_) => 10,
        }
    }

    pub fn date(&self) -> Option<NaiveDate> {
        match self {
            Temporal::Date(date) => Some(*date),
            Temporal::LocalDateTime(local) | Temporal::DateTime(local, _) => Some(local.date()),
            _ => None,
        }
    }

    pub fn time(&self) -> Option<NaiveTime> {
        match self {
            Temporal::LocalTime(time) | Temporal::Time(time, _) => Some(*time),
            Temporal::LocalDateTime(local) | Temporal::DateTime(local, _) => Some(local.time()),
            _ => None,
        }
    }

    pub fn zone(&self) -> Option<Zone> {
        match self {
            Temporal::Time(_, offset) => Some(Zone::offset(*offset)),
            Temporal::DateTime(_, zone) => Some(zone.clone()),
            _ => None,
        }
    }

    /// The order among values of one type: moments by when they are, then as they are written.
    pub fn order(&self, other: &Temporal) -> Ordering {
        match (self, other) {
            (Temporal::Date(a), Temporal::Date(b)) => a.cmp(b),
            (Temporal::LocalTime(a), Temporal::LocalTime(b)) => a.cmp(b),
            (Temporal::LocalDateTime(a), Temporal::LocalDateTime(b)) => a.cmp(b),
            (Temporal::Time(a, x), Temporal::Time(b, y)) => {
                let utc = |time: &NaiveTime, offset: &i32| nanoseconds_of_day(*time) - i128::from(*offset) * SECOND;
                utc(a, x).cmp(&utc(b, y)).then(x.cmp(y))
            }
            (Temporal::DateTime(a, x), Temporal::DateTime(b, y)) => {
                let by_moment = moment(*a, x.seconds).cmp(&moment(*b, y.seconds));
                by_moment.then_with(|| x.text().cmp(&y.text()))
            }
            (Temporal::Duration(a), Temporal::Duration(b)) => {
                a.average().cmp(&b.average()).then_with(|| a.parts().cmp(&b.parts()))
            }
            _ => self.class().cmp(&other.class()),
        }
    }
}

/// Nanoseconds since midnight.
pub(crate) fn nanoseconds_of_day(time: NaiveTime) -> i128 {
    i128::from(time.num_seconds_from_midnight()) * SECOND + i128::from(time.nanosecond())
}

/// The time so many nanoseconds after midnight, round the clock.
pub(crate) fn time_of(nanoseconds: i128) -> NaiveTime {
    let nanoseconds = nanoseconds.rem_euclid(DAY);
    let (seconds, rest) = ((nanoseconds / SECOND) as u32, (nanoseconds % SECOND) as u32);
    NaiveTime::from_num_seconds_from_midnight_opt(seconds, rest).unwrap_or_default()
}

/// Nanoseconds since 1970 of a local time whose clock is so many seconds ahead of UTC.
pub(crate) fn moment(local: NaiveDateTime, ahead: i32) -> i128 {
    let time = local.and_utc();
    i128::from(time.timestamp()) * SECOND + i128::from(time.timestamp_subsec_nanos()) - i128::from(ahead) * SECOND
}
