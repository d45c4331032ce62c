//! Errors for correlated subqueries that can't be decorrelated.

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::{Join, JoinType, LogicalPlan};

use super::domain::is_volatile;
use crate::subqueries::refers_outside;
use quarry_functions::tree_walk::TreeWalk;
use quarry_types::invalid;

/// An error that names the clause of a subquery; `None` where another rule reports it.
pub(super) fn clause_of<T>(query: &LogicalPlan) -> Result<Option<T>> {
    let mut clause = None;
    query.apply(|node| {
        if !refers_outside(node)? {
            return Ok(TreeNodeRecursion::Jump);
        }
        clause = match node {
            LogicalPlan::Join(Join { join_type: JoinType::Full, .. }) => Some("FULL JOIN"),
            LogicalPlan::RecursiveQuery(_) => Some("WITH RECURSIVE"),
            _ => return Ok(TreeNodeRecursion::Continue),
        };
        Ok(TreeNodeRecursion::Stop)
    })?;
    match clause {
        Some(clause) => Err(invalid(format!(
            "{clause} can't be used above outer columns in a correlated subquery; group or join all rows first, and \
             compare with the outer columns afterwards."
        ))),
        None => Ok(None),
    }
}

/// An error where the outer rows are volatile; `None` otherwise.
pub(super) fn volatile_rows<T>(rows: &LogicalPlan) -> Result<Option<T>> {
    if !is_volatile(rows)? {
        return Ok(None);
    }
    Err(invalid(
        "A correlated subquery can't refer to outer rows that depend on volatile functions such as random() and \
         uuid().",
    ))
}
