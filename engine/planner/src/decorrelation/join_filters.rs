//! Subqueries in the filter of a join: `a LEFT JOIN b ON a.k = b.k AND b.x = (SELECT max(y) FROM c WHERE c.k = b.k)`. The stock rules
//! plan only uncorrelated scalar subqueries there. Each subquery refers to columns of one side, and becomes a column of that side.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::{Expr, Join, LogicalPlan};

use super::build;
use super::domain::outer_columns;
use crate::sql_extensions::lateral_rows;
use crate::subqueries::{all_columns, any_node, subquery_of};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};
use quarry_types::invalid;

/// The plan with such subqueries as columns below their joins.
pub(super) fn project_filters(plan: LogicalPlan) -> Result<LogicalPlan> {
    let has_subquery = |node: &LogicalPlan| match node {
        LogicalPlan::Join(Join { filter: Some(filter), .. }) => filter.exists(|part| Ok(is_unsupported(part))),
        _ => Ok(false),
    };
    if !any_node(&plan, has_subquery)? {
        return Ok(plan);
    }
    let mut count = 0;
    let moved = plan.transform_deep_up(|node| match has_subquery(&node)? {
        true => project_filter(node, &mut count),
        false => Ok(Transformed::no(node)),
    })?;
    Ok(moved.data)
}

/// Whether an expression is a subquery that no stock rule takes out of a join.
fn is_unsupported(expr: &Expr) -> bool {
    match expr {
        Expr::ScalarSubquery(query) => !query.outer_ref_columns.is_empty(),
        Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_) => true,
        _ => false,
    }
}

/// The join over sides with the subqueries of its filter as columns.
fn project_filter(node: LogicalPlan, count: &mut usize) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Join(join) = node else { return Ok(Transformed::no(node)) };
    let columns = all_columns(&join.schema);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let Some(filter) = join.filter else { return Ok(Transformed::no(LogicalPlan::Join(join))) };
    let filter = filter.transform_down(|part| {
        if !is_unsupported(&part) {
            return Ok(Transformed::no(part));
        }
        let side = match (refers_to(&part, join.left.schema())?, refers_to(&part, join.right.schema())?) {
            (true, true) => {
                return Err(invalid(
                    "A subquery in the ON of an outer join can refer to the columns of only one side.",
                ));
            }
            (_, false) => &mut left,
            (false, true) => &mut right,
        };
        let name = format!("__on_{count}");
        *count += 1;
        side.push(part.alias(&name));
        Ok(Transformed::new(Expr::Column(Column::new_unqualified(name)), true, TreeNodeRecursion::Jump))
    })?;
    let side = |rows: Arc<LogicalPlan>, subqueries: Vec<Expr>| {
        if subqueries.is_empty() {
            return Ok(rows);
        }
        let columns = rows.schema().columns().into_iter().map(Expr::Column).chain(subqueries).collect();
        build::project(Arc::unwrap_or_clone(rows), columns).map(Arc::new)
    };
    // In a projection the lateral subquery would not be lateral any more.
    if !right.is_empty() && lateral_rows::query(&join.right).is_some() {
        return Err(invalid(
            "A subquery in the ON of LEFT JOIN LATERAL can refer only to the columns before the join.",
        ));
    }
    let (left, right) = (side(join.left, left)?, side(join.right, right)?);
    let joined = Join::try_new(
        left,
        right,
        join.on,
        Some(filter.data),
        join.join_type,
        join.join_constraint,
        join.null_equality,
        join.null_aware,
    )?;
    build::project(LogicalPlan::Join(joined), columns).map(Transformed::yes)
}

/// Whether a subquery, or its operand, refers to columns of a side.
fn refers_to(expr: &Expr, side: &DFSchema) -> Result<bool> {
    let Some(query) = subquery_of(expr) else { return Ok(false) };
    let is_operand = expr.column_refs().into_iter().any(|column| side.has_column(column));
    Ok(is_operand || !outer_columns(&query.subquery, side)?.is_empty())
}
