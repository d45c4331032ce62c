//! Bounds on the time column that filters on days and other parts of it imply, for pruning: files and row groups know
//! the bounds of `block_timestamp`, not those of `date_trunc('day', block_timestamp)`.

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::{Cast, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, lit};

const DAY: i64 = 24 * 3600 * 1_000_000;

/// What rows that pass `filter` also pass: a filter on the bare column `time`.
pub(super) fn by_filter(filter: &Expr, time: &str) -> Option<Expr> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    if *op == Operator::And {
        return match (by_filter(left, time), by_filter(right, time)) {
            (Some(left), Some(right)) => Some(left.and(right)),
            (left, right) => left.or(right),
        };
    }
    let (floored, op, bound) = match (floored(left, time), floored(right, time)) {
        (Some(floored), None) => (floored, *op, moment(right)?),
        (None, Some(floored)) => (floored, op.swap()?, moment(left)?),
        _ => return None,
    };
    let Floored { column, unit } = floored;
    // The floor of a time is at most one unit before it and never after.
    let after = lit(time_value(bound.checked_add(unit)?));
    let from = lit(time_value(bound));
    match op {
        Operator::Eq => Some(column.clone().gt_eq(from).and(column.lt(after))),
        Operator::Gt | Operator::GtEq => Some(column.gt_eq(from)),
        Operator::Lt | Operator::LtEq => Some(column.lt(after)),
        _ => None,
    }
}

/// The time column cut down to the start of a unit of time.
struct Floored {
    column: Expr,
    /// Longest such unit in microseconds.
    unit: i64,
}

fn floored(expr: &Expr, time: &str) -> Option<Floored> {
    match expr {
        Expr::Cast(Cast { expr, field }) => match field.data_type() {
            DataType::Date32 => is_time(expr, time).then(|| Floored { column: (**expr).clone(), unit: DAY }),
            // A day compared with a moment becomes the moment at its start.
            DataType::Timestamp(..) => floored(expr, time),
            _ => None,
        },
        Expr::ScalarFunction(ScalarFunction { func, args }) if func.name() == "date_trunc" => match args.as_slice() {
            [Expr::Literal(unit, _), column] if is_time(column, time) => {
                let unit = longest(unit.try_as_str()??)?;
                Some(Floored { column: column.clone(), unit })
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_time(expr: &Expr, time: &str) -> bool {
    matches!(expr, Expr::Column(column) if column.name == time)
}

fn longest(unit: &str) -> Option<i64> {
    Some(match unit.to_lowercase().as_str() {
        "second" => 1_000_000,
        "minute" => 60 * 1_000_000,
        "hour" => DAY / 24,
        "day" => DAY,
        "week" => 7 * DAY,
        "month" => 31 * DAY,
        "quarter" => 92 * DAY,
        "year" => 366 * DAY,
        _ => return None,
    })
}

/// A literal day or moment in microseconds.
fn moment(expr: &Expr) -> Option<i64> {
    let Expr::Literal(value, _) = expr else { return None };
    if !matches!(value.data_type(), DataType::Date32 | DataType::Timestamp(..)) {
        return None;
    }
    match value.cast_to(&DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))).ok()? {
        ScalarValue::TimestampMicrosecond(moment, _) => moment,
        _ => None,
    }
}

fn time_value(micros: i64) -> ScalarValue {
    ScalarValue::TimestampMicrosecond(Some(micros), Some("UTC".into()))
}
