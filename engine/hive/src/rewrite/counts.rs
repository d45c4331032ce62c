//! Whole numbers that are counts or positions rather than values, in LIMIT, GROUP BY, ORDER BY, frames and intervals. They are
//! marked, so that the step for literals leaves them as they are written.

use datafusion::sql::sqlparser::ast::{
    Expr, Function, LimitClause, NamedWindowDefinition, NamedWindowExpr, OrderBy, OrderByKind, Query, Select, Value,
    WindowFrameBound, WindowSpec, WindowType,
};

pub(super) fn mark(expr: &mut Expr) {
    if let Expr::Value(value) = expr
        && let Value::Number(digits, mark) = &mut value.value
        && digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        *mark = true;
    }
}

pub(super) fn mark_query(query: &mut Query) {
    if let Some(OrderBy { kind: OrderByKind::Expressions(list), .. }) = &mut query.order_by {
        list.iter_mut().for_each(|order| mark(&mut order.expr));
    }
    match &mut query.limit_clause {
        Some(LimitClause::LimitOffset { limit, offset, .. }) => {
            limit.iter_mut().for_each(mark);
            offset.iter_mut().for_each(|offset| mark(&mut offset.value));
        }
        Some(LimitClause::OffsetCommaLimit { offset, limit }) => [offset, limit].into_iter().for_each(mark),
        None => {}
    }
}

pub(super) fn mark_expression(expr: &mut Expr) {
    match expr {
        Expr::Interval(interval) => mark(&mut interval.value),
        Expr::Function(function) => set_frame_marks(function, true),
        _ => {}
    }
}

/// Marks the numbers in the frame of a call over a window, or removes the marks for the planner.
pub(super) fn set_frame_marks(function: &mut Function, mark: bool) {
    if let Some(WindowType::WindowSpec(window)) = &mut function.over {
        set_marks(window, mark);
    }
}

pub(super) fn mark_named_windows(select: &mut Select) {
    named_windows(select).for_each(|window| set_marks(window, true));
}

pub(super) fn unmark_named_windows(select: &mut Select) {
    named_windows(select).for_each(|window| set_marks(window, false));
}

fn named_windows(select: &mut Select) -> impl Iterator<Item = &mut WindowSpec> {
    select.named_window.iter_mut().filter_map(|NamedWindowDefinition(_, window)| match window {
        NamedWindowExpr::WindowSpec(window) => Some(window),
        NamedWindowExpr::NamedWindow(_) => None,
    })
}

fn set_marks(window: &mut WindowSpec, set: bool) {
    let Some(frame) = &mut window.window_frame else { return };
    for bound in std::iter::once(&mut frame.start_bound).chain(&mut frame.end_bound) {
        if let WindowFrameBound::Preceding(Some(rows)) | WindowFrameBound::Following(Some(rows)) = bound
            && let Expr::Value(value) = rows.as_mut()
            && let Value::Number(_, mark) = &mut value.value
        {
            *mark = set;
        }
    }
}
