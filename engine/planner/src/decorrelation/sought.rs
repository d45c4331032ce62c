//! `(select …) in (select …)`: what is looked for is a column of the rows below, since the stock rules join the query that they
//! look in first, and find no columns of what is none yet.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::{InSubquery, SetComparison};
use datafusion::logical_expr::{Expr, LogicalPlan};

use crate::sql_extensions::subqueries;

/// The plan with such queries as columns.
pub(super) fn below(plan: LogicalPlan) -> Result<LogicalPlan> {
    let mut found = false;
    plan.apply_with_subqueries(|step| {
        found |= !sought(step)?.is_empty();
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if !found {
        return Ok(plan);
    }
    let moved = plan.transform_up_with_subqueries(|step| {
        let sought = sought(&step)?;
        match step {
            step @ (LogicalPlan::Projection(_) | LogicalPlan::Filter(_)) if !sought.is_empty() => {
                subqueries::below(step, &|expr| sought.contains(expr), "__sought")
            }
            step => Ok(Transformed::no(step)),
        }
    })?;
    Ok(moved.data)
}

/// The queries with columns of rows around them that stand in what is looked for in others.
fn sought(step: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut found = Vec::new();
    step.apply_expressions(|expr| {
        expr.apply(|part| {
            let (Expr::InSubquery(InSubquery { expr, .. }) | Expr::SetComparison(SetComparison { expr, .. })) = part
            else {
                return Ok(TreeNodeRecursion::Continue);
            };
            expr.apply(|part| {
                if matches!(part, Expr::ScalarSubquery(query) if !query.outer_ref_columns.is_empty()) {
                    found.push(part.clone());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(found)
}
