//! `sum(x + 2) over w` and `sum(x + (1 + 1)) over w` are computed once. The stock rule that shares common expressions
//! takes equal window functions for one and moves it into a projection, where nothing can compute it: `select sum(x + 2)
//! over (), sum(x + (1 + 1)) over () from t` fails (<https://github.com/apache/datafusion/issues/15190>).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, Window};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// Runs before the stock rule.
#[derive(Debug)]
pub struct EqualWindows;

impl OptimizerRule for EqualWindows {
    fn name(&self) -> &str {
        "equal_windows"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Window(window) = &plan else { return Ok(Transformed::no(plan)) };
        let mut columns = Columns { used: used(window), ..Columns::default() };
        let once = once(window, &mut columns)?;
        if columns.copies.is_empty() {
            return Ok(Transformed::no(plan));
        }
        let shown = plan.schema().columns().into_iter().map(|column| match columns.copies.get(&column.name) {
            Some(first) if column.relation.is_none() => Expr::Column(Column::new_unqualified(first)).alias(column.name),
            _ => Expr::Column(column),
        });
        Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(shown.collect(), Arc::new(once))?)))
    }
}

/// The columns of steps of windows that follow one another.
#[derive(Default)]
struct Columns {
    /// The names that the steps refer to.
    used: HashSet<String>,
    /// The names of the functions.
    known: HashMap<Expr, String>,
    /// The names of the columns to leave out, each with that of the same function.
    copies: HashMap<String, String>,
}

/// The names that a step and those below it refer to.
fn used(window: &Window) -> HashSet<String> {
    let mut names = match window.input.as_ref() {
        LogicalPlan::Window(below) => used(below),
        _ => HashSet::new(),
    };
    names.extend(window.window_expr.iter().flat_map(Expr::column_refs).map(|column| column.name.clone()));
    names
}

/// The step, and those below it, without functions that are there already.
fn once(window: &Window, columns: &mut Columns) -> Result<LogicalPlan> {
    let input = match window.input.as_ref() {
        LogicalPlan::Window(below) => Arc::new(once(below, columns)?),
        _ => Arc::clone(&window.input),
    };
    let mut kept = Vec::new();
    for expr in &window.window_expr {
        let function = expr.clone().unalias_nested().data;
        let name = expr.schema_name().to_string();
        match columns.known.get(&function) {
            Some(first) if !function.is_volatile() && !columns.used.contains(&name) => {
                _ = columns.copies.insert(name, first.clone())
            }
            _ => {
                columns.known.insert(function, name);
                kept.push(expr.clone());
            }
        }
    }
    match kept.is_empty() {
        true => Ok(Arc::unwrap_or_clone(input)),
        false => Ok(LogicalPlan::Window(Window::try_new(kept, input)?)),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    /// When this fails the stock rule leaves window functions where they are, and ours can go.
    #[tokio::test]
    async fn the_stock_rule_still_moves_window_functions_into_a_projection() {
        let query = "select sum(x + 2) over (order by x), sum(x + (1 + 1)) over (order by x) from (values (1)) t(x)";
        assert!(SessionContext::new().sql(query).await.unwrap().collect().await.is_err());
    }
}
