//! What the stock rules join themselves.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::expr::Exists;
use datafusion::logical_expr::{Expr, JoinType, LogicalPlan, Subquery, check_subquery_expr};
use datafusion::optimizer::decorrelate::PullUpCorrelatedExpr;
use datafusion::prelude::lit;

use super::build;
use super::domain::{asks_deeper, asks_further};
use super::is_correlated;
use crate::sql_extensions::tops;
use crate::workarounds::sole_rows;

/// Whether they join a query that stands in the place of a value.
pub(super) fn joins_value(step: &LogicalPlan, expr: &Expr, asked: &Subquery) -> Result<bool> {
    if check_subquery_expr(step, &asked.subquery, expr).is_err() || further(step, &asked.subquery)? {
        return Ok(false);
    }
    Ok(tops::is_top_of_each(&asked.subquery)? || pulls_up(&asked.subquery, false)?)
}

/// Whether they join the query of `exists` or `in`.
pub(super) fn joins_condition(step: &LogicalPlan, expr: &Expr, asked: &Subquery) -> Result<bool> {
    let exists = matches!(expr, Expr::Exists(_));
    let checked = check_subquery_expr(step, &asked.subquery, expr).is_ok();
    // With `in` they look for the column that is compared among those of the groups, and with `exists` they forget that a total
    // is there for no rows too.
    let known = match exists {
        true => !asked.subquery.exists(|step| Ok(is_total(step) && is_correlated(step)?))?,
        false => grouped(&asked.subquery)? == 0,
    };
    Ok(checked && known && !further(step, &asked.subquery)? && pulls_up(&asked.subquery, exists)?)
}

/// Whether they join a lateral query.
pub(super) fn joins_lateral(around: &LogicalPlan, asked: &LogicalPlan) -> Result<bool> {
    if asks_further(asked, around.schema())? || asks_deeper(asked, around.schema())? {
        return Ok(false);
    }
    Ok(tops::is_top_of_each(asked)? || pulls_up(asked, false)?)
}

/// They take columns of rows further around for columns of the query.
fn further(step: &LogicalPlan, asked: &LogicalPlan) -> Result<bool> {
    match step.inputs()[..] {
        [input] => Ok(asks_further(asked, input.schema())? || asks_deeper(asked, input.schema())?),
        _ => Ok(true),
    }
}

/// Whether the conditions on outer columns can be asked above the query.
fn pulls_up(asked: &LogicalPlan, exists: bool) -> Result<bool> {
    Ok(pulled(asked, exists)?.is_some())
}

/// A query whose conditions on outer columns are asked above it, if they can be. Of two aggregates above such a condition the
/// stock rules forget that the lower one has a row for nothing, and they leave `outer in (select …)` where no rule joins it.
fn pulled(asked: &LogicalPlan, exists: bool) -> Result<Option<LogicalPlan>> {
    let held = asked.exists(|step| holds(step, std::ptr::eq(step, asked)))?;
    if held || grouped(asked)? > 1 || seeks_outer(asked)? {
        return Ok(None);
    }
    let mut pull = PullUpCorrelatedExpr::new().with_need_handle_count_bug(true).with_exists_sub_query(exists);
    let Ok(pulled) = asked.clone().rewrite(&mut pull) else { return Ok(None) };
    // A table's name may stand over columns that it does not know of now; the next rule would stumble.
    let torn = pulled.data.exists(|step| {
        let LogicalPlan::SubqueryAlias(alias) = step else { return Ok(false) };
        Ok(alias.schema.fields().len() != alias.input.schema().fields().len())
    })?;
    // Nor do they see columns that a list is unnested of.
    let all = pull.can_pull_up && !torn && !is_correlated(&pulled.data)?;
    Ok((all && are_told(&pull.join_filters, &pulled.data, asked)).then_some(pulled.data))
}

/// Whether a step shows other rows where a condition is asked above it and not below.
fn holds(step: &LogicalPlan, is_last: bool) -> Result<bool> {
    match step {
        // It looks at rows beside its own.
        LogicalPlan::Window(_) => is_correlated(step),
        LogicalPlan::Limit(limit) if is_last && limit.skip.is_none() => Ok(false),
        LogicalPlan::Limit(_) => is_correlated(step),
        LogicalPlan::Join(join) => match join.join_type {
            JoinType::Inner => Ok(false),
            JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => is_correlated(&join.right),
            JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => {
                is_correlated(&join.left)
            }
            JoinType::Full => is_correlated(step),
        },
        _ => Ok(false),
    }
}

/// Whether the conditions above a query find their columns: all that it shows gets one table, so that names tell them apart.
fn are_told(conditions: &[Expr], shown: &LogicalPlan, asked: &LogicalPlan) -> bool {
    let outer = asked.all_out_ref_exprs();
    let is_outer = |column: &Column| {
        outer.iter().any(|expr| matches!(expr, Expr::OuterReferenceColumn(_, outer) if outer == column))
    };
    let mut names = HashSet::new();
    let told_apart = shown.schema().fields().iter().all(|field| names.insert(field.name()));
    let mut columns = conditions.iter().flat_map(Expr::column_refs);
    told_apart && columns.all(|column| shown.schema().has_column(column) || is_outer(column))
}

/// A query of `exists` that the stock rules join once it shows nothing, and, where each of its rows is made of rows by themselves,
/// once its columns are named one by one in the place of a table's name over all of them.
pub(super) fn bare(step: &LogicalPlan, asked: &Exists) -> Result<Option<Exists>> {
    let mut bare = asked.subquery.subquery.as_ref().clone();
    if let LogicalPlan::Projection(shown) = bare {
        bare = build::project(shown.input.as_ref().clone(), vec![lit(1)])?;
    }
    let row_by_row = |step: &LogicalPlan| match step {
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::TableScan(_)
        | LogicalPlan::Values(_) => true,
        LogicalPlan::Join(join) => join.join_type == JoinType::Inner,
        _ => false,
    };
    if !bare.exists(|step| Ok(!row_by_row(step)))? {
        bare = bare.transform_up(by_columns)?.data;
    }
    let subquery = Subquery { subquery: Arc::new(bare), ..asked.subquery.clone() };
    let bare = Exists { subquery, negated: asked.negated };
    Ok(joins_condition(step, &Expr::Exists(bare.clone()), &bare.subquery)?.then_some(bare))
}

/// The columns of a table that is a query, each with the name of the table.
fn by_columns(step: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let table = match &step {
        LogicalPlan::SubqueryAlias(table) if is_correlated(&table.input)? => table,
        _ => return Ok(Transformed::no(step)),
    };
    let columns = table.input.schema().columns().into_iter().zip(table.schema.iter());
    let columns = columns.map(|(column, (of, field))| Expr::Column(column).alias_qualified(of.cloned(), field.name()));
    build::project(table.input.as_ref().clone(), columns.collect()).map(Transformed::yes)
}

/// Whether a condition of a query looks for a value of rows around it in another query.
fn seeks_outer(asked: &LogicalPlan) -> Result<bool> {
    asked.exists(|step| {
        let mut seeks = false;
        step.apply_expressions(|expr| {
            expr.apply(|part| {
                seeks |= matches!(part, Expr::InSubquery(sought) if sought.expr.contains_outer());
                Ok(TreeNodeRecursion::Continue)
            })
        })?;
        Ok(seeks)
    })
}

/// Whether a step has a row for no rows.
fn is_total(step: &LogicalPlan) -> bool {
    matches!(step, LogicalPlan::Aggregate(aggregate) if sole_rows::answers_none(aggregate))
}

/// How many steps of a query gather rows that depend on outer columns.
fn grouped(asked: &LogicalPlan) -> Result<usize> {
    let mut grouped = 0;
    asked.apply(|step| {
        if matches!(step, LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_)) {
            grouped += usize::from(is_correlated(step)?);
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(grouped)
}

/// Whether a query has one row at most, whatever it reads.
pub(super) fn is_single(asked: &LogicalPlan) -> bool {
    match asked {
        LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::SubqueryAlias(_) | LogicalPlan::Limit(_) => {
            asked.max_rows().is_some_and(|rows| rows <= 1) || asked.inputs().into_iter().all(is_single)
        }
        _ => asked.max_rows().is_some_and(|rows| rows <= 1),
    }
}
