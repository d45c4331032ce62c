//! Times and lengths of time as the text that results show.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field, IntervalUnit};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{Expr, ExprSchemable, ScalarUDF, cast};
use quarry_types::byte_columns::is_text;

use crate::simple::Simple;
use quarry_types::cell::time_text as shown;
use quarry_types::interval_text::length_text;
use quarry_types::invalid;

static TIME_TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "time_text",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("time_text", DataType::Utf8, true))),
        |args, _| texts(&args[0]),
    ))
});

/// A time in UTC as `YYYY-MM-DD HH:mm:ss`, with the digits of its second where it has some; a length of time by its parts.
pub fn time_text() -> Arc<ScalarUDF> {
    TIME_TEXT.clone()
}

fn texts(times: &ArrayRef) -> Result<ArrayRef> {
    let text = |row: usize| match times.data_type() {
        _ if times.is_null(row) => Ok(None),
        DataType::Timestamp(unit, zone) => Ok(shown(times.as_ref(), *unit, zone.is_some(), row)),
        _ => length_text(times.as_ref(), row).map(Some).ok_or_else(|| invalid("A time is needed here.")),
    };
    Ok(Arc::new((0..times.len()).map(text).collect::<Result<StringArray>>()?))
}

/// A cast of a time or a length of time to text, as results show it; the stock cast writes `2026-03-01T10:00:00Z`.
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
