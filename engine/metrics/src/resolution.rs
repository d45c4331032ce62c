//! The lengths of periods: hours, days, weeks from Monday and months of the calendar, all in UTC.

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// Length of the periods of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resolution {
    Hour,
    Day,
    Week,
    Month,
}

impl Resolution {
    pub const ALL: [Resolution; 4] = [Resolution::Hour, Resolution::Day, Resolution::Week, Resolution::Month];

    /// The name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Resolution::Hour => "1h",
            Resolution::Day => "24h",
            Resolution::Week => "1w",
            Resolution::Month => "1month",
        }
    }

    pub fn parse(name: &str) -> Option<Resolution> {
        Resolution::ALL.into_iter().find(|resolution| resolution.name() == name)
    }

    /// As `date_trunc` calls it.
    pub fn unit(self) -> &'static str {
        match self {
            Resolution::Hour => "hour",
            Resolution::Day => "day",
            Resolution::Week => "week",
            Resolution::Month => "month",
        }
    }

    /// Start of the period that holds a time, both in seconds since 1970.
    pub(super) fn start(self, time: i64) -> i64 {
        match self {
            Resolution::Hour => time.div_euclid(HOUR) * HOUR,
            Resolution::Day => time.div_euclid(DAY) * DAY,
            // Day 0 was a Thursday.
            Resolution::Week => ((time.div_euclid(DAY) + 3).div_euclid(7) * 7 - 3) * DAY,
            Resolution::Month => first_of_month(time).map_or(time, seconds),
        }
    }

    /// Start of the next period.
    pub(super) fn next(self, start: i64) -> i64 {
        match self {
            Resolution::Hour => start + HOUR,
            Resolution::Day => start + DAY,
            Resolution::Week => start + 7 * DAY,
            Resolution::Month => {
                let next = first_of_month(start).and_then(|first| first.checked_add_months(Months::new(1)));
                next.map_or(start + 31 * DAY, seconds)
            }
        }
    }
}

/// `None` for years that the calendar does not have.
fn first_of_month(time: i64) -> Option<NaiveDate> {
    DateTime::from_timestamp(time, 0)?.date_naive().with_day(1)
}

fn seconds(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(&format!("{text}Z")).unwrap().timestamp()
    }

    #[test]
    fn weeks_start_on_monday() {
        let time = at("2024-02-29T23:59:59");
        let starts = ["2024-02-29T23:00:00", "2024-02-29T00:00:00", "2024-02-26T00:00:00", "2024-02-01T00:00:00"];
        let nexts = ["2024-03-01T00:00:00", "2024-03-01T00:00:00", "2024-03-04T00:00:00", "2024-03-01T00:00:00"];
        for ((resolution, start), next) in Resolution::ALL.into_iter().zip(starts).zip(nexts) {
            assert_eq!(resolution.start(time), at(start), "{resolution:?}");
            assert_eq!(resolution.next(at(start)), at(next), "{resolution:?}");
            assert_eq!(resolution.start(at(start)), at(start));
            assert_eq!(Resolution::parse(resolution.name()), Some(resolution));
        }
        assert_eq!(Resolution::Week.start(0), -3 * DAY);
    }
}
