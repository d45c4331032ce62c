//! `a = 'x' AND 'x' = a` is one condition written twice. The stock rule that pushes filters down takes two equalities
//! of a column that are not written the same way for a contradiction: `select * from t where a = 1 and 1 = a` has no
//! rows (<https://github.com/apache/datafusion/pull/24763>). It combines filters while it walks the plan, so each comparison is
//! written with the column first right before the rule looks at a node.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNodeContainer};
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{BinaryExpr, Expr, Filter, LogicalPlan, lit};
use datafusion::optimizer::OptimizerConfig;

use crate::node_rules::{LogicalRule, WrappedLogicalRule};

/// The stock rule with comparisons of every filter written with the column first.
pub(crate) fn column_first(stock: LogicalRule) -> LogicalRule {
    Arc::new(WrappedLogicalRule { stock, rewrite })
}

fn rewrite(stock: &LogicalRule, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Filter(filter) => {
            swap_comparisons(filter)?.transform_data(|filter| stock.rewrite(LogicalPlan::Filter(filter), config))
        }
        plan => stock.rewrite(plan, config),
    }
}

/// The predicates of a filter and of the filters right below it, which the rule combines with it.
fn swap_comparisons(filter: Filter) -> Result<Transformed<Filter>> {
    let Filter { predicate, input, .. } = filter;
    let parts = split_conjunction_owned(predicate).map_elements(|part| Ok(swapped(part)))?;
    let input = match Arc::unwrap_or_clone(input) {
        LogicalPlan::Filter(below) => swap_comparisons(below)?.update_data(LogicalPlan::Filter),
        other => Transformed::no(other),
    };
    let predicate = conjunction(parts.data).unwrap_or_else(|| lit(true));
    let filter = Filter::try_new(predicate, Arc::new(input.data))?;
    Ok(Transformed::new_transformed(filter, parts.transformed || input.transformed))
}

fn swapped(part: Expr) -> Transformed<Expr> {
    match part {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if matches!((left.as_ref(), right.as_ref()), (Expr::Literal(..), Expr::Column(_))) =>
        {
            match op.swap() {
                Some(op) => Transformed::yes(Expr::BinaryExpr(BinaryExpr { left: right, op, right: left })),
                None => Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right })),
            }
        }
        part => Transformed::no(part),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::logical_expr::{LogicalPlanBuilder, col};
    use datafusion::optimizer::OptimizerContext;
    use datafusion::optimizer::push_down_filter::PushDownFilter;

    use datafusion::optimizer::OptimizerRule;

    use super::*;

    fn twice() -> LogicalPlan {
        let rows = LogicalPlanBuilder::values(vec![vec![lit("a")], vec![lit("b")]]).unwrap();
        let twice = col("column1").eq(lit("a")).and(lit("a").eq(col("column1")));
        rows.filter(twice).unwrap().build().unwrap()
    }

    fn pushed_down(rule: &dyn OptimizerRule) -> String {
        rule.rewrite(twice(), &OptimizerContext::new()).unwrap().data.display_indent().to_string()
    }

    /// When this fails the stock rule takes both for one comparison, and `column_first` can go.
    #[test]
    fn the_stock_rule_still_takes_them_for_a_contradiction() {
        assert!(pushed_down(&PushDownFilter::new()).contains("Boolean(false)"));
    }

    #[test]
    fn a_comparison_written_both_ways_is_one() {
        let plan = pushed_down(column_first(Arc::new(PushDownFilter::new())).as_ref());
        assert!(plan.contains("Filter: column1 = Utf8(\"a\")\n"), "{plan}");
    }
}
