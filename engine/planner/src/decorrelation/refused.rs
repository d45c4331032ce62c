//! Why a query inside of another is not asked for all rows at once.

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Aggregate, Expr, Join, JoinType, LogicalPlan};

use super::domain::changes;
use super::is_correlated;
use quarry_types::invalid;

/// Says what of the query has no form for all rows at once; nothing where that is told elsewhere.
pub(super) fn inside<T>(asked: &LogicalPlan) -> Result<Option<T>> {
    let mut why = None;
    asked.apply(|step| {
        if !is_correlated(step)? {
            return Ok(TreeNodeRecursion::Jump);
        }
        why = match step {
            LogicalPlan::Join(Join { join_type: JoinType::Full, .. }) => Some("FULL JOIN"),
            LogicalPlan::Aggregate(Aggregate { group_expr, .. })
                if group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_))) =>
            {
                Some("ROLLUP, CUBE and GROUPING SETS")
            }
            LogicalPlan::RecursiveQuery(_) => Some("WITH RECURSIVE"),
            _ => return Ok(TreeNodeRecursion::Continue),
        };
        Ok(TreeNodeRecursion::Stop)
    })?;
    match why {
        Some(step) => Err(invalid(format!(
            "{step} can't stand above columns of the rows around a query; let it group or join all rows and compare above."
        ))),
        None => Ok(None),
    }
}

/// Says that the rows around a query are others each time.
pub(super) fn around<T>(rows: &LogicalPlan) -> Result<Option<T>> {
    if !changes(rows)? {
        return Ok(None);
    }
    Err(invalid(
        "A query can't ask for columns of rows around it that chance makes, as random() and uuid() do: they would be others \
         each time.",
    ))
}
