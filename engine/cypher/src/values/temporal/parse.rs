//! Temporal values from ISO 8601 text, with and without separators.

use chrono::{NaiveDate, NaiveTime, Weekday};

use super::{Duration, SECOND, Zone};
use quarry_types::Result;

/// A date, and what follows it after `T`.
pub(crate) fn date(text: &str) -> Option<NaiveDate> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let signed = rest.len() != text.len();
    // A year with a sign may have more than four digits; a dash ends it.
    let year_length = if signed { rest.find('-').unwrap_or(rest.len().min(4)) } else { 4 };
    let (year, rest) = rest.split_at_checked(year_length)?;
    let year = sign * number::<i32>(year)?;
    let rest = rest.replace('-', "");
    if let Some(week) = rest.strip_prefix('W') {
        let (week, day) = week.split_at_checked(2)?;
        let weekday = if day.is_empty() { Weekday::Mon } else { weekday(number(day)?)? };
        return NaiveDate::from_isoywd_opt(year, number(week)?, weekday);
    }
    match rest.len() {
        0 => NaiveDate::from_ymd_opt(year, 1, 1),
        2 => NaiveDate::from_ymd_opt(year, number(&rest)?, 1),
        3 => NaiveDate::from_yo_opt(year, number(&rest)?),
        4 => NaiveDate::from_ymd_opt(year, number(rest.get(..2)?)?, number(rest.get(2..)?)?),
        _ => None,
    }
}

/// The day of a week, 1 for Monday.
pub(crate) fn weekday(number: u32) -> Option<Weekday> {
    number.checked_sub(1).and_then(|number| Weekday::try_from(u8::try_from(number).ok()?).ok())
}

/// A time of day, and the zone after it.
pub(crate) fn time(text: &str) -> Option<(NaiveTime, Option<Result<Zone>>)> {
    let end = text.find(['Z', 'z', '+', '-', '[']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(end);
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let digits = clock.replace(':', "");
    if !matches!(digits.len(), 2 | 4 | 6) || fraction.len() > 9 {
        return None;
    }
    let part = |at: usize| digits.get(at..at + 2).map_or(Some(0), number::<u32>);
    let nanoseconds = if fraction.is_empty() { 0 } else { number(&format!("{fraction:0<9}"))? };
    let time = NaiveTime::from_hms_nano_opt(part(0)?, part(2)?, part(4)?, nanoseconds)?;
    Some((time, (!zone.is_empty()).then(|| zone_of(zone))))
}

/// `+02:00`, or `+02:00[Europe/Stockholm]`, or the name alone in brackets.
fn zone_of(text: &str) -> Result<Zone> {
    match text.split_once('[') {
        Some((_, name)) => Zone::parse(name.trim_end_matches(']')),
        None => Zone::parse(text),
    }
}

/// `P1Y2M3W4DT5H6M7.8S`, or `P2012-02-02T14:37:21.545`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let rest = text.strip_prefix('P')?;
    let (long, short) = rest.split_once('T').unwrap_or((rest, ""));
    if long.get(1..).is_some_and(|tail| tail.contains('-')) && !long.contains(['Y', 'M', 'W', 'D']) {
        return by_date(long, short);
    }
    let months = |months| Duration { months, ..Duration::default() };
    let days = |days| Duration { days, ..Duration::default() };
    let seconds = |seconds: i128| Duration { nanoseconds: seconds * SECOND, ..Duration::default() };
    let mut sum = Duration::default();
    let mut add = |text: &str, units: &[(char, Duration)]| {
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
            let (amount, name) = rest.split_at(end);
            let (_, unit) = units.iter().find(|(letter, _)| name.starts_with(*letter))?;
            rest = name.get(1..)?;
            let part = match amount.parse::<i64>() {
                Ok(whole) => unit.times(whole)?,
                Err(_) if unit.nanoseconds == SECOND => parse_seconds(amount)?,
                Err(_) => unit.scale(amount.replace(',', ".").parse::<f64>().ok()?).ok()?,
            };
            sum = sum.checked_add(part).ok()?;
        }
        Some(())
    };
    add(long, &[('Y', months(12)), ('M', months(1)), ('W', days(7)), ('D', days(1))])?;
    add(short, &[('H', seconds(3600)), ('M', seconds(60)), ('S', seconds(1))])?;
    (rest != "T" && !rest.is_empty()).then_some(sum)
}

/// Seconds with a fraction, digit by digit.
fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once(['.', ','])?;
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole = if matches!(whole, "" | "-") { 0 } else { whole.parse::<i64>().ok()? };
    let fraction = fraction.get(..9).unwrap_or(fraction);
    let nanoseconds = number::<i128>(&format!("{fraction:0<9}"))?;
    Some(Duration { nanoseconds: i128::from(whole) * SECOND + sign * nanoseconds, ..Duration::default() })
}

fn by_date(long: &str, short: &str) -> Option<Duration> {
    let mut parts = long.split('-').map(number::<i64>);
    let (years, months, days) = (parts.next()??, parts.next()??, parts.next()??);
    let clock = if short.is_empty() { 0 } else { super::nanoseconds_of_day(time(short)?.0) };
    Some(Duration { months: years.checked_mul(12)?.checked_add(months)?, days, nanoseconds: clock })
}

fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
