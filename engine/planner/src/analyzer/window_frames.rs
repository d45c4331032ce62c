//! Window frames over sort keys that the stock RANGE does not take, and of rows whose key is null.

use arrow::compute::kernels::cast_utils::parse_interval_month_day_nano;
use arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::{Expr, ExprSchemable, WindowFrame, WindowFrameBound, WindowFrameUnits};

use quarry_types::invalid;

const DAYS_OF_A_MONTH: i128 = 30;
const NANOSECONDS_OF_A_DAY: i128 = 86_400_000_000_000;

/// `RANGE` up to the current row is the same as `GROUPS`: peers are in the same frame. The stock `RANGE` requires a key
/// that supports addition, although only bounds with a distance need that; so for 256-bit numbers, addresses and
/// the like it becomes GROUPS.
pub(super) fn range_to_groups(expr: Expr, schema: &DFSchema) -> Result<Expr> {
    let Expr::WindowFunction(mut call) = expr else { return Ok(expr) };
    let WindowFunction { params, .. } = call.as_mut();
    let key = params.order_by.first().and_then(|key| key.expr.get_type(schema).ok());
    let frame = &params.window_frame;
    if [&frame.start_bound, &frame.end_bound].into_iter().any(is_negative) {
        return Err(invalid("The offset of a window frame can't be negative."));
    }
    let has_distance = ![&frame.start_bound, &frame.end_bound].into_iter().all(has_no_distance);
    if frame.units == WindowFrameUnits::Range && has_distance && key.as_ref().is_some_and(|key| !is_addable(key)) {
        return Err(invalid(
            "RANGE with an offset needs an ORDER BY key that supports addition; write ROWS or GROUPS.",
        ));
    }
    if frame.units == WindowFrameUnits::Range && key.is_some_and(|key| !is_range_key(&key)) {
        let (start, end) = (frame.start_bound.clone(), frame.end_bound.clone());
        params.window_frame = WindowFrame::new_bounds(WindowFrameUnits::Groups, start, end);
    }
    Ok(Expr::WindowFunction(call))
}

/// Whether the stock ranges take a key of this type.
fn is_range_key(key: &DataType) -> bool {
    let day = matches!(key, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) | DataType::Dictionary(..));
    day || key.is_numeric() || key.is_string() || key.is_null() || key.is_list() || *key == DataType::Boolean
}

/// Whether a distance can be added to a key of this type.
fn is_addable(key: &DataType) -> bool {
    is_range_key(key) && !key.is_string() && !key.is_list() && *key != DataType::Boolean
}

/// Whether a bound is a negative interval, with which the stock frames go wrong
/// (<https://github.com/apache/datafusion/issues/24902>). The planner takes no negative numbers, and holds distances of RANGE as
/// texts.
fn is_negative(bound: &WindowFrameBound) -> bool {
    let (WindowFrameBound::Preceding(distance) | WindowFrameBound::Following(distance)) = bound else { return false };
    let ScalarValue::Utf8(Some(text)) = distance else { return false };
    let Ok(distance) = parse_interval_month_day_nano(text) else { return false };
    let days = i128::from(distance.months) * DAYS_OF_A_MONTH + i128::from(distance.days);
    days * NANOSECONDS_OF_A_DAY + i128::from(distance.nanoseconds) < 0
}

/// Whether a bound is the current row, or all there is.
fn has_no_distance(bound: &WindowFrameBound) -> bool {
    match bound {
        WindowFrameBound::CurrentRow => true,
        WindowFrameBound::Preceding(rows) | WindowFrameBound::Following(rows) => rows.is_null(),
    }
}

/// Whether a frame ends some distance before the current row. If the key of the row is null, the frame ends at the last row with
/// null instead, and DataFusion computes it before it has read all of them (no issue is known). So such rows get another frame.
pub(super) fn ends_before_row(frame: &WindowFrame) -> bool {
    let ends = matches!(&frame.end_bound, WindowFrameBound::Preceding(distance) if !distance.is_null());
    frame.units == WindowFrameUnits::Range && ends
}

/// What such a frame is for rows with null: it ends at the last of them, and starts at the first of them unless it starts at the
/// first row of all.
pub(super) fn null_frame(frame: &WindowFrame) -> WindowFrame {
    let start = match &frame.start_bound {
        WindowFrameBound::Preceding(distance) if distance.is_null() => frame.start_bound.clone(),
        _ => WindowFrameBound::CurrentRow,
    };
    WindowFrame::new_bounds(WindowFrameUnits::Range, start, WindowFrameBound::CurrentRow)
}

#[cfg(test)]
mod tests {
    use arrow::util::pretty::pretty_format_batches;
    use datafusion::prelude::{SessionConfig, SessionContext};

    /// When this fails, <https://github.com/apache/datafusion/issues/24902> is fixed, and `is_negative` can go.
    #[tokio::test]
    async fn the_stock_frame_still_takes_negative_distances() {
        let query = "select count(*) over (order by t range between interval '-1 day' preceding and current row) as c
            from (values (timestamp '2024-01-01 00:00:00')) v(t)";
        assert!(SessionContext::new().sql(query).await.unwrap().collect().await.is_ok());
    }

    /// When this fails, DataFusion waits for all rows with null, and `ends_before_row` can go.
    #[tokio::test]
    async fn the_stock_frame_of_nulls_still_lacks_later_rows() {
        let config = SessionConfig::new().with_target_partitions(1).with_batch_size(2);
        let query = "select count(*) over (order by k range between 2 preceding and 1 preceding) as c
            from (select case when v < 0 then v end as k from generate_series(1, 10) t(v))";
        let batches = SessionContext::new_with_config(config).sql(query).await.unwrap().collect().await.unwrap();
        let rows = pretty_format_batches(&batches).unwrap().to_string();
        assert!(rows.matches("| 10").count() < 10, "{rows}");
    }
}
