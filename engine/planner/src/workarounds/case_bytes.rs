//! `CASE address WHEN 0x01… THEN 'a' WHEN 0x02… THEN 'b' END` over fixed-width bytes. The stock operator panics when it
//! builds its lookup table for them, which <https://github.com/apache/datafusion/pull/18183> added, so they are compared
//! as variable-width bytes. No upstream issue found as of 2026-11.

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast};

use crate::node_rules::rewrite_expressions;

/// Runs when types are known.
pub(crate) fn cast_case_bytes(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |part, schema| match part {
        Expr::Case(Case { expr: Some(value), when_then_expr, else_expr })
            if matches!(value.get_type(schema), Ok(DataType::FixedSizeBinary(_))) =>
        {
            let variable = |expr: Box<Expr>| Box::new(cast(*expr, DataType::Binary));
            let branches = when_then_expr.into_iter().map(|(when, then)| (variable(when), then)).collect();
            let case = Case { expr: Some(variable(value)), when_then_expr: branches, else_expr };
            Ok(Transformed::yes(Expr::Case(case)))
        }
        other => Ok(Transformed::no(other)),
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::physical_expr::PhysicalExpr;
    use datafusion::physical_expr::expressions::{CaseExpr, Column, lit};
    use datafusion::scalar::ScalarValue;

    /// When this fails the stock operator takes such values, and `cast_case_bytes` can go.
    #[test]
    fn the_stock_operator_still_panics_over_bytes_of_a_fixed_width() {
        let schema = Schema::new(vec![Field::new("a", DataType::FixedSizeBinary(1), true)]);
        let byte = |byte: u8| lit(ScalarValue::FixedSizeBinary(1, Some(vec![byte])));
        let value: Arc<dyn PhysicalExpr> = Arc::new(Column::new_with_schema("a", &schema).unwrap());
        let cases = vec![(byte(1), lit("one")), (byte(2), lit("two"))];
        let made = catch_unwind(AssertUnwindSafe(|| CaseExpr::try_new(Some(value), cases, None).is_ok()));
        assert!(made.is_err());
    }
}
