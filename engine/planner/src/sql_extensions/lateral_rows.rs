//! `FROM t, LATERAL (SELECT t.a + 1 AS b) AS l`: a lateral subquery without FROM becomes a projection. The stock rule only
//! joins subqueries that read tables.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{
    EmptyRelation, Expr, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Subquery, SubqueryAlias, when,
};
use datafusion::prelude::lit;

use crate::subqueries::{any_node, contains_subquery};
use quarry_functions::tree_walk::TreeWalk;

/// Runs before the stock rule that joins lateral subqueries.
pub(crate) fn project_lateral_rows(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Join(join) = &plan else { return Ok(Transformed::no(plan)) };
    if let Some(projection) = as_projection(join)? {
        return Ok(Transformed::yes(projection));
    }
    Ok(match without_correlation(join)? {
        Some(right) => Transformed::yes(LogicalPlan::Join(Join { right: Arc::new(right), ..join.clone() })),
        None => Transformed::no(plan),
    })
}

/// A lateral subquery without outer columns, as a table: the optimizer drops conditions that are never true, with the outer columns
/// in them.
fn without_correlation(join: &Join) -> Result<Option<LogicalPlan>> {
    let Some(lateral) = query(&join.right) else { return Ok(None) };
    if any_node(&lateral.subquery, |node| Ok(node.contains_outer_reference()))? {
        return Ok(None);
    }
    let table = LogicalPlanBuilder::from(lateral.subquery.as_ref().clone());
    match join.right.as_ref() {
        LogicalPlan::SubqueryAlias(SubqueryAlias { alias, .. }) => table.alias(alias.clone())?.build().map(Some),
        _ => table.build().map(Some),
    }
}

/// Whether the rule makes a projection of a join.
pub fn is_lateral_row(join: &Join) -> Result<bool> {
    Ok(as_projection(join)?.is_some())
}

/// The subquery of the lateral side of a join.
pub fn query(side: &LogicalPlan) -> Option<&Subquery> {
    match side {
        LogicalPlan::Subquery(query) => Some(query),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => match input.as_ref() {
            LogicalPlan::Subquery(query) => Some(query),
            _ => None,
        },
        _ => None,
    }
}

/// A lateral side with another subquery.
pub fn with_query(side: &LogicalPlan, query: Subquery) -> Result<LogicalPlan> {
    let query = LogicalPlan::Subquery(query);
    match side {
        LogicalPlan::SubqueryAlias(SubqueryAlias { alias, .. }) => {
            LogicalPlanBuilder::from(query).alias(alias.clone())?.build()
        }
        _ => Ok(query),
    }
}

/// The row of a query without tables, and the conditions under which it exists.
#[derive(Default)]
struct Row {
    columns: Vec<Expr>,
    conditions: Vec<Expr>,
}

/// The join as a projection of its left side; `None` leaves it.
fn as_projection(join: &Join) -> Result<Option<LogicalPlan>> {
    if !join.on.is_empty() || !matches!(join.join_type, JoinType::Inner | JoinType::Left) {
        return Ok(None);
    }
    let Some(Subquery { subquery, .. }) = query(&join.right) else { return Ok(None) };
    let Some(mut row) = row(subquery)? else { return Ok(None) };
    if let Some(filter) = &join.filter {
        let width = join.left.schema().fields().len();
        let both: Vec<Expr> =
            join.schema.columns().into_iter().take(width).map(Expr::Column).chain(row.columns.clone()).collect();
        row.conditions.push(replace_columns(filter.clone(), &join.schema, &both)?);
    }
    let outside = join.left.schema();
    let resolved = |exprs: Vec<Expr>| {
        exprs.into_iter().map(|expr| resolve_outer(expr, outside)).collect::<Result<Option<Vec<_>>>>()
    };
    let (Some(columns), Some(conditions)) = (resolved(row.columns)?, resolved(row.conditions)?) else {
        return Ok(None);
    };
    let condition = conjunction(conditions.into_iter().filter(|condition| *condition != lit(true)));
    let mut left = LogicalPlanBuilder::from(join.left.as_ref().clone());
    let columns = match condition {
        None => columns,
        Some(condition) if join.join_type == JoinType::Inner => {
            left = left.filter(condition)?;
            columns
        }
        Some(condition) => {
            let guarded = columns.into_iter().map(|column| when(condition.clone(), column).end());
            guarded.collect::<Result<_>>()?
        }
    };
    let schema = join.right.schema();
    let named = columns.into_iter().enumerate().map(|(place, column)| {
        let (table, field) = schema.qualified_field(place);
        column.alias_qualified(table.cloned(), field.name())
    });
    let all: Vec<Expr> = outside.columns().into_iter().map(Expr::Column).chain(named).collect();
    Ok(Some(left.project(all)?.build()?))
}

/// The row of a query without tables; `None` for any other.
fn row(plan: &LogicalPlan) -> Result<Option<Row>> {
    let found = match plan {
        LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: true, .. }) => Some(Row::default()),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => row(input)?,
        LogicalPlan::Filter(filter) => match row(&filter.input)? {
            Some(mut below) => {
                let condition = replace_columns(filter.predicate.clone(), filter.input.schema(), &below.columns)?;
                below.conditions.push(condition);
                Some(below)
            }
            None => None,
        },
        LogicalPlan::Projection(projection) => match row(&projection.input)? {
            Some(below) => {
                let column = |expr: &Expr| {
                    Ok(replace_columns(expr.clone(), projection.input.schema(), &below.columns)?.unalias_nested().data)
                };
                let columns = projection.expr.iter().map(column).collect::<Result<_>>()?;
                Some(Row { columns, conditions: below.conditions })
            }
            None => None,
        },
        _ => None,
    };
    // Volatile expressions can't be copied to where they are used.
    let is_copyable = |expr: &Expr| !expr.is_volatile() && !contains_subquery(expr);
    Ok(found.filter(|row| row.columns.iter().chain(&row.conditions).all(is_copyable)))
}

/// An expression with the expressions of its columns in their place.
fn replace_columns(expr: Expr, schema: &Arc<DFSchema>, columns: &[Expr]) -> Result<Expr> {
    let done = expr.transform_up(|part| {
        let by = match &part {
            Expr::Column(column) => schema.maybe_index_of_column(column).and_then(|place| columns.get(place)),
            _ => None,
        };
        Ok(match by {
            Some(by) => Transformed::yes(by.clone()),
            None => Transformed::no(part),
        })
    })?;
    Ok(done.data)
}

/// An expression over the columns of the left side; `None` where it has other outer columns.
fn resolve_outer(expr: Expr, left: &DFSchema) -> Result<Option<Expr>> {
    let mut is_resolved = true;
    let done = expr.transform_up(|part| match part {
        Expr::OuterReferenceColumn(_, column) if left.has_column(&column) => Ok(Transformed::yes(Expr::Column(column))),
        Expr::OuterReferenceColumn(..) => {
            is_resolved = false;
            Ok(Transformed::no(part))
        }
        other => Ok(Transformed::no(other)),
    })?;
    Ok(is_resolved.then_some(done.data))
}
