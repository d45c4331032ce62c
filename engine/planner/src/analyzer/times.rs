//! Texts beside times, such as `'2024-03-01 10:30'` without seconds and `'2024-03-01 9:05:00'` with one digit of the hour, which
//! the planner does not parse; days with hours added to them, which are times; and casts of times to text.

use arrow::datatypes::{DataType, Field, TimeUnit};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, LogicalPlan, cast, lit};

use crate::node_rules::rewrite_expressions;
use quarry_functions::common_type::common_time;
use quarry_functions::times::time_text::times_as_text;

use super::literal;
use quarry_functions::tree_walk::TreeWalk;

/// Casts times and intervals to the text that results show: `2026-03-01 10:00:00`, and not the `2026-03-01T10:00:00Z` of the stock
/// cast. Runs when all casts are in the plan.
pub(crate) fn format_times(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |expr, schema| Ok(times_as_text(expr, schema)))
}

/// An operand beside a time: a text with all digits of a time, a day as a time.
pub(super) fn beside_time(expr: Expr, own: &Field, time: &Field) -> Expr {
    if let Some(moment) = common_time(&[own.data_type(), time.data_type()]) {
        return if own.data_type() == &moment { expr } else { cast(expr, moment) };
    }
    match literal::text(&expr).filter(|_| matches!(time.data_type(), DataType::Timestamp(..))).and_then(completed) {
        Some(text) => lit(text),
        None => expr,
    }
}

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// A day as a time, when an interval that is no number of whole days is added to it or subtracted: the stock operator
/// returns a day all the same. `None` leaves it.
pub(super) fn day_to_time(day: &Expr, field: &Field, length: &Expr, length_field: &Field) -> Option<Expr> {
    let is_day = matches!(field.data_type(), DataType::Date32 | DataType::Date64);
    let is_length = matches!(length_field.data_type(), DataType::Interval(_) | DataType::Duration(_));
    (is_day && is_length && !is_whole_days(length))
        .then(|| cast(day.clone(), DataType::Timestamp(TimeUnit::Microsecond, None)))
}

/// Whether an expression is made of literals of whole days, such as `interval '24' hour`, only.
fn is_whole_days(length: &Expr) -> bool {
    let (mut has_literal, mut is_whole) = (false, true);
    // The visitor never fails.
    let _ = length.apply(|part| {
        match part {
            Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(length)), _) => {
                has_literal = true;
                is_whole &= length.nanoseconds % DAY == 0;
            }
            Expr::Literal(ScalarValue::IntervalDayTime(Some(length)), _) => {
                has_literal = true;
                is_whole &= i64::from(length.milliseconds) % (DAY / 1_000_000) == 0;
            }
            Expr::Literal(ScalarValue::IntervalYearMonth(_), _) => has_literal = true,
            _ => {}
        }
        Ok(TreeNodeRecursion::Continue)
    });
    has_literal && is_whole
}

/// A time with two digits of its month, day, hour and minute, and with seconds; `None` for what has them, or is something
/// else.
pub fn completed(text: &str) -> Option<String> {
    let digits =
        |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|digit| digit.is_ascii_digit());
    let text = text.trim();
    let (day, rest) = text.split_at(text.find([' ', 'T']).unwrap_or(text.len()));
    let mut parts = day.split('-');
    let (year, month, of_month) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() < 4 || ![month, of_month].iter().all(|part| digits(part, 2)) {
        return None;
    }
    let mut whole = format!("{year}-{month:0>2}-{of_month:0>2}");
    if let Some(between) = rest.chars().next() {
        let (clock, zone) = rest[1..].split_at(rest[1..].find(['Z', 'z', '+', '-', ' ']).unwrap_or(rest.len() - 1));
        let parts: Vec<&str> = clock.split(':').collect();
        let (hour, minute, second) = match parts.as_slice() {
            [hour, minute] => (hour, minute, "00"),
            [hour, minute, second] if second.starts_with(|sign: char| sign.is_ascii_digit()) => (hour, minute, *second),
            _ => return None,
        };
        if !digits(hour, 2) || !digits(minute, 2) {
            return None;
        }
        whole += &format!("{between}{hour:0>2}:{minute:0>2}:{second}{zone}");
    }
    (whole != text).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::completed;

    #[test]
    fn missing_digits_are_added() {
        for (text, wanted) in [
            ("2024-03-01 10:30", Some("2024-03-01 10:30:00")),
            ("2024-03-01T9:05", Some("2024-03-01T09:05:00")),
            ("2024-03-01 9:05:07.5", Some("2024-03-01 09:05:07.5")),
            ("2024-03-01 10:30:00", None),
            ("2024-03-01", None),
            ("a b:c", None),
            ("2024-03-01 10:30Z", Some("2024-03-01 10:30:00Z")),
            ("2024-03-01 9:30 UTC", Some("2024-03-01 09:30:00 UTC")),
            ("2024-3-1", Some("2024-03-01")),
            ("2024-3-1-1", None),
            ("-1 day", None),
            ("2024-03-01 10:30+02:00", Some("2024-03-01 10:30:00+02:00")),
        ] {
            assert_eq!(completed(text).as_deref(), wanted, "{text}");
        }
    }
}
