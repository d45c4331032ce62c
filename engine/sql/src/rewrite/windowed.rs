//! Aggregates in an order over a window: `array_agg(x ORDER BY y) OVER (PARTITION BY z)`. The planner takes no order of theirs
//! there; of a window that has none and holds all rows of its part it is that of the window.

use datafusion::sql::sqlparser::ast::{
    Function, FunctionArgumentClause, FunctionArguments, OrderByExpr, WindowFrame, WindowFrameBound, WindowFrameUnits,
    WindowSpec, WindowType,
};

/// Aggregates whose order may stand behind them.
const BEHIND: [&str; 4] = ["array_agg", "group_concat", "listagg", "string_agg"];

/// The call with its order as that of the window; `None` for what has none or can't be written so.
pub(super) fn in_order(function: &Function) -> Option<Function> {
    let mut over = function.clone();
    let order = order_of(&mut over)?;
    let Some(WindowType::WindowSpec(spec @ WindowSpec { window_name: None, .. })) = &mut over.over else { return None };
    if spec.order_by == order {
        return Some(over);
    }
    if !spec.order_by.is_empty() || spec.window_frame.is_some() {
        return None;
    }
    spec.order_by = order;
    spec.window_frame = Some(WindowFrame {
        units: WindowFrameUnits::Rows,
        start_bound: WindowFrameBound::Preceding(None),
        end_bound: Some(WindowFrameBound::Following(None)),
    });
    Some(over)
}

/// Takes the order of an aggregate out of it.
fn order_of(function: &mut Function) -> Option<Vec<OrderByExpr>> {
    let name = function.name.to_string().to_ascii_lowercase();
    if BEHIND.contains(&name.as_str()) && !function.within_group.is_empty() {
        return Some(std::mem::take(&mut function.within_group));
    }
    let FunctionArguments::List(list) = &mut function.args else { return None };
    let place = list.clauses.iter().position(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)))?;
    match list.clauses.remove(place) {
        FunctionArgumentClause::OrderBy(order) => Some(order),
        _ => None,
    }
}
