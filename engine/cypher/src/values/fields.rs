//! The parts of a temporal value by name: `d.year`, `t.minute`, `x.epochSeconds`.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};

use super::temporal::{SECOND, Temporal, moment};
use super::{Value, invalid};
use quarry_types::Result;

impl Temporal {
    /// A part of the value; an error when its type has none of this name.
    pub fn field(&self, name: &str) -> Result<Value> {
        let number = match self {
            Temporal::Duration(duration) => duration.field(name),
            _ => self.moment_field(name),
        };
        if let Some(number) = number {
            return Ok(Value::Int(number));
        }
        let zone = self.zone();
        match (name, zone) {
            ("timezone", Some(zone)) => Ok(Value::text(zone.name())),
            ("offset", Some(zone)) => Ok(Value::text(zone.text())),
            _ => Err(invalid(format!("A value of type {} has no {name}.", self.type_name()))),
        }
    }

    fn moment_field(&self, name: &str) -> Option<i64> {
        let of_date = self.date().and_then(|date| date_field(date, name));
        let of_time = || self.time().and_then(|time| time_field(time, name));
        of_date.or_else(of_time).or_else(|| {
            let ahead = i64::from(self.zone()?.seconds);
            match (name, self) {
                ("offsetMinutes", _) => Some(ahead / 60),
                ("offsetSeconds", _) => Some(ahead),
                ("epochSeconds", Temporal::DateTime(local, zone)) => {
                    i64::try_from(moment(*local, zone.seconds).div_euclid(SECOND)).ok()
                }
                ("epochMillis", Temporal::DateTime(local, zone)) => {
                    i64::try_from(moment(*local, zone.seconds).div_euclid(1_000_000)).ok()
                }
                _ => None,
            }
        })
    }
}

fn date_field(date: NaiveDate, name: &str) -> Option<i64> {
    let quarter_start = NaiveDate::from_ymd_opt(date.year(), date.month0() / 3 * 3 + 1, 1)?;
    Some(match name {
        "year" => i64::from(date.year()),
        "quarter" => i64::from(date.month0() / 3 + 1),
        "month" => i64::from(date.month()),
        "week" => i64::from(date.iso_week().week()),
        "weekYear" => i64::from(date.iso_week().year()),
        "dayOfQuarter" | "quarterDay" => (date - quarter_start).num_days() + 1,
        "day" => i64::from(date.day()),
        "ordinalDay" => i64::from(date.ordinal()),
        "dayOfWeek" | "weekDay" => i64::from(date.weekday().number_from_monday()),
        _ => return None,
    })
}

fn time_field(time: NaiveTime, name: &str) -> Option<i64> {
    Some(i64::from(match name {
        "hour" => time.hour(),
        "minute" => time.minute(),
        "second" => time.second(),
        "millisecond" => time.nanosecond() / 1_000_000,
        "microsecond" => time.nanosecond() / 1_000,
        "nanosecond" => time.nanosecond(),
        _ => return None,
    }))
}
