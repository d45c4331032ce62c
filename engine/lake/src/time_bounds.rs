//! Bounds on the time column that filters on truncated times imply, for pruning: files and row groups have statistics of
//! `block_timestamp`, not of `date_trunc('day', block_timestamp)`.

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::{Cast, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, lit};

const DAY: i64 = 24 * 3600 * 1_000_000;

/// A filter on the column `time` that is true for every row for which `filter` is true.
pub(super) fn implied_by(filter: &Expr, time: &str) -> Option<Expr> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    if *op == Operator::And {
        return match (implied_by(left, time), implied_by(right, time)) {
            (Some(left), Some(right)) => Some(left.and(right)),
            (left, right) => left.or(right),
        };
    }
    let (truncated, op, bound) = match (truncated_time(left, time), truncated_time(right, time)) {
        (Some(truncated), None) => (truncated, *op, microseconds(right)?),
        (None, Some(truncated)) => (truncated, op.swap()?, microseconds(left)?),
        _ => return None,
    };
    let TruncatedTime { column, unit } = truncated;
    // A truncated time is at most one unit earlier, and never later.
    let after = lit(time_value(bound.checked_add(unit)?));
    let from = lit(time_value(bound));
    match op {
        Operator::Eq => Some(column.clone().gt_eq(from).and(column.lt(after))),
        Operator::Gt | Operator::GtEq => Some(column.gt_eq(from)),
        Operator::Lt | Operator::LtEq => Some(column.lt(after)),
        _ => None,
    }
}

/// The time column truncated to a unit of time.
struct TruncatedTime {
    column: Expr,
    /// The longest such unit, in microseconds.
    unit: i64,
}

fn truncated_time(expr: &Expr, time: &str) -> Option<TruncatedTime> {
    match expr {
        Expr::Cast(Cast { expr, field }) => match field.data_type() {
            DataType::Date32 => is_time(expr, time).then(|| TruncatedTime { column: (**expr).clone(), unit: DAY }),
            // A date compared with a timestamp is cast to the start of the day.
            DataType::Timestamp(..) => truncated_time(expr, time),
            _ => None,
        },
        Expr::ScalarFunction(ScalarFunction { func, args }) if func.name() == "date_trunc" => match args.as_slice() {
            [Expr::Literal(unit, _), column] if is_time(column, time) => {
                let unit = max_length(unit.try_as_str()??)?;
                Some(TruncatedTime { column: column.clone(), unit })
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_time(expr: &Expr, time: &str) -> bool {
    matches!(expr, Expr::Column(column) if column.name == time)
}

fn max_length(unit: &str) -> Option<i64> {
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

/// A literal date or timestamp in microseconds.
fn microseconds(expr: &Expr) -> Option<i64> {
    let Expr::Literal(value, _) = expr else { return None };
    if !matches!(value.data_type(), DataType::Date32 | DataType::Timestamp(..)) {
        return None;
    }
    match value.cast_to(&DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))).ok()? {
        ScalarValue::TimestampMicrosecond(micros, _) => micros,
        _ => None,
    }
}

fn time_value(micros: i64) -> ScalarValue {
    ScalarValue::TimestampMicrosecond(Some(micros), Some("UTC".into()))
}
