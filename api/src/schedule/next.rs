//! When a query with an update strategy is due next.

use chrono::{DateTime, Utc};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use crate::creations::queries::Strategy;
use crate::http::ApiError;

/// Runs of one query are at least this far apart.
const SHORTEST_MS: i64 = 5 * 60 * 1000;
/// Moments of a cron pattern that are looked at to see how close they are: more than a day of the densest allowed one.
const LOOKED_AT: usize = 300;

const FIELDS: &str = "A schedule has five fields: minute, hour, day of the month, month, day of the week.";
const UNREADABLE: &str = "This schedule can't be read: a field is *, a number, or numbers as in 1,15 or 9-17 or */10; \
    months and days of the week may have their English names as in JAN or MON.";

/// The next moment after `after` (milliseconds since 1970), or nothing for a query that only people run. `spread`, any
/// number of the query's own, decides the minute, so that not all queries run on the hour.
pub fn next(strategy: Strategy, cron: &str, spread: i64, after: i64) -> Result<Option<i64>, ApiError> {
    let minute = spread.rem_euclid(60);
    let pattern = match strategy {
        Strategy::Manual => return Ok(None),
        Strategy::Hourly => format!("{minute} * * * *"),
        Strategy::Daily => format!("{minute} 0 * * *"),
        Strategy::Weekly => format!("{minute} 0 * * 1"),
        Strategy::Cron => return checked(cron, after).map(Some),
    };
    let pattern = read(&pattern)?;
    following(&pattern, after).map(Some)
}

/// The next moment of a person's own pattern, which may not run too often.
fn checked(text: &str, after: i64) -> Result<i64, ApiError> {
    let pattern = read(text)?;
    let first = following(&pattern, after)?;
    let mut last = first;
    for _ in 0..LOOKED_AT {
        // A pattern may end, as one for a day that comes only in some years does within what is looked at.
        let Ok(moment) = following(&pattern, last) else { break };
        if moment - last < SHORTEST_MS {
            return Err(bad("A query runs at most every five minutes."));
        }
        last = moment;
    }
    Ok(first)
}

fn read(text: &str) -> Result<Cron, ApiError> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    if text.len() > 100 {
        return Err(bad(FIELDS));
    }
    parser.parse(text).map_err(|_| bad(if text.split_whitespace().count() == 5 { UNREADABLE } else { FIELDS }))
}

fn following(pattern: &Cron, after: i64) -> Result<i64, ApiError> {
    let after: DateTime<Utc> =
        DateTime::from_timestamp_millis(after).ok_or_else(|| bad("This schedule never comes."))?;
    let next = pattern.find_next_occurrence(&after, false);
    next.map(|moment| moment.timestamp_millis()).map_err(|_| bad("This schedule never comes."))
}

fn bad(msg: &str) -> ApiError {
    ApiError::invalid("cron", msg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time;

    /// 2026-11-21 13:40:00, a Saturday.
    const NOW: i64 = 1_795_268_400_000;

    fn when(strategy: Strategy, cron: &str) -> String {
        time::text(next(strategy, cron, 7, NOW).unwrap().unwrap())
    }

    #[test]
    fn strategies_have_a_minute_of_their_own() {
        assert_eq!(time::text(NOW), "2026-11-21 13:40:00");
        assert_eq!(next(Strategy::Manual, "", 7, NOW).unwrap(), None);
        assert_eq!(when(Strategy::Hourly, ""), "2026-11-21 14:07:00");
        assert_eq!(when(Strategy::Daily, ""), "2026-11-22 00:07:00");
        assert_eq!(when(Strategy::Weekly, ""), "2026-11-23 00:07:00");
        assert_eq!(when(Strategy::Cron, "*/15 9-17 * * MON-FRI"), "2026-11-23 09:00:00");
    }

    #[test]
    fn the_moment_itself_is_over() {
        let first = next(Strategy::Hourly, "", 7, NOW).unwrap().unwrap();
        assert_eq!(next(Strategy::Hourly, "", 7, first).unwrap(), Some(first + 3_600_000));
    }

    #[test]
    fn odd_patterns_are_refused() {
        for odd in
            ["", "x", "* * * *", "* * * * *", "*/4 * * * *", "0 0 * * * *", "61 * * * *", "0 0 31 2 *", "0-59 3 * * *"]
        {
            assert!(next(Strategy::Cron, odd, 7, NOW).is_err(), "{odd:?}");
        }
        for (odd, said) in
            [("* * * *", FIELDS), ("x", FIELDS), ("61 * * * *", UNREADABLE), ("0 0 * * MOONDAY", UNREADABLE)]
        {
            assert_eq!(next(Strategy::Cron, odd, 7, NOW).unwrap_err().msg, said, "{odd:?}");
        }
        assert!(next(Strategy::Cron, "*/5 * * * *", 7, NOW).is_ok());
        assert!(next(Strategy::Cron, "0 0 29 2 *", 7, NOW).is_ok());
    }
}
