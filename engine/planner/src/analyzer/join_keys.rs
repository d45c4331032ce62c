//! Keys of joins without an `=` in the query (USING, NATURAL, INTERSECT, EXCEPT), coerced like the operands of `=`.

use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, Join, LogicalPlan, Operator};

use super::binary::{Binary, binary};

pub(super) fn coerce_join_keys(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Join(mut join) = plan else { return Ok(plan) };
    // The sides of set operations have no columns of the same name; with others there is no schema of both sides.
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
