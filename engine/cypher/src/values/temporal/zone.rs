//! Time zones: a fixed distance from UTC, or a named place.

use chrono::{MappedLocalTime, NaiveDateTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;

use crate::values::invalid;
use quarry_types::Result;

/// A zone at a certain moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Zone {
    /// Seconds the clock is ahead of UTC then.
    pub seconds: i32,
    pub place: Option<Tz>,
}

impl Zone {
    pub const UTC: Zone = Zone { seconds: 0, place: None };

    pub fn offset(seconds: i32) -> Zone {
        Zone { seconds, place: None }
    }

    /// Reads `Z`, `+01:00`, `+0100`, `-02:05:07` or `Europe/Stockholm`.
    pub fn parse(text: &str) -> Result<Zone> {
        if let Some(seconds) = parse_offset(text) {
            return Ok(Zone::offset(seconds));
        }
        let place = text.parse::<Tz>().map_err(|_| invalid(format!("There is no time zone {text}.")))?;
        Ok(Zone { seconds: 0, place: Some(place) })
    }

    /// The same zone at a local time: a place's distance from UTC changes over the year. A time that the clock skips is
    /// moved on by an hour.
    pub fn at(&self, local: NaiveDateTime) -> (NaiveDateTime, Zone) {
        let Some(place) = self.place else { return (local, self.clone()) };
        let mut local = local;
        for _ in 0..2 {
            match place.from_local_datetime(&local) {
                MappedLocalTime::Single(time) | MappedLocalTime::Ambiguous(time, _) => {
                    let seconds = time.offset().fix().local_minus_utc();
                    return (local, Zone { seconds, place: self.place });
                }
                MappedLocalTime::None => local += TimeDelta::hours(1),
            }
        }
        (local, self.clone())
    }

    /// The local time here of a moment given as UTC.
    pub fn local(&self, utc: NaiveDateTime) -> (NaiveDateTime, Zone) {
        let seconds = match self.place {
            Some(place) => place.offset_from_utc_datetime(&utc).fix().local_minus_utc(),
            None => self.seconds,
        };
        (utc + TimeDelta::seconds(i64::from(seconds)), Zone { seconds, place: self.place })
    }

    /// The distance from UTC, as times show it.
    pub fn text(&self) -> String {
        if self.seconds == 0 {
            return "Z".to_string();
        }
        self.digits()
    }

    /// `+01:00`, also for UTC.
    pub fn digits(&self) -> String {
        let (sign, ahead) = (if self.seconds < 0 { '-' } else { '+' }, self.seconds.abs());
        let mut text = format!("{sign}{:02}:{:02}", ahead / 3600, ahead / 60 % 60);
        if ahead % 60 != 0 {
            text.push_str(&format!(":{:02}", ahead % 60));
        }
        text
    }

    /// The name, where it has one.
    pub fn name(&self) -> String {
        self.place.map_or_else(|| self.text(), |place| place.name().to_string())
    }
}

fn parse_offset(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let digits = digits.replace(':', "");
    if !matches!(digits.len(), 2 | 4 | 6) || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| digits.get(at..at + 2).map_or(Some(0), |part| part.parse::<i32>().ok());
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    (hours <= 18 && minutes < 60 && seconds < 60).then_some(sign * (hours * 3600 + minutes * 60 + seconds))
}
