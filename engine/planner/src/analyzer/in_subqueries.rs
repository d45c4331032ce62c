//! `x in (select …)` and `x > any (select …)`, coerced like `x = …` and `x > …`: text beside addresses and hashes, texts and
//! integers beside 256-bit numbers, JSON beside texts and numbers.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::logical_expr::expr::{InSubquery, SetComparison};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, Operator, Subquery};

use super::binary::{Binary, binary};
use super::hex;
use quarry_functions::tree_walk::TreeWalk;

/// Qualifier of the subquery's column while the operands are coerced: outside there may be a column of the same name.
const INNER: &str = "inner";

pub(super) fn coerce_in_subquery(expr: InSubquery, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = expr;
    let (expr, subquery) = coerce_beside_rows(*expr, Operator::Eq, subquery, schema)?;
    Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr: Box::new(expr), subquery, negated })))
}

pub(super) fn coerce_set_comparison(expr: SetComparison, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let SetComparison { expr, subquery, op, quantifier } = expr;
    let (expr, subquery) = coerce_beside_rows(*expr, op, subquery, schema)?;
    Ok(Transformed::yes(Expr::SetComparison(SetComparison { expr: Box::new(expr), subquery, op, quantifier })))
}

/// A value and the rows of one column that it is compared with.
fn coerce_beside_rows(
    expr: Expr,
    operator: Operator,
    subquery: Subquery,
    schema: &DFSchema,
) -> Result<(Expr, Subquery)> {
    let expr = hex::strip_case(expr, schema);
    let inner = Arc::clone(&subquery.subquery);
    if inner.schema().fields().len() != 1 {
        return Ok((expr, subquery));
    }
    let (qualifier, field) = inner.schema().qualified_field(0);
    let column = Column::new(Some(INNER), field.name());
    let own = DFSchema::new_with_metadata(
        vec![(Some(TableReference::bare(INNER)), Arc::clone(field))],
        std::collections::HashMap::new(),
    )?;
    let both = schema.join(&own)?;
    let Binary::Sides(left, right) = binary(expr.clone(), operator, Expr::Column(column.clone()), &both)? else {
        return Ok((expr, subquery));
    };
    if right == Expr::Column(column.clone()) {
        return Ok((left, subquery));
    }
    let from = Column::from((qualifier, field));
    let name = field.name().clone();
    let right = replaced(right, &column, &from)?.alias(name);
    let plan = LogicalPlanBuilder::from(inner.as_ref().clone()).project(vec![right])?.build()?;
    Ok((left, subquery.with_plan(Arc::new(plan))))
}

fn replaced(expr: Expr, column: &Column, by: &Column) -> Result<Expr> {
    let done = expr.transform_up(|part| {
        Ok(match &part {
            Expr::Column(one) if one == column => Transformed::yes(Expr::Column(by.clone())),
            _ => Transformed::no(part),
        })
    })?;
    Ok(done.data)
}
