//! Makes temporal values of maps, texts and other temporal values.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, Timelike};

use crate::values::temporal::{Duration, EPOCH, Temporal, Zone, parse};
use crate::values::{Map, Value, as_f64, invalid};
use quarry_types::{Error, ErrorCode, Result};

/// The type that a function makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TemporalType {
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    DateTime,
    Duration,
}

impl TemporalType {
    fn name(self) -> &'static str {
        match self {
            TemporalType::Date => "date",
            TemporalType::LocalTime => "localtime",
            TemporalType::Time => "time",
            TemporalType::LocalDateTime => "localdatetime",
            TemporalType::DateTime => "datetime",
            TemporalType::Duration => "duration",
        }
    }

    fn has_date(self) -> bool {
        matches!(self, TemporalType::Date | TemporalType::LocalDateTime | TemporalType::DateTime)
    }

    /// The value of this type with these parts.
    pub fn assemble(self, date: NaiveDate, time: NaiveTime, zone: Zone) -> Temporal {
        match self {
            TemporalType::Date => Temporal::Date(date),
            TemporalType::LocalTime => Temporal::LocalTime(time),
            TemporalType::Time => Temporal::Time(time, zone.at(date.and_time(time)).1.seconds),
            TemporalType::LocalDateTime => Temporal::LocalDateTime(date.and_time(time)),
            TemporalType::DateTime | TemporalType::Duration => {
                let (local, zone) = zone.at(date.and_time(time));
                Temporal::DateTime(local, zone)
            }
        }
    }

    /// A time in UTC.
    pub fn utc(self, now: SystemTime) -> Temporal {
        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let now =
            DateTime::from_timestamp(since.as_secs() as i64, since.subsec_nanos()).unwrap_or_default().naive_utc();
        self.assemble(now.date(), now.time(), Zone::UTC)
    }
}

/// The time of `datetime.fromepoch`.
pub(super) fn from_epoch(seconds: i64, nanoseconds: i64) -> Result<Temporal> {
    let extra = nanoseconds.div_euclid(1_000_000_000);
    let time = seconds
        .checked_add(extra)
        .and_then(|seconds| DateTime::from_timestamp(seconds, nanoseconds.rem_euclid(1_000_000_000) as u32));
    let time = time.ok_or_else(|| invalid("The time is out of range.".to_string()))?;
    Ok(Temporal::DateTime(time.naive_utc(), Zone::UTC))
}

/// Calls a constructor with an argument.
pub(super) fn construct(to: TemporalType, value: &Value) -> Result<Temporal> {
    let unreadable = |text: &str| invalid(format!("'{text}' is not a valid {}.", to.name()));
    match (to, value) {
        (TemporalType::Duration, Value::Text(text)) => {
            parse::duration(text).map(Temporal::Duration).ok_or_else(|| unreadable(text))
        }
        (TemporalType::Duration, Value::Map(map)) => duration_from_map(map).map(Temporal::Duration),
        (TemporalType::Duration, Value::Temporal(one)) if matches!(**one, Temporal::Duration(_)) => Ok((**one).clone()),
        (TemporalType::Duration, _) => Err(invalid("A duration must be created from a map or a string.".to_string())),
        (_, Value::Text(text)) => from_text(to, text)?.ok_or_else(|| unreadable(text)),
        (_, Value::Map(map)) => from_map(to, map),
        (_, Value::Temporal(one)) => {
            let missing = || invalid(format!("A {} can't be created from a {}.", to.name(), one.type_name()));
            let date = one.date().or(if to.has_date() { None } else { Some(EPOCH) }).ok_or_else(missing)?;
            let time = one.time().or((to == TemporalType::Date || one.date().is_some()).then_some(NaiveTime::MIN));
            Ok(to.assemble(date, time.ok_or_else(missing)?, one.zone().unwrap_or(Zone::UTC)))
        }
        (_, other) => Err(invalid(format!(
            "A {} must be created from a map or a string, not from type {}.",
            to.name(),
            other.type_name()
        ))),
    }
}

fn from_text(to: TemporalType, text: &str) -> Result<Option<Temporal>> {
    let (date, clock) = match text.split_once('T') {
        Some((date, clock)) => (date, clock),
        None if to.has_date() => (text, ""),
        None => ("", text),
    };
    let date = if to.has_date() { parse::date(date) } else { Some(EPOCH) };
    let time = if clock.is_empty() { Some((NaiveTime::MIN, None)) } else { parse::time(clock) };
    let (Some(date), Some((time, zone))) = (date, time) else { return Ok(None) };
    let zone = zone.transpose()?.unwrap_or(Zone::UTC);
    Ok(Some(if to == TemporalType::Time { Temporal::Time(time, zone.seconds) } else { to.assemble(date, time, zone) }))
}

fn from_map(to: TemporalType, map: &Map) -> Result<Temporal> {
    let base = |name: &str| match map.get(name) {
        Some(Value::Temporal(one)) => Ok(Some((**one).clone())),
        None | Some(Value::Null) => Ok(None),
        Some(other) => Err(invalid(format!("{name} must be a temporal value, not type {}.", other.type_name()))),
    };
    let (both, date, time) = (base("datetime")?, base("date")?, base("time")?);
    let date = date.as_ref().or(both.as_ref()).and_then(Temporal::date);
    let from = time.as_ref().or(both.as_ref());
    let (time, source) = (from.and_then(Temporal::time), from.and_then(Temporal::zone));
    let wanted = zone_of(map)?;
    // With another zone, a time stays the same instant.
    let (mut date, mut time) = (date, time);
    if let (Some(clock), Some(source), Some(wanted)) = (time, &source, &wanted) {
        let own_day = to.has_date() && !map.contains_key("datetime");
        let day = if own_day { date_of(map, date)? } else { date.unwrap_or(EPOCH) };
        let (local, source) = source.at(day.and_time(clock));
        let (local, _) = wanted.local(local - TimeDelta::seconds(i64::from(source.seconds)));
        time = Some(local.time());
        if map.contains_key("datetime") {
            date = date.map(|_| local.date());
        }
    }
    let day = if to.has_date() { date_of(map, date)? } else { EPOCH };
    let clock = if to == TemporalType::Date { NaiveTime::MIN } else { time_of(map, time, to.has_date())? };
    let zone = wanted.or(source).unwrap_or(Zone::UTC);
    if to == TemporalType::Time && zone.place.is_some() {
        let today = EPOCH.and_time(clock);
        return Ok(Temporal::Time(clock, zone.at(today).1.seconds));
    }
    Ok(to.assemble(day, clock, zone))
}

/// `{years, quarters, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds}`.
fn duration_from_map(map: &Map) -> Result<Duration> {
    let too_long = || Error::new(ErrorCode::Arithmetic, "The duration is too long.");
    map.iter().try_fold(Duration::default(), |sum, (name, value)| {
        let unit = Duration::unit(name).ok_or_else(|| invalid(format!("A duration has no {name}.")))?;
        sum.checked_add(match (value, as_f64(value)) {
            (Value::Int(count), _) => unit.times(*count).ok_or_else(too_long)?,
            (_, Some(count)) => unit.scale(count)?,
            (_, None) => return Err(invalid(format!("{name} must be a number."))),
        })
    })
}

/// The zone a map names.
pub(super) fn zone_of(map: &Map) -> Result<Option<Zone>> {
    match map.get("timezone") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(text)) => Zone::parse(text).map(Some),
        Some(_) => Err(invalid("timezone must be a string.".to_string())),
    }
}

fn field(map: &Map, name: &str) -> Result<Option<i64>> {
    match map.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Int(number)) => Ok(Some(*number)),
        Some(other) => Err(invalid(format!("{name} must be an integer, not type {}.", other.type_name()))),
    }
}

fn small(name: &str, number: i64) -> Result<u32> {
    u32::try_from(number).map_err(|_| invalid(format!("{name} can't be {number}.")))
}

/// The date a map names; what it leaves out comes from the base, or is the first.
pub(super) fn date_of(map: &Map, base: Option<NaiveDate>) -> Result<NaiveDate> {
    let get = |name: &str| field(map, name);
    let year = get("year")?;
    let no_year = || invalid("A date needs a year.".to_string());
    let small =
        |name: &str, number: Option<i64>, default: u32| number.map_or(Ok(default), |number| small(name, number));
    let year_or = |default: Option<i32>| match year {
        Some(year) => i32::try_from(year).map_err(|_| invalid(format!("The year {year} is out of range."))),
        None => default.ok_or_else(no_year),
    };
    let date = if get("week")?.is_some() || get("dayOfWeek")?.is_some() {
        let week = base.map(|date| date.iso_week());
        let day = small("dayOfWeek", get("dayOfWeek")?, base.map_or(1, |date| date.weekday().number_from_monday()))?;
        let number = small("week", get("week")?, week.map_or(1, |week| week.week()))?;
        parse::weekday(day).and_then(|day| {
            let year = year_or(week.map(|week| week.year())).ok()?;
            NaiveDate::from_isoywd_opt(year, number, day)
        })
    } else if let Some(day) = get("ordinalDay")? {
        NaiveDate::from_yo_opt(year_or(base.map(|date| date.year()))?, small("ordinalDay", Some(day), 1)?)
    } else if get("quarter")?.is_some() || get("dayOfQuarter")?.is_some() {
        let quarter = small("quarter", get("quarter")?, base.map_or(1, |date| date.month0() / 3 + 1))?;
        let year = year_or(base.map(|date| date.year()))?;
        if !(1..=4).contains(&quarter) {
            return Err(invalid("A quarter must be from 1 to 4.".to_string()));
        }
        let first = quarter * 3 - 2;
        match (get("dayOfQuarter")?, base) {
            (None, Some(base)) => NaiveDate::from_ymd_opt(year, first + base.month0() % 3, base.day()),
            (day, _) => NaiveDate::from_ymd_opt(year, first, 1)
                .and_then(|start| start.checked_add_signed(TimeDelta::try_days(day.unwrap_or(1).checked_sub(1)?)?)),
        }
    } else {
        let month = small("month", get("month")?, base.map_or(1, |date| date.month()))?;
        let day = small("day", get("day")?, base.map_or(1, |date| date.day()))?;
        NaiveDate::from_ymd_opt(year_or(base.map(|date| date.year()))?, month, day)
    };
    match date {
        Some(date) => Ok(date),
        None if year.is_none() && base.is_none() => Err(no_year()),
        None => Err(invalid("There is no such date.".to_string())),
    }
}

/// The time of day a map names; what it leaves out comes from the base, or is 0.
pub(super) fn time_of(map: &Map, base: Option<NaiveTime>, optional: bool) -> Result<NaiveTime> {
    let get = |name: &str| field(map, name);
    if base.is_none() && get("hour")?.is_none() && !optional {
        return Err(invalid("A time needs an hour.".to_string()));
    }
    let part = |name: &str, default: u32| get(name)?.map_or(Ok(default), |number| small(name, number));
    let base = base.unwrap_or(NaiveTime::MIN);
    let (hour, minute) = (part("hour", base.hour())?, part("minute", base.minute())?);
    let second = part("second", base.second())?;
    let nanoseconds = match (get("millisecond")?, get("microsecond")?, get("nanosecond")?) {
        (None, None, None) => base.nanosecond(),
        (milli, micro, nano) => {
            // Each unit fills the digits after the longer ones; those of units that are not named come from the base.
            let base = i64::from(base.nanosecond());
            let milli_part = milli.map_or(
                if micro.is_none_or(|micro| micro < 1_000)
                    && (micro.is_some() || nano.is_some_and(|nano| nano < 1_000_000))
                {
                    base / 1_000_000 * 1_000_000
                } else {
                    0
                },
                |milli| milli.saturating_mul(1_000_000),
            );
            let micro_part = micro.map_or(
                if milli.is_none() && nano.is_some_and(|nano| nano < 1_000) { base / 1_000 % 1_000 * 1_000 } else { 0 },
                |micro| micro.saturating_mul(1_000),
            );
            small("nanosecond", milli_part.saturating_add(micro_part).saturating_add(nano.unwrap_or(0)))?
        }
    };
    NaiveTime::from_hms_nano_opt(hour, minute, second, nanoseconds)
        .filter(|_| nanoseconds < 1_000_000_000)
        .ok_or_else(|| invalid("There is no such time.".to_string()))
}
