//! Takes back what the stock planner believes of joins and what does not hold there:
//!
//! - A column that is the same in all rows of an input is not in the rows that an outer join fills up with null: a sort by
//!   it is needed still.
//! - Rows of the side that a hash join keeps in its table come anew for each row of the other, so that rows in order of the
//!   other side are not in order of this one where several rows of the other share a key of theirs.
//!
//! So nothing is said of inputs of the first kind, and of those of the second not how they are sorted.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::OrderingRequirements;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, ExecutionPlan, ExecutionPlanProperties, ReplaceChildrenOptions,
};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Sorts what is not said to be in the order that it must be in: when projections become part of a join, it may forget that
/// a column is the same in all rows of a part.
#[derive(Debug)]
pub struct SortsAnew;

impl PhysicalOptimizerRule for SortsAnew {
    fn name(&self) -> &str {
        "sorts_anew"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let sorted = plan.transform_up(|plan| {
            let mut missing = false;
            let inputs = plan.children().into_iter().zip(plan.required_input_ordering());
            let inputs = inputs.map(|(input, required)| {
                let Some(required) = required.map(OrderingRequirements::into_single) else {
                    return Ok(Arc::clone(input));
                };
                if input.equivalence_properties().ordering_satisfy_requirement(required.clone())? {
                    return Ok(Arc::clone(input));
                }
                missing = true;
                let in_parts = input.output_partitioning().partition_count() > 1;
                let sort = SortExec::new(required.into(), Arc::clone(input)).with_preserve_partitioning(in_parts);
                Ok(Arc::new(sort) as Arc<dyn ExecutionPlan>)
            });
            let inputs = inputs.collect::<Result<Vec<_>>>()?;
            if !missing {
                return Ok(Transformed::no(plan));
            }
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(inputs, options)?))
        })?;
        Ok(sorted.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Keeps from every join what would be said too much of its inputs.
#[derive(Debug)]
pub struct JoinsPromiseLess;

impl PhysicalOptimizerRule for JoinsPromiseLess {
    fn name(&self) -> &str {
        "joins_promise_less"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|plan| {
            let hashed = plan.downcast_ref::<HashJoinExec>().map(|join| *join.join_type());
            let kind = hashed.or_else(|| plan.downcast_ref::<NestedLoopJoinExec>().map(|join| *join.join_type()));
            let secrets = match kind {
                Some(JoinType::Left) => [None, Some(Hide::Values)],
                Some(JoinType::Right) => [Some(Hide::Values), None],
                Some(JoinType::Full) => [Some(Hide::Values); 2],
                Some(JoinType::Inner) if hashed.is_some() => [Some(Hide::Order), None],
                _ => return Ok(Transformed::no(plan)),
            };
            let inputs = plan.children().into_iter().zip(secrets);
            let inputs = inputs.map(|(input, secret)| match secret {
                None => Arc::clone(input),
                Some(secret) => PropertyBarrierExec::above(Arc::clone(input), secret),
            });
            let inputs = inputs.collect();
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(inputs, options)?))
        })?;
        Ok(hidden.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}
