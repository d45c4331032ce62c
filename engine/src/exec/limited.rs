//! Keeps what joins find out while they run away from inputs that have a limit: the first 100 rows of a table stay its
//! first 100 rows, whichever of them have a partner.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::limit::LocalLimitExec;

/// The stock rules with ours before the last one that hands filters down.
pub(super) fn rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    let last = rules.iter().rposition(|rule| rule.name().starts_with("FilterPushdown"));
    rules.insert(last.unwrap_or(rules.len()), Arc::new(LimitsHold));
    rules
}

/// Repeats the limit of a node above it. A scan that has taken a limit over takes filters too, and then counts only the
/// rows that pass them; no filter goes through a limit that stands by itself.
#[derive(Debug)]
struct LimitsHold;

impl PhysicalOptimizerRule for LimitsHold {
    fn name(&self) -> &str {
        "limits_hold"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| match plan.fetch() {
            Some(fetch) => Ok(Transformed::yes(Arc::new(LocalLimitExec::new(plan, fetch)) as Arc<dyn ExecutionPlan>)),
            None => Ok(Transformed::no(plan)),
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}
