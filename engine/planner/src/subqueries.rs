//! Walks over plans and expressions with subqueries.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Exists, InSubquery, SetComparison};
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// The subquery of an expression, if it has one itself.
pub(crate) fn subquery_of(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::ScalarSubquery(subquery)
        | Expr::Exists(Exists { subquery, .. })
        | Expr::InSubquery(InSubquery { subquery, .. })
        | Expr::SetComparison(SetComparison { subquery, .. }) => Some(subquery),
        _ => None,
    }
}

/// Rewrites the subquery of an expression, if it has one itself.
pub(crate) fn map_subquery(
    expr: Expr,
    rewrite: impl FnOnce(Subquery) -> Result<Transformed<Subquery>>,
) -> Result<Transformed<Expr>> {
    Ok(match expr {
        Expr::ScalarSubquery(subquery) => rewrite(subquery)?.update_data(Expr::ScalarSubquery),
        Expr::Exists(Exists { subquery, negated }) => {
            rewrite(subquery)?.update_data(|subquery| Expr::Exists(Exists { subquery, negated }))
        }
        Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
            rewrite(subquery)?.update_data(|subquery| Expr::InSubquery(InSubquery { expr, subquery, negated }))
        }
        Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) => rewrite(subquery)?
            .update_data(|subquery| Expr::SetComparison(SetComparison { expr, subquery, op, quantifier })),
        other => Transformed::no(other),
    })
}

/// Whether an expression contains a subquery.
pub(crate) fn contains_subquery(expr: &Expr) -> bool {
    expr.exists(|part| Ok(subquery_of(part).is_some())).unwrap_or(true)
}

/// Whether a node of a plan or of its subqueries passes a test.
pub(crate) fn any_node(plan: &LogicalPlan, mut test: impl FnMut(&LogicalPlan) -> Result<bool>) -> Result<bool> {
    let stopped =
        plan.apply_deep(|node| Ok(if test(node)? { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue }))?;
    Ok(stopped == TreeNodeRecursion::Stop)
}

/// Whether a part of an expression of a node passes a test.
pub(crate) fn any_expression(node: &LogicalPlan, test: impl Fn(&Expr) -> bool) -> Result<bool> {
    let stopped = node.apply_exprs(|expr| {
        Ok(if expr.exists(|part| Ok(test(part)))? { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(stopped == TreeNodeRecursion::Stop)
}

/// All columns of a schema.
pub(crate) fn all_columns(schema: &Arc<DFSchema>) -> Vec<Expr> {
    schema.columns().into_iter().map(Expr::Column).collect()
}
