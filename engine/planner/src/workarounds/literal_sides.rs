//! `a = 'x' AND 'x' = a` is one condition written twice. The stock rule that pushes conditions down takes two equalities
//! of a column that are not written the same way for a contradiction: `select * from t where a = 1 and 1 = a` has no
//! rows (<https://github.com/apache/datafusion/pull/24763>). It works on what it has put together itself, so each
//! condition is written column first right before every one of its steps.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{BinaryExpr, Expr, Filter, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// The stock rule with ours before each of its steps.
pub fn column_first(rule: Arc<dyn OptimizerRule + Send + Sync>) -> Arc<dyn OptimizerRule + Send + Sync> {
    Arc::new(ColumnFirst(rule))
}

#[derive(Debug)]
struct ColumnFirst(Arc<dyn OptimizerRule + Send + Sync>);

impl OptimizerRule for ColumnFirst {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.0.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        match plan {
            LogicalPlan::Filter(filter) => {
                let written = written(filter)?;
                let handed = self.0.rewrite(LogicalPlan::Filter(written.data), config)?;
                Ok(Transformed::new(handed.data, handed.transformed || written.transformed, handed.tnr))
            }
            plan => self.0.rewrite(plan, config),
        }
    }
}

/// The conditions of a filter, and of those right below it, which the rule takes together with it.
fn written(filter: Filter) -> Result<Transformed<Filter>> {
    let Filter { predicate, input, .. } = filter;
    let mut changed = false;
    let parts: Vec<Expr> = split_conjunction_owned(predicate)
        .into_iter()
        .map(|part| {
            let swapped = swapped(part);
            changed |= swapped.transformed;
            swapped.data
        })
        .collect();
    let input = match Arc::unwrap_or_clone(input) {
        LogicalPlan::Filter(below) => {
            let below = written(below)?;
            changed |= below.transformed;
            LogicalPlan::Filter(below.data)
        }
        other => other,
    };
    let predicate = conjunction(parts).unwrap_or_else(|| datafusion::logical_expr::lit(true));
    let filter = Filter::try_new(predicate, Arc::new(input))?;
    Ok(if changed { Transformed::yes(filter) } else { Transformed::no(filter) })
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
    use datafusion::logical_expr::{LogicalPlanBuilder, col, lit};
    use datafusion::optimizer::OptimizerContext;
    use datafusion::optimizer::push_down_filter::PushDownFilter;

    use super::*;

    fn twice() -> LogicalPlan {
        let rows = LogicalPlanBuilder::values(vec![vec![lit("a")], vec![lit("b")]]).unwrap();
        let twice = col("column1").eq(lit("a")).and(lit("a").eq(col("column1")));
        rows.filter(twice).unwrap().build().unwrap()
    }

    fn handed_down(rule: &dyn OptimizerRule) -> String {
        rule.rewrite(twice(), &OptimizerContext::new()).unwrap().data.display_indent().to_string()
    }

    /// When this fails the stock rule knows that both are one condition, and ours can go.
    #[test]
    fn the_stock_rule_still_takes_them_for_a_contradiction() {
        assert!(handed_down(&PushDownFilter::new()).contains("Boolean(false)"));
    }

    #[test]
    fn a_condition_written_both_ways_is_one() {
        let plan = handed_down(&ColumnFirst(Arc::new(PushDownFilter::new())));
        assert!(plan.contains("Filter: column1 = Utf8(\"a\")\n"), "{plan}");
    }
}
