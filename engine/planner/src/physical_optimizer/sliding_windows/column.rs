//! Which windows are told column by column: exact sums and means of rows, `lag` and `row_number`.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{WindowFrame, WindowFrameBound, WindowFrameUnits};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Literal, lit};
use datafusion::physical_expr::window::{
    PlainAggregateWindowExpr, SlidingAggregateWindowExpr, StandardWindowExpr, WindowExpr,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::udaf::AggregateFunctionExpr;
use datafusion::physical_plan::windows::WindowUDFExpr;

use super::earlier::{Earlier, Numbers};
use quarry_functions::{Frame, Moving, moving};

/// Rows above its own that a window may reach: they are kept in memory beside the query's own.
const MOST_ROWS: usize = 1 << 16;

/// One window.
pub(super) struct Column {
    pub argument: Arc<dyn PhysicalExpr>,
    pub moving: Box<dyn Moving>,
}

impl Column {
    /// `None` for windows that are answered row by row.
    pub fn of(window: &Arc<dyn WindowExpr>, input: &Arc<dyn ExecutionPlan>) -> Option<Column> {
        let any = window.as_any();
        if let Some(sliding) = any.downcast_ref::<SlidingAggregateWindowExpr>() {
            return Column::of_frames(window, input, sliding.get_aggregate_expr());
        }
        if let Some(plain) = any.downcast_ref::<PlainAggregateWindowExpr>() {
            return Column::of_frames(window, input, plain.get_aggregate_expr());
        }
        let standard = any.downcast_ref::<StandardWindowExpr>()?.get_standard_func_expr();
        Column::of_call(window, input, standard.as_any().downcast_ref::<WindowUDFExpr>()?)
    }

    fn of_call(window: &Arc<dyn WindowExpr>, input: &Arc<dyn ExecutionPlan>, call: &WindowUDFExpr) -> Option<Column> {
        // The expression has no other way to say that it is neither.
        if !format!("{call:?}").ends_with("is_reversed: false, ignore_nulls: false }") {
            return None;
        }
        match (call.fun().name(), call.args()) {
            ("row_number", []) => Some(Column { argument: lit(true), moving: Box::new(Numbers::default()) }),
            ("lag", [value, more @ ..]) if more.len() <= 2 => {
                let to = window.field().ok()?.data_type().clone();
                if value.data_type(&input.schema()).ok()? != to {
                    return None;
                }
                let rows = match more.first() {
                    Some(rows) => rows_above(literal(rows)?)?,
                    None => 1,
                };
                let default = match more.get(1).map(literal) {
                    Some(default) => default?.cast_to(&to).ok()?,
                    None => ScalarValue::try_from(&to).ok()?,
                };
                let moving = Box::new(Earlier::new(rows, default).ok()?);
                Some(Column { argument: Arc::clone(value), moving })
            }
            _ => None,
        }
    }

    fn of_frames(
        window: &Arc<dyn WindowExpr>,
        input: &Arc<dyn ExecutionPlan>,
        aggregate: &AggregateFunctionExpr,
    ) -> Option<Column> {
        let [argument] = &window.expressions()[..] else { return None };
        // The expression has no other way to say that it has no FILTER.
        if aggregate.is_distinct() || !format!("{window:?}").ends_with("filter: None }") {
            return None;
        }
        let from = argument.data_type(&input.schema()).ok()?;
        let to = window.field().ok()?;
        let moving = moving(aggregate.fun(), &from, to.data_type(), frame(window.get_window_frame())?)?;
        Some(Column { argument: Arc::clone(argument), moving })
    }
}

fn literal(expr: &Arc<dyn PhysicalExpr>) -> Option<&ScalarValue> {
    expr.downcast_ref::<Literal>().map(Literal::value)
}

fn rows_above(rows: &ScalarValue) -> Option<usize> {
    let ScalarValue::Int64(Some(rows)) = rows.cast_to(&DataType::Int64).ok()? else { return None };
    usize::try_from(rows).ok().filter(|rows| *rows <= MOST_ROWS)
}

/// Frames of rows that end at their own row or above it.
fn frame(frame: &WindowFrame) -> Option<Frame> {
    let above = |bound: &WindowFrameBound| match bound {
        WindowFrameBound::CurrentRow => Some(0),
        WindowFrameBound::Preceding(ScalarValue::UInt64(Some(rows))) => {
            usize::try_from(*rows).ok().filter(|rows| *rows < MOST_ROWS)
        }
        _ => None,
    };
    let first = match &frame.start_bound {
        WindowFrameBound::Preceding(rows) if rows.is_null() => None,
        bound => Some(above(bound)?),
    };
    let frame = match frame.units {
        WindowFrameUnits::Rows => Frame { from: first, to: above(&frame.end_bound)? },
        _ => return None,
    };
    frame.from.is_none_or(|from| frame.to <= from).then_some(frame)
}
