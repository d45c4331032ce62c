//! `(select …) in (select …)`: the operand becomes a column of the rows below if one of the queries is correlated. The stock rules
//! join the subquery on the right first, and find no column for the operand.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::logical_expr::expr::{InSubquery, SetComparison};
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery};

use crate::sql_extensions::mark_joins::project_below;
use crate::subqueries::any_node;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// The plan with such operands as columns.
pub(super) fn project_operands(plan: LogicalPlan) -> Result<LogicalPlan> {
    if !any_node(&plan, |node| Ok(!operands_to_project(node)?.is_empty()))? {
        return Ok(plan);
    }
    let moved = plan.transform_deep_up(|node| {
        let operands = operands_to_project(&node)?;
        match node {
            node @ (LogicalPlan::Projection(_) | LogicalPlan::Filter(_)) if !operands.is_empty() => {
                project_below(node, &|expr| operands.contains(expr), "__in_operand")
            }
            node => Ok(Transformed::no(node)),
        }
    })?;
    Ok(moved.data)
}

/// The scalar subqueries in the operands of other subqueries, if one of both is correlated.
fn operands_to_project(node: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut found = Vec::new();
    node.apply_exprs(|expr| {
        expr.apply(|part| {
            let (Expr::InSubquery(InSubquery { expr, subquery, .. })
            | Expr::SetComparison(SetComparison { expr, subquery, .. })) = part
            else {
                return Ok(TreeNodeRecursion::Continue);
            };
            let is_correlated = |query: &Subquery| !query.outer_ref_columns.is_empty();
            expr.apply(|part| {
                if matches!(part, Expr::ScalarSubquery(query) if is_correlated(query) || is_correlated(subquery)) {
                    found.push(part.clone());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(found)
}
