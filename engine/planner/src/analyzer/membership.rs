//! `x in (select …)` as `x = …` has it: text beside addresses and hashes, texts and integers beside 256-bit numbers.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, Operator, Subquery};

use super::binary::{Binary, binary};
use super::hex;

/// What the subquery's column is called while the two sides are compared: it may have the name of a column outside.
const LISTED: &str = "listed";

/// Brings the two sides to what the comparison of them takes.
pub(super) fn membership(asked: InSubquery, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = asked;
    let expr = hex::without_case(*expr, schema);
    let inner = Arc::clone(&subquery.subquery);
    let unchanged = |expr: Expr, subquery: Subquery| {
        Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr: Box::new(expr), subquery, negated })))
    };
    if inner.schema().fields().len() != 1 {
        return unchanged(expr, subquery);
    }
    let (qualifier, field) = inner.schema().qualified_field(0);
    let listed = Column::new(Some(LISTED), field.name());
    let own = DFSchema::new_with_metadata(
        vec![(Some(TableReference::bare(LISTED)), Arc::clone(field))],
        std::collections::HashMap::new(),
    )?;
    let both = schema.join(&own)?;
    let Binary::Sides(left, right) = binary(expr.clone(), Operator::Eq, Expr::Column(listed.clone()), &both)? else {
        return unchanged(expr, subquery);
    };
    if right == Expr::Column(listed.clone()) {
        return unchanged(left, subquery);
    }
    let from = Column::from((qualifier, field));
    let name = field.name().clone();
    let right = replaced(right, &listed, &from)?.alias(name);
    let plan = LogicalPlanBuilder::from(inner.as_ref().clone()).project(vec![right])?.build()?;
    unchanged(left, subquery.with_plan(Arc::new(plan)))
}

fn replaced(expr: Expr, column: &Column, by: &Column) -> Result<Expr> {
    use datafusion::common::tree_node::TreeNode;
    let done = expr.transform(|part| {
        Ok(match &part {
            Expr::Column(one) if one == column => Transformed::yes(Expr::Column(by.clone())),
            _ => Transformed::no(part),
        })
    })?;
    Ok(done.data)
}
