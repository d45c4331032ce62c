//! Gives the right side of a mark join a column that stays.
//!
//! `optimize_projections` of DataFusion 55 keeps the first column of the right side for the name of the mark, but `eliminate_join`
//! drops a join that this column comes from. Then there is no column, and planning panics: `select x from (values (1)) t(x)
//! where x = 1 or exists (select b.z from (values (2)) a(y) left join (values (3)) b(z) on true)`. No upstream issue found
//! as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, Join, JoinType, LogicalPlan, LogicalPlanBuilder, lit};

use crate::subqueries::table_of;

/// Runs before the stock rule that drops joins.
pub(crate) fn keep_mark_join_columns(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let join = match plan {
        LogicalPlan::Join(join) if join.join_type == JoinType::LeftMark && !needs_right_columns(&join) => join,
        plan => return Ok(Transformed::no(plan)),
    };
    if is_constant(&join.right) {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let row = lit(true).alias_qualified(table_of(join.right.schema()), "__row");
    let right = LogicalPlanBuilder::from(Arc::clone(&join.right)).project([row])?.build()?;
    Ok(Transformed::yes(LogicalPlan::Join(Join { right: Arc::new(right), ..join })))
}

/// Whether the condition of a join reads a column of its right side.
fn needs_right_columns(join: &Join) -> bool {
    let right = join.right.schema();
    let in_filter = |filter: &Expr| filter.column_refs().into_iter().any(|column| right.has_column(column));
    !join.on.is_empty() || join.filter.as_ref().is_some_and(in_filter)
}

/// Whether the only column of a plan is a constant.
fn is_constant(plan: &LogicalPlan) -> bool {
    let LogicalPlan::Projection(projection) = plan else { return false };
    matches!(projection.expr.as_slice(), [Expr::Alias(alias)] if matches!(*alias.expr, Expr::Literal(..)))
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;

    use futures::FutureExt;

    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn a_stock_mark_join_still_loses_its_column() {
        let query = "select x from (values (1)) t(x) \
            where x = 1 or exists (select b.z from (values (2)) a(y) left join (values (3)) b(z) on true)";
        let answer = AssertUnwindSafe(rows(1, &[query])).catch_unwind().await;
        let is_right = answer.is_ok_and(|rows| rows == ["1"]);
        assert!(!is_right, "DataFusion is right now: `keep_mark_join_columns` can go");
    }
}
