//! Units of time.

use arrow::array::TimestampMicrosecondArray;
use chrono::{Datelike, Months, NaiveDate};

use super::values::{DAY, beyond, day_of};
use crate::prelude::*;

/// Days from the first day of the first year to 1970-01-01, counted as chrono does.
const EPOCH_FROM_CE: i32 = 719_163;

/// Months of a century.
const CENTURY: i64 = 1_200;

/// A unit: a length of time, or a number of months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Micros(i64),
    Week,
    Months(i64),
}

impl Unit {
    /// By its name, in the singular or the plural.
    pub fn parse(name: &str) -> Result<Unit> {
        let name = name.to_ascii_lowercase();
        Ok(match name.strip_suffix('s').unwrap_or(&name) {
            "microsecond" => Unit::Micros(1),
            "millisecond" => Unit::Micros(1_000),
            "second" => Unit::Micros(1_000_000),
            "minute" => Unit::Micros(60_000_000),
            "hour" => Unit::Micros(3_600_000_000),
            "day" => Unit::Micros(DAY),
            "week" => Unit::Week,
            "month" => Unit::Months(1),
            "quarter" => Unit::Months(3),
            "year" => Unit::Months(12),
            "decade" => Unit::Months(120),
            "century" | "centurie" => Unit::Months(CENTURY),
            "millennium" => Unit::Months(10 * CENTURY),
            _ => {
                let known = "microsecond, millisecond, second, minute, hour, day, week, month, quarter, year, decade, \
                             century, millennium";
                return Err(invalid(format!("'{name}' is not a valid time unit; the units are {known}.")));
            }
        })
    }

    /// The units of each row of an argument.
    pub fn parse_all(array: &ArrayRef) -> Result<Vec<Option<Unit>>> {
        text_of(array)?.into_iter().map(|name| name.map(Unit::parse).transpose()).collect()
    }

    /// The unit of a constant argument.
    pub fn literal(value: Option<&ScalarValue>) -> Option<Unit> {
        Unit::parse(value?.try_as_str().flatten()?).ok()
    }

    /// Whether days added stay days.
    pub fn keeps_days(self) -> bool {
        !matches!(self, Unit::Micros(micros) if micros < DAY)
    }

    /// A time moved by a number of units; the last day of a month replaces one that it does not have.
    pub fn shift(self, micros: i64, count: i64) -> Result<i64> {
        let fixed = |length: i64| count.checked_mul(length).and_then(|by| micros.checked_add(by)).ok_or_else(beyond);
        match self {
            Unit::Micros(length) => fixed(length),
            Unit::Week => fixed(7 * DAY),
            Unit::Months(months) => {
                let day = day_of(micros)?;
                let months = count.checked_mul(months).ok_or_else(beyond)?;
                let by = Months::new(u32::try_from(months.unsigned_abs()).map_err(|_| beyond())?);
                let moved = if months < 0 { day.checked_sub_months(by) } else { day.checked_add_months(by) };
                let days = moved.ok_or_else(beyond)?.signed_duration_since(day).num_days();
                days.checked_mul(DAY).and_then(|by| micros.checked_add(by)).ok_or_else(beyond)
            }
        }
    }

    /// Number of the unit a time lies in: weeks begin on Monday.
    fn index(self, micros: i64) -> Result<i64> {
        Ok(match self {
            Unit::Micros(length) => micros.div_euclid(length),
            Unit::Week => (micros.div_euclid(DAY) + 3).div_euclid(7),
            Unit::Months(months) => {
                let day = day_of(micros)?;
                (i64::from(day.year()) * 12 + i64::from(day.month0()) - first_month(months)).div_euclid(months)
            }
        })
    }

    /// The begin of the unit that a time lies in.
    pub fn begin(self, micros: i64) -> Result<i64> {
        Ok(match self {
            Unit::Micros(length) => micros.saturating_sub(micros.rem_euclid(length)),
            Unit::Week => (self.index(micros)? * 7 - 3) * DAY,
            Unit::Months(months) => {
                let month = self.index(micros)? * months + first_month(months);
                let year = i32::try_from(month.div_euclid(12)).map_err(|_| beyond())?;
                let first = NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1).ok_or_else(beyond)?;
                i64::from(first.num_days_from_ce() - EPOCH_FROM_CE) * DAY
            }
        })
    }

    /// How many borders between units lie between two times.
    pub fn borders(self, from: i64, to: i64) -> Result<i64> {
        Ok(self.index(to)? - self.index(from)?)
    }

    /// How many whole units passed between two times; backwards as many as forwards.
    pub fn passed(self, from: i64, to: i64) -> Result<i64> {
        if to < from {
            return Ok(-self.passed(to, from)?);
        }
        let fixed = |length: i64| to.checked_sub(from).map(|passed| passed / length).ok_or_else(beyond);
        match self {
            Unit::Micros(length) => fixed(length),
            Unit::Week => fixed(7 * DAY),
            Unit::Months(months) => {
                let mut passed = Unit::Months(1).borders(from, to)?;
                let reached = Unit::Months(1).shift(from, passed)?;
                if reached > to {
                    passed -= 1;
                }
                Ok(passed / months)
            }
        }
    }
}

/// The month from which units of so many months are counted: a century begins with a year that ends in 01, a decade with one that
/// ends in 0, as in PostgreSQL.
fn first_month(months: i64) -> i64 {
    if months < CENTURY { 0 } else { 12 }
}

/// The begin of the unit that each time lies in.
pub(super) fn begins(unit: &str, times: &TimestampMicrosecondArray) -> Result<TimestampMicrosecondArray> {
    let unit = Unit::parse(unit)?;
    times.try_unary(|micros| unit.begin(micros))
}
