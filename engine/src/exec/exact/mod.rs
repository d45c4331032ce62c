//! Exact numbers and plain hex in queries: what the planner does with operators, and two passes over the plan.
//!
//! While a query is planned, [`operators::Operators`] gives division, uint256 and comparisons of bytes their meaning,
//! since they decide types. Then [`meaning::Meaning`] does the same for lists, `LIKE` and casts, and
//! [`integers::CheckedIntegers`] puts in integer operators that fail rather than wrap.

mod hex;
mod integers;
mod literal;
mod meaning;
mod operators;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;

/// Adds our planning to a session.
pub(super) fn register(state: &mut SessionState) -> Result<()> {
    state.register_expr_planner(Arc::new(operators::Operators))?;
    state.register_function_rewrite(Arc::new(meaning::Meaning))?;
    state.add_analyzer_rule(Arc::new(integers::CheckedIntegers));
    Ok(())
}
