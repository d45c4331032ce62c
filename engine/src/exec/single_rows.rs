//! Optimizer step: a condition without columns above an aggregate that answers a row for no rows too, as in `having (select …) < 0`
//! over totals. The stock rule hands it down to the rows that are aggregated, and the row of nothing stays.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{Expr, Filter, LogicalPlan, lit};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use crate::functions::apart;

/// Ties such a condition to a column of what is aggregated, before the stock rule sees it.
#[derive(Debug)]
pub(super) struct SingleRows;

impl OptimizerRule for SingleRows {
    fn name(&self) -> &str {
        "single_rows"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Filter(Filter { predicate, input, .. }) = &plan else { return Ok(Transformed::no(plan)) };
        let free = |part: &&Expr| part.column_refs().is_empty() && !matches!(part, Expr::Literal(..));
        if !split_conjunction(predicate).iter().any(free) || !answers_for_nothing(input) {
            return Ok(Transformed::no(plan));
        }
        // The last column is what an aggregate answers, which is no key of a group.
        let Some(column) = input.schema().columns().pop() else { return Ok(Transformed::no(plan)) };
        let tied = split_conjunction(predicate).into_iter().map(|part| match free(&part) {
            true => apart().call(vec![part.clone(), Expr::Column(column.clone())]),
            false => part.clone(),
        });
        let predicate = conjunction(tied).unwrap_or_else(|| lit(true));
        Ok(Transformed::yes(LogicalPlan::Filter(Filter::try_new(predicate, Arc::clone(input))?)))
    }
}

/// Whether a plan may have a row where what it reads has none.
fn answers_for_nothing(plan: &LogicalPlan) -> bool {
    let single = |plan: &LogicalPlan| match plan {
        LogicalPlan::Aggregate(all) => {
            all.group_expr.is_empty() || all.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)))
        }
        _ => false,
    };
    plan.exists(|plan| Ok(single(plan))).unwrap_or(false)
}
