//! Decides where a plan runs.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::NetworkBoundaryExt;
use quarry_sql::running::distribution::{Distribute, Distribution};

use crate::scalar_subqueries;
use crate::stages::{Cluster, Cut};

#[async_trait]
impl Distribute for Cluster {
    async fn distribute(&self, plan: Arc<dyn ExecutionPlan>, tasks: Arc<TaskContext>) -> Result<Distribution> {
        // A subquery runs before the plan is cut, so first make sure that the rest of the plan can be cut at all.
        let rest = scalar_subqueries::without_subqueries(&plan)?;
        if !Arc::ptr_eq(&rest, &plan)
            && let Err(error) = self.cut(&rest, &tasks).await
        {
            return Ok(Distribution { plan, tasks, note: local(&error) });
        }
        let plan = scalar_subqueries::answered(self, plan, &tasks).await?;
        match self.checked(&plan, &tasks).await {
            Ok(Cut { plan, tasks }) => Ok(Distribution { note: summary(&plan)?, plan, tasks }),
            Err(error) => Ok(Distribution { plan, tasks, note: local(&error) }),
        }
    }
}

fn summary(plan: &Arc<dyn ExecutionPlan>) -> Result<String> {
    let (mut stages, mut tasks) = (0, 0);
    plan.apply(|node| {
        if let Some(boundary) = node.as_network_boundary() {
            stages += 1;
            tasks += boundary.input_stage().task_count();
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(format!("Shared out over workers: {tasks} tasks in {stages} stages."))
}

/// Why a plan runs in this process: the first line of an error, since DataFusion adds where to report it.
fn local(error: &DataFusionError) -> String {
    let message = error.find_root().message();
    format!("The query runs on this machine only: {}.", message.lines().next().unwrap_or_default())
}
