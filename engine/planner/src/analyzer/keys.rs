//! Keys of joins that nobody wrote an `=` for (USING, NATURAL, INTERSECT, EXCEPT), compared as one that is written would be.

use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, Join, LogicalPlan, Operator};

use super::binary::{Binary, binary};

/// A join with the two sides of each key as a comparison takes them.
pub(super) fn compared(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Join(mut join) = plan else { return Ok(plan) };
    // Sides with columns of one name can't be told apart here; the planner gives those of set operations other names.
    if let Ok(schema) = join.left.schema().join(join.right.schema()) {
        join.on = keys(&join, &schema)?;
    }
    Ok(LogicalPlan::Join(join))
}

fn keys(join: &Join, schema: &DFSchema) -> Result<Vec<(Expr, Expr)>> {
    let key = |(left, right): &(Expr, Expr)| {
        Ok(match binary(left.clone(), Operator::Eq, right.clone(), schema)? {
            Binary::Sides(left, right) => (left, right),
            Binary::Whole(_) => (left.clone(), right.clone()),
        })
    };
    join.on.iter().map(key).collect()
}
