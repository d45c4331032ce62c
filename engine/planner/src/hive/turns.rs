//! `LIMIT` over `UNION ALL` takes rows of the parts in turn: the first of each, the second of each. Any rows would do, but
//! these are the same in every run, however fast the parts are read.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::{Expr, FetchType, Limit, LogicalPlan, LogicalPlanBuilder, SkipType, Union, col, lit};
use datafusion::optimizer::AnalyzerRule;

/// Columns of the place of a row in its part, and of its part.
const TURN: &str = "__turn";
const PART: &str = "__part";
/// With a larger limit nobody looks at which rows they are.
const MOST: usize = 10_000;

#[derive(Debug)]
pub struct InTurn;

impl AnalyzerRule for InTurn {
    fn name(&self) -> &str {
        "hive_turns"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| {
            let LogicalPlan::Limit(limit) = &plan else { return Ok(Transformed::no(plan)) };
            let LogicalPlan::Union(union) = limit.input.as_ref() else { return Ok(Transformed::no(plan)) };
            let (SkipType::Literal(skip), FetchType::Literal(Some(fetch))) =
                (limit.get_skip_type()?, limit.get_fetch_type()?)
            else {
                return Ok(Transformed::no(plan));
            };
            let most = skip.saturating_add(fetch);
            if most > MOST {
                return Ok(Transformed::no(plan));
            }
            let input = Arc::new(in_turn(union, most)?);
            Ok(Transformed::yes(LogicalPlan::Limit(Limit { input, ..limit.clone() })))
        })
        .map(|done| done.data)
    }
}

/// The first rows of the parts, ordered by their places.
fn in_turn(union: &Union, most: usize) -> Result<LogicalPlan> {
    let names: Vec<&String> = union.schema.fields().iter().map(|field| field.name()).collect();
    let mut parts = Vec::new();
    for (at, part) in union.inputs.iter().enumerate() {
        let first = LogicalPlanBuilder::from(Arc::clone(part)).limit(0, Some(most))?.build()?;
        let turn = row_number();
        let place = col(Column::from_name(turn.schema_name().to_string())).alias(TURN);
        let columns = first.schema().columns().into_iter().map(Expr::Column).zip(&names);
        let columns: Vec<Expr> = columns.map(|(column, name)| column.alias(name.as_str())).collect();
        let placed = LogicalPlanBuilder::window_plan(first, [turn])?;
        let columns = columns.into_iter().chain([place, lit(at as i64).alias(PART)]);
        parts.push(Arc::new(LogicalPlanBuilder::from(placed).project(columns)?.build()?));
    }
    let all = LogicalPlan::Union(Union::try_new_with_loose_types(parts)?);
    let shown: Vec<Expr> = names.into_iter().map(|name| col(Column::from_name(name))).collect();
    let order = [TURN, PART].map(|name| col(Column::from_name(name)).sort(true, true));
    LogicalPlanBuilder::from(all).sort(order)?.project(shown)?.build()
}
