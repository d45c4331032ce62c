//! Truncates a time to the start of its year, week, hour and so on.

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};

use super::construct::{TemporalType, date_of, time_of, zone_of};
use crate::values::temporal::{EPOCH, Temporal, Zone, nanoseconds_of_day, time_of as clock};
use crate::values::{Map, invalid};
use quarry_types::Result;

/// The start of the unit that a value is in, as another type, with the fields of a map set.
pub(super) fn truncate(to: TemporalType, unit: &str, value: &Temporal, map: &Map) -> Result<Temporal> {
    let unit = unit.to_lowercase();
    let date = value.date();
    let time = value.time().unwrap_or(NaiveTime::MIN);
    let day = date.unwrap_or(EPOCH);
    let (day, time) = match start_of(&unit, day) {
        Some(start) if date.is_some() || unit == "day" => (start, NaiveTime::MIN),
        Some(_) => return Err(invalid(format!("A value of type {} has no {unit}.", value.type_name()))),
        None => {
            let nanoseconds: i128 = match unit.as_str() {
                "hour" => 3_600_000_000_000,
                "minute" => 60_000_000_000,
                "second" => 1_000_000_000,
                "millisecond" => 1_000_000,
                "microsecond" => 1_000,
                _ => return Err(invalid(format!("There is no unit {unit}."))),
            };
            (day, clock(nanoseconds_of_day(time) / nanoseconds * nanoseconds))
        }
    };
    let zone = zone_of(map)?.or(value.zone()).unwrap_or(Zone::UTC);
    Ok(to.assemble(date_of(map, Some(day))?, time_of(map, Some(time), true)?, zone))
}

/// The first day of the unit; `None` when it is shorter than a day.
fn start_of(unit: &str, day: NaiveDate) -> Option<NaiveDate> {
    let year = |length: i32| NaiveDate::from_ymd_opt(day.year().div_euclid(length) * length, 1, 1);
    let monday =
        |day: NaiveDate| day.checked_sub_signed(TimeDelta::days(i64::from(day.weekday().num_days_from_monday())));
    match unit {
        "millennium" => year(1000),
        "century" => year(100),
        "decade" => year(10),
        "year" => year(1),
        "weekyear" => NaiveDate::from_isoywd_opt(day.iso_week().year(), 1, chrono::Weekday::Mon),
        "quarter" => NaiveDate::from_ymd_opt(day.year(), day.month0() / 3 * 3 + 1, 1),
        "month" => NaiveDate::from_ymd_opt(day.year(), day.month(), 1),
        "week" => monday(day),
        "day" => Some(day),
        _ => None,
    }
}
