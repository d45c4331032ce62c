//! Keeps limits where they stand.
//!
//! - What joins find out while they run stays away from inputs that have a limit: the first 100 rows of a table stay its
//!   first 100 rows, whichever of them have a partner.
//! - Rows that a limit leaves out before all others are the first ones of its order: nothing below forgets the order.
//! - A sort with a limit that is left out, since a window below it has its rows in order already, leaves its limit behind.
//! - A scan that is in order stays in order: the stock rule that hands limits down tells it that any rows will do, also
//!   where a sort above was left out because of its order, and it then leaves row groups out that match in part only.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_expr::{Distribution, OrderingRequirements};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::output_requirements::OutputRequirementExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

/// Asks for the order below a limit that leaves rows out, and repeats the limit of a sort above it: the stock rule that
/// takes sorts out hands their limit down to the scan, which knows nothing of it.
#[derive(Debug)]
pub struct LimitsStay;

impl PhysicalOptimizerRule for LimitsStay {
    fn name(&self) -> &str {
        "limits_stay"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| {
            if let Some(limit) = plan.downcast_ref::<GlobalLimitExec>()
                && limit.fetch().is_none()
                && let Some(ordered) = in_order(limit.input())?
            {
                let limit = GlobalLimitExec::new(ordered, limit.skip(), None);
                return Ok(Transformed::yes(Arc::new(limit) as Arc<dyn ExecutionPlan>));
            }
            let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(Transformed::no(plan)) };
            let Some(fetch) = sort.fetch().filter(|_| plan.output_partitioning().partition_count() == 1) else {
                return Ok(Transformed::no(plan));
            };
            // Where the rows are in order already the stock rule hands the limit down through windows, which need all rows.
            let sorted = match has_window(sort.input()) {
                true => Arc::new(sort.with_fetch(None)) as Arc<dyn ExecutionPlan>,
                false => Arc::clone(&plan),
            };
            Ok(Transformed::yes(Arc::new(GlobalLimitExec::new(sorted, 0, Some(fetch))) as Arc<dyn ExecutionPlan>))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a window function is computed somewhere below.
fn has_window(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let window = plan.is::<WindowAggExec>() || plan.is::<BoundedWindowAggExec>();
    window || plan.children().into_iter().any(has_window)
}

/// A plan that asks for its rows in the order of the sort in it; a projection above the sort may have left the keys out.
fn in_order(plan: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        let order = Some(OrderingRequirements::from(sort.expr().clone()));
        let ordered = OutputRequirementExec::new(Arc::clone(plan), order, Distribution::SinglePartition, None);
        return Ok(Some(Arc::new(ordered)));
    }
    let [input] = plan.children()[..] else { return Ok(None) };
    if !plan.is::<ProjectionExec>() {
        return Ok(None);
    }
    in_order(input)?.map(|input| replace_children_if_necessary(Arc::clone(plan), vec![input])).transpose()
}

/// Repeats the limit of a node above it. A scan that has taken a limit over takes filters too, and then counts only the
/// rows that pass them; no filter goes through a limit that stands by itself. A scan keeps the order that it is said to
/// have: what is above it may count on it.
#[derive(Debug)]
pub struct LimitsHold;

impl PhysicalOptimizerRule for LimitsHold {
    fn name(&self) -> &str {
        "limits_hold"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| {
            let Some(fetch) = plan.fetch() else { return Ok(Transformed::no(plan)) };
            let in_order = plan.output_ordering().and_then(|_| plan.with_preserve_order(true)).unwrap_or(plan);
            Ok(Transformed::yes(Arc::new(LocalLimitExec::new(in_order, fetch)) as Arc<dyn ExecutionPlan>))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}
