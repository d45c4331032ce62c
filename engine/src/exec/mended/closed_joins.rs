//! What a query in FROM joins with USING is its own affair. The stock planner looks for such joins in the whole plan below a `*`,
//! those inside of queries too, and leaves columns out that only look as if they were shared.

use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{JoinConstraint, Result};
use datafusion::logical_expr::{Join, LogicalPlan};

/// The plan of a query in FROM, whose joins share no columns with what is around it.
pub(super) fn closed(plan: LogicalPlan) -> Result<LogicalPlan> {
    if plan.using_columns()?.is_empty() {
        return Ok(plan);
    }
    let done = plan.transform_up_with_subqueries(|step| {
        Ok(match step {
            LogicalPlan::Join(join) if join.join_constraint == JoinConstraint::Using => {
                Transformed::yes(LogicalPlan::Join(Join { join_constraint: JoinConstraint::On, ..join }))
            }
            step => Transformed::no(step),
        })
    });
    done.data()
}
