//! Joins with USING inside a subquery in FROM must not affect a `*` around it. The stock planner searches the whole plan below the `*`
//! for such joins, and drops columns that only have the name of a shared one
//! (<https://github.com/apache/datafusion/issues/14118>).

use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{JoinConstraint, Result};
use datafusion::logical_expr::{Join, LogicalPlan};

/// The plan of a subquery in FROM, with its joins marked so that the outer `*` ignores them.
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

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    /// When this fails the stock planner looks only at the joins of the query itself, and `closed` can go.
    #[tokio::test]
    async fn the_stock_planner_still_drops_columns_for_joins_inside_a_subquery() {
        let tables = "with l as (select 1 as a, 2 as b), r as (select 5 as c, 2 as b)";
        let query = format!("{tables} select * from (select l.*, r.* from l join r using (b))");
        let rows = SessionContext::new().sql(&query).await.unwrap();
        assert_eq!(rows.schema().fields().len(), 3, "the subquery has four columns");
    }
}
