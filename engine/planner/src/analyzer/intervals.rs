//! Compares intervals by their length. The stock comparison goes part by part, months before days before nanoseconds, so
//! that 25 hours are less than a day (<https://github.com/apache/datafusion/issues/8468>); and the difference of two times has
//! nanoseconds only.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, Case, InList, WindowFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, SortExpr};

use super::nullif::{null_where, repeatable_nullif};
use crate::node_rules::rewrite_expressions;
use quarry_functions::interval_length;

/// Runs when both operands of each comparison have one type.
pub(crate) fn compare_intervals_by_length(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let function = interval_length();
    let length = |expr: Box<Expr>| Box::new(function.call(vec![*expr]));
    let compared = rewrite_expressions(plan, |expr, schema| {
        let is_interval = |expr: &Expr| is_interval(expr, schema);
        Ok(match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right })
                if op.supports_propagation() && is_interval(&left) && is_interval(&right) =>
            {
                Transformed::yes(Expr::BinaryExpr(BinaryExpr { left: length(left), op, right: length(right) }))
            }
            Expr::Between(Between { expr, negated, low, high }) if is_interval(&expr) => {
                let (expr, low, high) = (length(expr), length(low), length(high));
                Transformed::yes(Expr::Between(Between { expr, negated, low, high }))
            }
            Expr::InList(InList { expr, list, negated }) if is_interval(&expr) => {
                let list = list.into_iter().map(|item| function.call(vec![item])).collect();
                Transformed::yes(Expr::InList(InList { expr: length(expr), list, negated }))
            }
            Expr::Case(Case { expr: Some(value), when_then_expr, else_expr })
                if is_interval(&value) && when_then_expr.iter().all(|(when, _)| is_interval(when)) =>
            {
                let when_then_expr = when_then_expr.into_iter().map(|(when, then)| (length(when), then)).collect();
                Transformed::yes(Expr::Case(Case { expr: Some(length(value)), when_then_expr, else_expr }))
            }
            Expr::WindowFunction(mut call) if window_keys(&call).any(is_interval) => {
                let params = &mut call.params;
                let partition_by = std::mem::take(&mut params.partition_by).into_iter();
                params.partition_by = partition_by.map(|key| length_of_interval(key, schema)).collect();
                // The bounds of a frame may be intervals that are added to the key.
                if params.window_frame.can_accept_multi_orderby() {
                    params.order_by = order_of_lengths(std::mem::take(&mut params.order_by), schema);
                }
                Transformed::yes(Expr::WindowFunction(call))
            }
            other => match repeatable_nullif(&other) {
                Some((value, compared)) if is_interval(value) && is_interval(compared) => {
                    let [value_length, other] = [value, compared].map(|interval| function.call(vec![interval.clone()]));
                    Transformed::yes(null_where(value_length.eq(other), value.clone(), schema)?)
                }
                _ => Transformed::no(other),
            },
        })
    })?;
    compared.transform_data(|plan| {
        Ok(match plan {
            LogicalPlan::Sort(mut sort) if sort.expr.iter().any(|key| is_interval(&key.expr, sort.input.schema())) => {
                sort.expr = order_of_lengths(sort.expr, sort.input.schema());
                Transformed::yes(LogicalPlan::Sort(sort))
            }
            other => Transformed::no(other),
        })
    })
}

fn window_keys(call: &WindowFunction) -> impl Iterator<Item = &Expr> {
    call.params.partition_by.iter().chain(call.params.order_by.iter().map(|key| &key.expr))
}

fn is_interval(expr: &Expr, schema: &DFSchema) -> bool {
    matches!(expr.get_type(schema), Ok(DataType::Interval(_)))
}

/// The length of an interval; anything else as it is.
fn length_of_interval(key: Expr, schema: &DFSchema) -> Expr {
    if is_interval(&key, schema) { interval_length().call(vec![key]) } else { key }
}

fn order_of_lengths(keys: Vec<SortExpr>, schema: &DFSchema) -> Vec<SortExpr> {
    keys.into_iter().map(|key| SortExpr { expr: length_of_interval(key.expr, schema), ..key }).collect()
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_comparison_still_goes_part_by_part() {
        let query = "select interval '25 hours' > interval '1 day'";
        assert_ne!(rows(1, &[query]).await, ["true"], "DataFusion is right now: `compare_intervals_by_length` can go");
    }
}
