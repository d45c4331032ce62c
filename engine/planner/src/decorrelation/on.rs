//! Queries in the condition of a join: `a LEFT JOIN b ON a.k = b.k AND b.x = (SELECT max(y) FROM c WHERE c.k = b.k)`. The stock rules
//! know none there but values without outer columns. Each asks for columns of one side, of which it becomes a column.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{Exists, InSubquery, SetComparison};
use datafusion::logical_expr::{Expr, Join, LogicalPlan};

use super::build;
use super::domain::outer_columns;
use crate::sql_extensions::laterals;
use quarry_types::invalid;

/// The plan with such queries as columns below their joins.
pub(super) fn below(plan: LogicalPlan) -> Result<LogicalPlan> {
    let has_joined_query = |step: &LogicalPlan| match step {
        LogicalPlan::Join(Join { filter: Some(filter), .. }) => filter.exists(|part| Ok(is_joined(part))),
        _ => Ok(false),
    };
    let mut found = false;
    plan.apply_with_subqueries(|step| {
        found |= has_joined_query(step)?;
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if !found {
        return Ok(plan);
    }
    let mut made = 0;
    let moved = plan.transform_up_with_subqueries(|step| match step {
        LogicalPlan::Join(join) if has_joined_query(&LogicalPlan::Join(join.clone()))? => with_answers(join, &mut made),
        step => Ok(Transformed::no(step)),
    })?;
    Ok(moved.data)
}

/// Whether an expression is a query that no stock rule takes out of a join.
fn is_joined(expr: &Expr) -> bool {
    match expr {
        Expr::ScalarSubquery(query) => !query.outer_ref_columns.is_empty(),
        Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_) => true,
        _ => false,
    }
}

/// A join over sides that have the answers of its queries beside their columns.
fn with_answers(join: Join, made: &mut usize) -> Result<Transformed<LogicalPlan>> {
    let columns: Vec<Expr> = join.schema.columns().into_iter().map(Expr::Column).collect();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let Some(filter) = join.filter else { return Ok(Transformed::no(LogicalPlan::Join(join))) };
    let filter = filter.transform_down(|part| {
        if !is_joined(&part) {
            return Ok(Transformed::no(part));
        }
        let side = match (asks_of(&part, join.left.schema())?, asks_of(&part, join.right.schema())?) {
            (true, true) => {
                return Err(invalid(
                    "A query in the ON of an outer join asks for columns of one side; this one asks for both.",
                ));
            }
            (_, false) => &mut left,
            (false, true) => &mut right,
        };
        let name = format!("__on_{made}");
        *made += 1;
        side.push(part.alias(&name));
        Ok(Transformed::new(Expr::Column(Column::new_unqualified(name)), true, TreeNodeRecursion::Jump))
    })?;
    let side = |rows: Arc<LogicalPlan>, answers: Vec<Expr>| {
        if answers.is_empty() {
            return Ok(rows);
        }
        let columns = rows.schema().columns().into_iter().map(Expr::Column).chain(answers).collect();
        build::project(Arc::unwrap_or_clone(rows), columns).map(Arc::new)
    };
    // What is beside a lateral query is no lateral query any more.
    if !right.is_empty() && laterals::query(&join.right).is_some() {
        return Err(invalid("A query in the ON of LEFT JOIN LATERAL asks for columns of the rows before it."));
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

/// Whether a query, or what it is compared with, asks for columns of a side.
fn asks_of(expr: &Expr, side: &DFSchema) -> Result<bool> {
    let query = match expr {
        Expr::ScalarSubquery(query) => query,
        Expr::Exists(Exists { subquery, .. })
        | Expr::InSubquery(InSubquery { subquery, .. })
        | Expr::SetComparison(SetComparison { subquery, .. }) => subquery,
        _ => return Ok(false),
    };
    let compared = expr.column_refs().into_iter().any(|column| side.has_column(column));
    Ok(compared || !outer_columns(&query.subquery, side)?.is_empty())
}
