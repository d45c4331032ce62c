//! What the stock rules join themselves.

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery, check_subquery_expr};
use datafusion::optimizer::decorrelate::PullUpCorrelatedExpr;

use super::domain::{asks_deeper, asks_further};
use super::plan_asks;
use crate::exec::tops;

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
        true => !asked.subquery.exists(|step| Ok(is_total(step) && plan_asks(step)?))?,
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

/// Whether the conditions on outer columns can be asked above the query. Of two aggregates above such a condition they forget
/// that the lower one has a row for nothing.
fn pulls_up(asked: &LogicalPlan, exists: bool) -> Result<bool> {
    if grouped(asked)? > 1 {
        return Ok(false);
    }
    let mut pull = PullUpCorrelatedExpr::new().with_need_handle_count_bug(true).with_exists_sub_query(exists);
    let Ok(pulled) = asked.clone().rewrite(&mut pull) else { return Ok(false) };
    // A table's name may stand over columns that it does not know of now; the next rule would stumble.
    let torn = pulled.data.exists(|step| {
        let LogicalPlan::SubqueryAlias(alias) = step else { return Ok(false) };
        Ok(alias.schema.fields().len() != alias.input.schema().fields().len())
    })?;
    // Nor do they see columns that a list is unnested of.
    Ok(pull.can_pull_up && !torn && !plan_asks(&pulled.data)?)
}

fn is_total(step: &LogicalPlan) -> bool {
    matches!(step, LogicalPlan::Aggregate(aggregate) if aggregate.group_expr.is_empty())
}

/// How many steps of a query gather rows that depend on outer columns.
fn grouped(asked: &LogicalPlan) -> Result<usize> {
    let mut grouped = 0;
    asked.apply(|step| {
        if matches!(step, LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_)) {
            grouped += usize::from(plan_asks(step)?);
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
