//! `LIMIT` over `UNION ALL` takes rows of the inputs in turn: the first of each, the second of each. Any rows would be right, but
//! these are the same in every run, however fast the inputs are read.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::{Expr, FetchType, Limit, LogicalPlan, LogicalPlanBuilder, SkipType, Union, col, lit};

use super::MAX_ORDERED_ROWS;

/// Names of the columns of the number of a row in its input, and of the index of the input.
const NUMBER: &str = "__number";
const INPUT: &str = "__input";

pub(crate) fn interleave_union_rows(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Limit(limit) = &plan else { return Ok(Transformed::no(plan)) };
    let LogicalPlan::Union(union) = limit.input.as_ref() else { return Ok(Transformed::no(plan)) };
    let (SkipType::Literal(skip), FetchType::Literal(Some(fetch))) = (limit.get_skip_type()?, limit.get_fetch_type()?)
    else {
        return Ok(Transformed::no(plan));
    };
    let rows = skip.saturating_add(fetch);
    if rows > MAX_ORDERED_ROWS {
        return Ok(Transformed::no(plan));
    }
    let input = Arc::new(interleaved(union, rows)?);
    Ok(Transformed::yes(LogicalPlan::Limit(Limit { input, ..limit.clone() })))
}

/// The first rows of the inputs, sorted by their numbers.
fn interleaved(union: &Union, rows: usize) -> Result<LogicalPlan> {
    let names: Vec<&String> = union.schema.fields().iter().map(|field| field.name()).collect();
    let mut inputs = Vec::new();
    for (index, input) in union.inputs.iter().enumerate() {
        let first = LogicalPlanBuilder::from(Arc::clone(input)).limit(0, Some(rows))?.build()?;
        let function = row_number();
        let number = col(Column::from_name(function.schema_name().to_string())).alias(NUMBER);
        let columns = first.schema().columns().into_iter().map(Expr::Column).zip(&names);
        let columns: Vec<Expr> = columns.map(|(column, name)| column.alias(name.as_str())).collect();
        let numbered = LogicalPlanBuilder::window_plan(first, [function])?;
        let columns = columns.into_iter().chain([number, lit(index as i64).alias(INPUT)]);
        inputs.push(Arc::new(LogicalPlanBuilder::from(numbered).project(columns)?.build()?));
    }
    let all = LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?);
    let columns: Vec<Expr> = names.into_iter().map(|name| col(Column::from_name(name))).collect();
    let order = [NUMBER, INPUT].map(|name| col(Column::from_name(name)).sort(true, true));
    LogicalPlanBuilder::from(all).sort(order)?.project(columns)?.build()
}
