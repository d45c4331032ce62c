//! Compares intervals by their length. The stock comparison goes part by part, months before days before nanoseconds, so
//! that 25 hours are less than a day (<https://github.com/apache/datafusion/issues/8468>); and the difference of two times has
//! nanoseconds only.

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::{Between, InList};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan};

use crate::node_rules::rewrite_expressions;
use quarry_functions::interval_length;

/// Runs when both operands of each comparison have one type.
pub(crate) fn compare_intervals_by_length(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let function = interval_length();
    let length = |expr: Box<Expr>| Box::new(function.call(vec![*expr]));
    rewrite_expressions(plan, |expr, schema| {
        let is_interval = |expr: &Expr| matches!(expr.get_type(schema), Ok(DataType::Interval(_)));
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
            other => Transformed::no(other),
        })
    })
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
