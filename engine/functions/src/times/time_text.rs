//! Times and lengths of time as the text that results show.

use arrow::datatypes::IntervalUnit;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{ExprSchemable, cast};
use quarry_types::cell;
use quarry_types::interval_text::length_text;

use crate::prelude::*;

/// A time in UTC as `YYYY-MM-DD HH:mm:ss`, with the digits of its second where it has some; a length of time by its parts.
pub fn time_text() -> Arc<ScalarUDF> {
    shared!(scalar_udf("time_text", 1..=1, returns(DataType::Utf8), |args, _| texts(&args[0])))
}

fn texts(times: &ArrayRef) -> Result<ArrayRef> {
    let text = |row: usize| match times.data_type() {
        _ if times.is_null(row) => Ok(None),
        DataType::Timestamp(unit, zone) => Ok(cell::time_text(times.as_ref(), *unit, zone.is_some(), row)),
        _ => length_text(times.as_ref(), row).map(Some).ok_or_else(|| invalid("Expected a timestamp here.")),
    };
    Ok(Arc::new((0..times.len()).map(text).collect::<Result<StringArray>>()?))
}

/// A cast of a time or a length of time to text, as results show it; the built-in cast writes `2026-03-01T10:00:00Z`.
pub fn times_as_text(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let time = |expr: &Expr| {
        use DataType::{Duration, Interval, Timestamp};
        matches!(expr.get_type(schema), Ok(Timestamp(..) | Duration(_) | Interval(IntervalUnit::MonthDayNano)))
    };
    match expr {
        Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field })
            if is_text(field.data_type()) && time(&expr) =>
        {
            Transformed::yes(cast(time_text().call(vec![*expr]), field.data_type().clone()))
        }
        other => Transformed::no(other),
    }
}
