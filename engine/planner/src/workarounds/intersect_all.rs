//! `INTERSECT ALL` and `EXCEPT ALL` count duplicates: a row comes as often as both sides have it, or as often as the left side
//! has it more. DataFusion only checks whether the right side has such a row
//! (<https://github.com/apache/datafusion/issues/12955>, <https://github.com/apache/datafusion/issues/12956>). It plans
//! them as semi and anti joins by all columns, in which null equals null; the SQL planner makes no other joins like that. Here the
//! duplicates of each row are numbered on both sides, and the number is one more key.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, NullEquality, Result};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::{
    Distinct, ExprFunctionExt, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Projection, col,
};

use crate::subqueries::all_columns;

/// Names of the columns with the numbers.
const LEFT_NUMBER: &str = "__left_duplicate";
const RIGHT_NUMBER: &str = "__right_duplicate";

/// Runs first in the analyzer, before other joins look like these.
pub(crate) fn number_duplicates(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Join(join) if is_set_operation(&join) => with_numbers(join).map(Transformed::yes),
        plan => Ok(Transformed::no(plan)),
    }
}

/// Whether a join is INTERSECT ALL or EXCEPT ALL. Without duplicates on the left side the stock join is right: those of INTERSECT and
/// EXCEPT are joins of distinct rows. The rows of DISTINCT ON may have duplicates.
fn is_set_operation(join: &Join) -> bool {
    matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti)
        && join.null_equality == NullEquality::NullEqualsNull
        && join.filter.is_none()
        && !matches!(join.left.as_ref(), LogicalPlan::Distinct(Distinct::All(_)))
}

fn with_numbers(join: Join) -> Result<LogicalPlan> {
    let columns = all_columns(join.left.schema());
    // Rows with numbers are distinct; this makes one number of `0.0` and `-0.0`, as INTERSECT does.
    let left = LogicalPlan::Distinct(Distinct::All(Arc::new(numbered(&join.left, LEFT_NUMBER)?)));
    let right = numbered(&join.right, RIGHT_NUMBER)?;
    let mut on = join.on;
    on.push((col(Column::from_name(LEFT_NUMBER)), col(Column::from_name(RIGHT_NUMBER))));
    let joined = Join::try_new(
        Arc::new(left),
        Arc::new(right),
        on,
        None,
        join.join_type,
        join.join_constraint,
        join.null_equality,
        join.null_aware,
    )?;
    Projection::try_new(columns, Arc::new(LogicalPlan::Join(joined))).map(LogicalPlan::Projection)
}

/// The rows with a last column that numbers the duplicates of each.
fn numbered(plan: &Arc<LogicalPlan>, name: &str) -> Result<LogicalPlan> {
    let columns = all_columns(plan.schema());
    let number = row_number().partition_by(columns.clone()).build()?;
    let column = col(Column::from_name(number.schema_name().to_string())).alias(name);
    let numbered = LogicalPlanBuilder::window_plan(plan.as_ref().clone(), [number])?;
    LogicalPlanBuilder::from(numbered).project(columns.into_iter().chain([column]))?.build()
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn stock_set_operations_still_do_not_count_duplicates() {
        let query = "select x from (values (1), (1), (1)) a(x) intersect all select y from (values (1), (1)) b(y)";
        assert_ne!(rows(1, &[query]).await, ["1", "1"], "DataFusion is right now: INTERSECT ALL needs no numbers");
        let query = "select x from (values (1), (1), (1)) a(x) except all select y from (values (1), (1)) b(y)";
        assert_ne!(rows(1, &[query]).await, ["1"], "DataFusion is right now: EXCEPT ALL needs no numbers");
    }
}
