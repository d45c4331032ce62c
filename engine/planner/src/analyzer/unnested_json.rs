//! Marks unnested items of JSON as JSON: the stock planner drops the metadata of list items, so that a text among them
//! would keep its quotes when it is cast.

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, Projection};

use super::literal;
use quarry_functions::json::is_json_list;
use quarry_functions::tree_walk::TreeWalk;
use quarry_functions::{CAST_AS, JSON_ITEMS, as_json};
use quarry_types::byte_columns::is_text;

/// Name of the type of a list of JSON.
const JSON_LIST_TYPE: &str = "ARRAY<JSON>";

/// A projection above an unnesting, with its items of JSON marked.
pub(super) fn mark_json_items(plan: LogicalPlan) -> Result<LogicalPlan> {
    let items = json_items(&plan);
    let LogicalPlan::Projection(projection) = plan else { return Ok(plan) };
    if items.is_empty() {
        return Ok(LogicalPlan::Projection(projection));
    }
    let names = NamePreserver::new_for_projection();
    let mark = |expr: Expr| {
        let name = names.save(&expr);
        let marked = expr.transform_down(|part| match part {
            Expr::Column(column) if items.contains(&column) => {
                let call = as_json().call(vec![Expr::Column(column)]);
                Ok(Transformed::new(call, true, TreeNodeRecursion::Jump))
            }
            // Already marked.
            Expr::ScalarFunction(ref call) if call.func == as_json() => {
                Ok(Transformed::new(part, false, TreeNodeRecursion::Jump))
            }
            other => Ok(Transformed::no(other)),
        })?;
        Ok(name.restore(marked.data))
    };
    let expr = projection.expr.into_iter().map(mark).collect::<Result<Vec<_>>>()?;
    Ok(LogicalPlan::Projection(Projection::try_new(expr, projection.input)?))
}

/// The columns of an unnesting below a projection that are items of JSON.
fn json_items(plan: &LogicalPlan) -> Vec<Column> {
    let LogicalPlan::Projection(projection) = plan else { return Vec::new() };
    let LogicalPlan::Unnest(unnest) = projection.input.as_ref() else { return Vec::new() };
    let LogicalPlan::Projection(lists) = unnest.input.as_ref() else { return Vec::new() };
    let items = unnest.list_type_columns.iter().filter(|(index, list)| {
        list.depth == 1 && lists.expr.get(*index).is_some_and(|expr| is_list_of_json(expr, lists.input.schema()))
    });
    items.map(|(_, list)| list.output_column.clone()).collect()
}

/// Whether an expression is a list of JSON.
pub(super) fn is_list_of_json(list: &Expr, schema: &DFSchema) -> bool {
    match list {
        Expr::Alias(alias) => is_list_of_json(&alias.expr, schema),
        Expr::Column(_) => list.to_field(schema).is_ok_and(|(_, field)| is_json_list(&field)),
        Expr::ScalarFunction(ScalarFunction { func, args }) => match (func.name(), args.as_slice()) {
            (JSON_ITEMS, [json]) => json.get_type(schema).is_ok_and(|from| is_text(&from)),
            (CAST_AS, [_, to]) => literal::text(to) == Some(JSON_LIST_TYPE),
            _ => false,
        },
        _ => false,
    }
}
