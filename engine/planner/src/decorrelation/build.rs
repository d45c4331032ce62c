//! Builds plan nodes whose columns are resolved already. `LogicalPlanBuilder` resolves each column again, and finds two where an
//! unqualified column has the name of a qualified one.

use std::sync::Arc;

use datafusion::common::{NullEquality, Result};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{
    Aggregate, Expr, Filter, Join, JoinConstraint, JoinType, LogicalPlan, Projection, Window,
};

pub(super) fn project(rows: LogicalPlan, columns: Vec<Expr>) -> Result<LogicalPlan> {
    Projection::try_new(columns, Arc::new(rows)).map(LogicalPlan::Projection)
}

pub(super) fn filter(rows: LogicalPlan, condition: Expr) -> Result<LogicalPlan> {
    Filter::try_new(condition, Arc::new(rows)).map(LogicalPlan::Filter)
}

pub(super) fn aggregate(rows: LogicalPlan, keys: Vec<Expr>, aggregates: Vec<Expr>) -> Result<LogicalPlan> {
    Aggregate::try_new(Arc::new(rows), keys, aggregates).map(LogicalPlan::Aggregate)
}

pub(super) fn window(rows: LogicalPlan, functions: Vec<Expr>) -> Result<LogicalPlan> {
    Window::try_new(functions, Arc::new(rows)).map(LogicalPlan::Window)
}

/// A join by all the conditions; a cross join where there are none.
pub(super) fn join(left: LogicalPlan, right: LogicalPlan, join_type: JoinType, on: Vec<Expr>) -> Result<LogicalPlan> {
    let (left, right, nulls) = (Arc::new(left), Arc::new(right), NullEquality::NullEqualsNothing);
    let join = Join::try_new(left, right, Vec::new(), conjunction(on), join_type, JoinConstraint::On, nulls, false);
    join.map(LogicalPlan::Join)
}
