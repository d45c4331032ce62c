//! Which correlated subqueries the stock rules decorrelate themselves.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::tree_node::{self, Transformed, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::expr::Exists;
use datafusion::logical_expr::{Aggregate, Expr, JoinType, LogicalPlan, Subquery, check_subquery_expr};
use datafusion::optimizer::decorrelate::PullUpCorrelatedExpr;
use datafusion::prelude::lit;

use super::build;
use super::domain::{refers_from_inner, refers_further};
use super::is_correlated;
use crate::sql_extensions::limited_subqueries::is_limited;
use crate::subqueries::any_expression;
use crate::workarounds::global_aggregates::has_row_for_no_rows;
use quarry_functions::tree_walk::TreeWalk;

/// Whether they join a scalar subquery.
pub(super) fn join_scalar(node: &LogicalPlan, expr: &Expr, query: &Subquery) -> Result<bool> {
    if check_subquery_expr(node, &query.subquery, expr).is_err() || refers_elsewhere(node, &query.subquery)? {
        return Ok(false);
    }
    Ok(is_limited(&query.subquery)? || can_pull_up(&query.subquery, false)?)
}

/// Whether they join the subquery of `exists` or `in`.
pub(super) fn join_predicate(node: &LogicalPlan, expr: &Expr, query: &Subquery) -> Result<bool> {
    let is_exists = matches!(expr, Expr::Exists(_));
    let is_valid = check_subquery_expr(node, &query.subquery, expr).is_ok();
    // With `in` they look for the compared column among those of the groups, and with `exists` they forget that a global aggregate
    // has a row for no rows.
    let is_right = match is_exists {
        true => !query.subquery.exists(|node| Ok(is_global_aggregate(node) && is_correlated(node)?))?,
        false => count_correlated_groups(&query.subquery)? == 0,
    };
    Ok(is_valid && is_right && !refers_elsewhere(node, &query.subquery)? && can_pull_up(&query.subquery, is_exists)?)
}

/// Whether they join a lateral subquery.
pub(super) fn join_lateral(left: &LogicalPlan, query: &LogicalPlan) -> Result<bool> {
    if refers_further(query, left.schema())? || refers_from_inner(query, left.schema())? {
        return Ok(false);
    }
    Ok(is_limited(query)? || (!has_correlated_distinct(query)? && can_pull_up(query, false)?))
}

/// Whether distinct rows are made of rows that outer columns filter. The stock rules group them by the columns of the filter too, which
/// gives several rows where the filter is not an equality; only `exists` and `in` do not count rows.
fn has_correlated_distinct(query: &LogicalPlan) -> Result<bool> {
    query.exists(|node| match node {
        LogicalPlan::Distinct(_) => is_correlated(node),
        LogicalPlan::Aggregate(groups) if groups.aggr_expr.is_empty() => is_correlated(node),
        _ => Ok(false),
    })
}

/// Whether a subquery refers to rows further outside, or its own subqueries to the input of the node: they take such columns for
/// columns of the subquery.
fn refers_elsewhere(node: &LogicalPlan, query: &LogicalPlan) -> Result<bool> {
    match node.inputs()[..] {
        [input] => Ok(refers_further(query, input.schema())? || refers_from_inner(query, input.schema())?),
        _ => Ok(true),
    }
}

/// Whether the filters on outer columns can be pulled up above the subquery. Of two aggregates above such a filter the stock rules
/// forget that the lower one has a row for no rows, and they leave `outer in (select …)` where no rule joins it.
fn can_pull_up(query: &LogicalPlan, is_exists: bool) -> Result<bool> {
    let is_blocked = query.exists(|node| blocks_pull_up(node, std::ptr::eq(node, query)))?;
    if is_blocked || count_correlated_groups(query)? > 1 || has_outer_in_operand(query)? {
        return Ok(false);
    }
    let mut pull = PullUpCorrelatedExpr::new().with_need_handle_count_bug(true).with_exists_sub_query(is_exists);
    let Ok(pulled) = tree_node::TreeNode::rewrite(query.clone(), &mut pull) else { return Ok(false) };
    // The schema of an alias may lack columns that were pulled up; the next rule would fail.
    let is_stale = pulled.data.exists(|node| {
        let LogicalPlan::SubqueryAlias(alias) = node else { return Ok(false) };
        Ok(alias.schema.fields().len() != alias.input.schema().fields().len())
    })?;
    // They leave outer columns in unnested lists.
    let is_complete = pull.can_pull_up && !is_stale && !is_correlated(&pulled.data)?;
    Ok(is_complete && are_resolvable(&pull.join_filters, &pulled.data, query))
}

/// Whether a node returns other rows where a filter is above it instead of below.
fn blocks_pull_up(node: &LogicalPlan, is_last: bool) -> Result<bool> {
    match node {
        LogicalPlan::Window(_) => is_correlated(node),
        LogicalPlan::Aggregate(groups) if is_grouping_set(groups) => is_correlated(node),
        LogicalPlan::Limit(limit) if is_last && limit.skip.is_none() => Ok(false),
        LogicalPlan::Limit(_) => is_correlated(node),
        LogicalPlan::Join(join) => match join.join_type {
            JoinType::Inner => Ok(false),
            JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => is_correlated(&join.right),
            JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => {
                is_correlated(&join.left)
            }
            JoinType::Full => is_correlated(node),
        },
        _ => Ok(false),
    }
}

fn is_grouping_set(groups: &Aggregate) -> bool {
    groups.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)))
}

/// Whether the filters above a subquery find their columns: its output gets one alias, so the names of columns must be unique.
fn are_resolvable(filters: &[Expr], output: &LogicalPlan, query: &LogicalPlan) -> bool {
    let outer = query.all_out_ref_exprs();
    let is_outer = |column: &Column| {
        outer.iter().any(|expr| matches!(expr, Expr::OuterReferenceColumn(_, outer) if outer == column))
    };
    let mut names = HashSet::new();
    let are_unique = output.schema().fields().iter().all(|field| names.insert(field.name()));
    let mut columns = filters.iter().flat_map(Expr::column_refs);
    are_unique && columns.all(|column| output.schema().has_column(column) || is_outer(column))
}

/// `exists` in a form that the stock rules join: without output columns, and, where its nodes work row by row, with projections
/// in place of aliases.
pub(super) fn simplify_exists(node: &LogicalPlan, exists: &Exists) -> Result<Option<Exists>> {
    let mut plan = exists.subquery.subquery.as_ref().clone();
    if let LogicalPlan::Projection(projection) = plan {
        plan = build::project(projection.input.as_ref().clone(), vec![lit(1)])?;
    }
    let is_row_by_row = |node: &LogicalPlan| match node {
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::TableScan(_)
        | LogicalPlan::Values(_) => true,
        LogicalPlan::Join(join) => join.join_type == JoinType::Inner,
        _ => false,
    };
    if !plan.exists(|node| Ok(!is_row_by_row(node)))? {
        plan = plan.transform_up(alias_to_projection)?.data;
    }
    let subquery = Subquery { subquery: Arc::new(plan), ..exists.subquery.clone() };
    let exists = Exists { subquery, negated: exists.negated };
    Ok(join_predicate(node, &Expr::Exists(exists.clone()), &exists.subquery)?.then_some(exists))
}

/// Replaces an alias of a correlated plan by a projection with its qualified columns.
fn alias_to_projection(node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let alias = match &node {
        LogicalPlan::SubqueryAlias(alias) if is_correlated(&alias.input)? => alias,
        _ => return Ok(Transformed::no(node)),
    };
    let columns = alias.input.schema().columns().into_iter().zip(alias.schema.iter());
    let columns =
        columns.map(|(column, (table, field))| Expr::Column(column).alias_qualified(table.cloned(), field.name()));
    build::project(alias.input.as_ref().clone(), columns.collect()).map(Transformed::yes)
}

/// Whether `in` has an operand with outer columns in the subquery.
fn has_outer_in_operand(query: &LogicalPlan) -> Result<bool> {
    let has_outer = |part: &Expr| matches!(part, Expr::InSubquery(query) if query.expr.contains_outer());
    query.exists(|node| any_expression(node, has_outer))
}

fn is_global_aggregate(node: &LogicalPlan) -> bool {
    matches!(node, LogicalPlan::Aggregate(aggregate) if has_row_for_no_rows(aggregate))
}

/// The number of aggregates above outer columns.
fn count_correlated_groups(query: &LogicalPlan) -> Result<usize> {
    let mut count = 0;
    query.apply(|node| {
        if matches!(node, LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_)) {
            count += usize::from(is_correlated(node)?);
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(count)
}

/// Whether a query has one row at most, whatever it reads.
pub(super) fn is_single(query: &LogicalPlan) -> bool {
    match query {
        LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::SubqueryAlias(_) | LogicalPlan::Limit(_) => {
            query.max_rows().is_some_and(|rows| rows <= 1) || query.inputs().into_iter().all(is_single)
        }
        _ => query.max_rows().is_some_and(|rows| rows <= 1),
    }
}
