//! The windows that are computed column by column: exact sums and means of rows, `lag` and `row_number`.

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

use super::lag::{Lag, RowNumber};
use quarry_functions::{Frame, Moving, moving};

/// Most rows above its own that a window may reach: they are held in memory.
const MAX_ROWS: usize = 1 << 16;

/// One window.
pub(super) struct Column {
    pub argument: Arc<dyn PhysicalExpr>,
    pub moving: Box<dyn Moving>,
}

impl Column {
    /// `None` for windows that the stock operator computes.
    pub fn try_new(window: &Arc<dyn WindowExpr>, input: &Arc<dyn ExecutionPlan>) -> Option<Column> {
        let any = window.as_any();
        if let Some(sliding) = any.downcast_ref::<SlidingAggregateWindowExpr>() {
            return Column::aggregate(window, input, sliding.get_aggregate_expr());
        }
        if let Some(plain) = any.downcast_ref::<PlainAggregateWindowExpr>() {
            return Column::aggregate(window, input, plain.get_aggregate_expr());
        }
        let standard = any.downcast_ref::<StandardWindowExpr>()?.get_standard_func_expr();
        Column::call(window, input, standard.as_any().downcast_ref::<WindowUDFExpr>()?)
    }

    fn call(window: &Arc<dyn WindowExpr>, input: &Arc<dyn ExecutionPlan>, call: &WindowUDFExpr) -> Option<Column> {
        // The fields are private, and there is no method for them.
        if !format!("{call:?}").ends_with("is_reversed: false, ignore_nulls: false }") {
            return None;
        }
        match (call.fun().name(), call.args()) {
            ("row_number", []) => Some(Column { argument: lit(true), moving: Box::new(RowNumber::default()) }),
            ("lag", [value, more @ ..]) if more.len() <= 2 => {
                let to = window.field().ok()?.data_type().clone();
                if value.data_type(&input.schema()).ok()? != to {
                    return None;
                }
                let offset = match more.first() {
                    Some(offset) => lag_offset(literal(offset)?)?,
                    None => 1,
                };
                let default = match more.get(1).map(literal) {
                    Some(default) => default?.cast_to(&to).ok()?,
                    None => ScalarValue::try_from(&to).ok()?,
                };
                let moving = Box::new(Lag::new(offset, default).ok()?);
                Some(Column { argument: Arc::clone(value), moving })
            }
            _ => None,
        }
    }

    fn aggregate(
        window: &Arc<dyn WindowExpr>,
        input: &Arc<dyn ExecutionPlan>,
        function: &AggregateFunctionExpr,
    ) -> Option<Column> {
        let [argument] = &window.expressions()[..] else { return None };
        // The field is private, and there is no method for it.
        if function.is_distinct() || !format!("{window:?}").ends_with("filter: None }") {
            return None;
        }
        let from = argument.data_type(&input.schema()).ok()?;
        let to = window.field().ok()?;
        let moving = moving(function.fun(), &from, to.data_type(), frame(window.get_window_frame())?)?;
        Some(Column { argument: Arc::clone(argument), moving })
    }
}

fn literal(expr: &Arc<dyn PhysicalExpr>) -> Option<&ScalarValue> {
    expr.downcast_ref::<Literal>().map(Literal::value)
}

fn lag_offset(rows: &ScalarValue) -> Option<usize> {
    let ScalarValue::Int64(Some(rows)) = rows.cast_to(&DataType::Int64).ok()? else { return None };
    usize::try_from(rows).ok().filter(|rows| *rows <= MAX_ROWS)
}

/// Frames of rows that end at their own row or above it.
fn frame(frame: &WindowFrame) -> Option<Frame> {
    let above = |bound: &WindowFrameBound| match bound {
        WindowFrameBound::CurrentRow => Some(0),
        WindowFrameBound::Preceding(ScalarValue::UInt64(Some(rows))) => {
            usize::try_from(*rows).ok().filter(|rows| *rows < MAX_ROWS)
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
