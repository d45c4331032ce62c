//! Gives the inputs of a union the names of its columns.
//!
//! `propagate_empty_relation` of DataFusion 55 replaces a union by its only input with rows and looks there for the names of the
//! union, which only projections have: `select 1 as a where false union all (select 2 limit 1)` fails. No upstream issue
//! found as of 2026-11.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, Union};

/// Runs before the stock rule.
pub(crate) fn name_union_columns(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let mut union = match plan {
        LogicalPlan::Union(union) if union.inputs.iter().any(|input| !has_names(input, &union)) => union,
        plan => return Ok(Transformed::no(plan)),
    };
    let inputs = union.inputs.iter().map(|input| match has_names(input, &union) {
        true => Ok(Arc::clone(input)),
        false => named(input, &union).map(Arc::new),
    });
    union.inputs = inputs.collect::<Result<_>>()?;
    Ok(Transformed::yes(LogicalPlan::Union(union)))
}

fn has_names(input: &LogicalPlan, union: &Union) -> bool {
    let fields = input.schema().fields().iter().zip(union.schema.fields());
    fields.into_iter().all(|(field, named)| field.name() == named.name())
}

fn named(input: &Arc<LogicalPlan>, union: &Union) -> Result<LogicalPlan> {
    let columns = input.schema().iter().zip(union.schema.fields());
    let columns = columns.map(|(column, named)| Expr::Column(Column::from(column)).alias(named.name()));
    Projection::try_new(columns.collect(), Arc::clone(input)).map(LogicalPlan::Projection)
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_rule_still_looks_for_the_names_of_a_union() {
        let query = "select 1 as a where false union all (select 2 limit 1)";
        assert_ne!(rows(1, &[query]).await, ["2"], "DataFusion is right now: `name_union_columns` can go");
    }
}
