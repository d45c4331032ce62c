//! Texts beside times, such as `'2024-03-01 10:30'` without seconds and `'2024-03-01 9:05:00'` with one digit of the hour, which
//! the planner does not parse; days with hours added to them, which are times; and casts of times to text and of texts to times.

use arrow::datatypes::{DataType, Field, TimeUnit};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, LogicalPlan, cast, lit};

use crate::node_rules::rewrite_expressions;
use quarry_functions::common_type::common_time;
use quarry_functions::times::time_of_text::{completed, text_as_time};
use quarry_functions::times::time_text::times_as_text;

use super::literal;
use quarry_functions::tree_walk::TreeWalk;

/// Casts times and intervals to the text that results show: `2026-03-01 10:00:00`, and not the `2026-03-01T10:00:00Z` of the stock
/// cast; and reads the texts of a column as times as those of the query are read. Runs when all casts are in the plan.
pub(crate) fn format_times(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |expr, schema| {
        times_as_text(expr, schema).transform_data(|expr| Ok(text_as_time(expr, schema)))
    })
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
