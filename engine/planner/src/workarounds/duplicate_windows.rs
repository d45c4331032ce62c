//! `sum(x + 2) over w` and `sum(x + (1 + 1)) over w` are computed once. The stock rule for common subexpressions
//! moves equal window functions into a projection, where nothing can compute them: `select sum(x + 2)
//! over (), sum(x + (1 + 1)) over () from t` fails (<https://github.com/apache/datafusion/issues/15190>).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, Window};

/// Runs before the stock rule.
pub(crate) fn deduplicate_window_functions(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Window(window) = &plan else { return Ok(Transformed::no(plan)) };
    let mut columns = Columns { used: used_names(window), ..Columns::default() };
    let deduplicated = without_duplicates(window, &mut columns)?;
    if columns.duplicates.is_empty() {
        return Ok(Transformed::no(plan));
    }
    let output = plan.schema().columns().into_iter().map(|column| match columns.duplicates.get(&column.name) {
        Some(first) if column.relation.is_none() => Expr::Column(Column::new_unqualified(first)).alias(column.name),
        _ => Expr::Column(column),
    });
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(output.collect(), Arc::new(deduplicated))?)))
}

/// The columns of window nodes that follow one another.
#[derive(Default)]
struct Columns {
    /// The names that the nodes refer to.
    used: HashSet<String>,
    /// The names of the functions.
    known: HashMap<Expr, String>,
    /// The names of duplicates, each with that of the first such function.
    duplicates: HashMap<String, String>,
}

/// The names that a node and the window nodes below it refer to.
fn used_names(window: &Window) -> HashSet<String> {
    let mut names = match window.input.as_ref() {
        LogicalPlan::Window(below) => used_names(below),
        _ => HashSet::new(),
    };
    names.extend(window.window_expr.iter().flat_map(Expr::column_refs).map(|column| column.name.clone()));
    names
}

/// The node, and the window nodes below it, each function once.
fn without_duplicates(window: &Window, columns: &mut Columns) -> Result<LogicalPlan> {
    let input = match window.input.as_ref() {
        LogicalPlan::Window(below) => Arc::new(without_duplicates(below, columns)?),
        _ => Arc::clone(&window.input),
    };
    let mut exprs = Vec::new();
    for expr in &window.window_expr {
        let function = expr.clone().unalias_nested().data;
        let name = expr.schema_name().to_string();
        match columns.known.get(&function) {
            Some(first) if !function.is_volatile() && !columns.used.contains(&name) => {
                columns.duplicates.insert(name, first.clone());
            }
            _ => {
                columns.known.insert(function, name);
                exprs.push(expr.clone());
            }
        }
    }
    match exprs.is_empty() {
        true => Ok(Arc::unwrap_or_clone(input)),
        false => Ok(LogicalPlan::Window(Window::try_new(exprs, input)?)),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    /// When this fails the stock rule leaves window functions where they are, and `deduplicate_window_functions` can go.
    #[tokio::test]
    async fn the_stock_rule_still_moves_window_functions_into_a_projection() {
        let query = "select sum(x + 2) over (order by x), sum(x + (1 + 1)) over (order by x) from (values (1)) t(x)";
        assert!(SessionContext::new().sql(query).await.unwrap().collect().await.is_err());
    }
}
