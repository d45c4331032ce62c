//! Comparing intervals by their length. The stock comparison goes part by part, months before days before nanoseconds, so
//! that 25 hours are less than a day (<https://github.com/apache/datafusion/issues/8468>); and the difference of two times has nanoseconds only.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, InList};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, ScalarUDF};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::interval_length;
use quarry_functions::pass::every_part;

/// The pass over the plan; it runs when both sides of each comparison have one type.
#[derive(Debug)]
pub struct IntervalLengths;

impl AnalyzerRule for IntervalLengths {
    fn name(&self) -> &str {
        "interval_lengths"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let length = interval_length();
        every_part(plan, |expr, schema| Ok(rewrite(expr, schema, &length)))
    }
}

fn rewrite(expr: Expr, schema: &DFSchema, length: &ScalarUDF) -> Transformed<Expr> {
    let is_interval = |expr: &Expr| {
        expr.get_type(schema).is_ok_and(|data_type| matches!(data_type, arrow::datatypes::DataType::Interval(_)))
    };
    let length_of = |expr: Box<Expr>| Box::new(length.call(vec![*expr]));
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if op.supports_propagation() && is_interval(&left) && is_interval(&right) =>
        {
            Transformed::yes(Expr::BinaryExpr(BinaryExpr { left: length_of(left), op, right: length_of(right) }))
        }
        Expr::Between(Between { expr, negated, low, high }) if is_interval(&expr) => {
            let (expr, low, high) = (length_of(expr), length_of(low), length_of(high));
            Transformed::yes(Expr::Between(Between { expr, negated, low, high }))
        }
        Expr::InList(InList { expr, list, negated }) if is_interval(&expr) => {
            let list = list.into_iter().map(|item| *length_of(Box::new(item))).collect();
            Transformed::yes(Expr::InList(InList { expr: length_of(expr), list, negated }))
        }
        other => Transformed::no(other),
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_comparison_still_goes_part_by_part() {
        let query = "select interval '25 hours' > interval '1 day'";
        assert_ne!(rows(1, &[query]).await, ["true"], "DataFusion is right now: `IntervalLengths` can go");
    }
}
