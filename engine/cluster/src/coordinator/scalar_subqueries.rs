//! Runs the scalar subqueries of a plan before it is cut: stages on several machines can't wait for one another's values.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::scalar_subquery::{ScalarSubqueryExec, ScalarSubqueryLink};
use datafusion::physical_plan::{ExecutionPlan, collect};

use super::stages::Cut;
use super::{Attempt, Cluster};
use crate::lost_worker;

/// The plan with its subqueries answered.
///
/// # Errors
///
/// A subquery fails.
pub(crate) async fn answered(
    cluster: &Cluster,
    plan: Arc<dyn ExecutionPlan>,
    tasks: &Arc<TaskContext>,
    attempt: &Attempt,
) -> Result<Arc<dyn ExecutionPlan>> {
    let mut execs = Vec::new();
    plan.apply(|node| {
        if node.is::<ScalarSubqueryExec>() {
            execs.push(Arc::clone(node));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    // Nested subqueries run before those that contain them.
    for exec in execs.iter().rev().filter_map(|node| node.downcast_ref::<ScalarSubqueryExec>()) {
        answer(cluster, exec, tasks, attempt).await?;
    }
    without_subqueries(&plan)
}

async fn answer(
    cluster: &Cluster,
    exec: &ScalarSubqueryExec,
    tasks: &Arc<TaskContext>,
    attempt: &Attempt,
) -> Result<()> {
    let (mut links, mut settings) = (Vec::new(), Arc::clone(tasks));
    for ScalarSubqueryLink { plan, index } in exec.subqueries() {
        let plan = without_subqueries(plan)?;
        let plan = match cluster.checked(&plan, tasks, attempt).await {
            Ok(Cut { plan, tasks }) => {
                settings = tasks;
                plan
            }
            Err(_) => plan,
        };
        links.push(ScalarSubqueryLink { plan, index: *index });
    }
    let nothing = Arc::new(EmptyExec::new(exec.schema()));
    let subqueries = ScalarSubqueryExec::new(nothing, links, exec.results().clone());
    tokio::select! {
        rows = collect(Arc::new(subqueries), settings) => rows.map(drop),
        url = cluster.workers.gone(&attempt.workers) => Err(lost_worker::lost(&url, internal_datafusion_err!("it is gone"))),
    }
}

/// The plan with the subqueries taken out; it can run once they are answered.
pub(crate) fn without_subqueries(plan: &Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    Arc::clone(plan)
        .transform_up(|node| {
            Ok(match node.downcast_ref::<ScalarSubqueryExec>() {
                Some(exec) => Transformed::yes(Arc::clone(exec.input())),
                None => Transformed::no(node),
            })
        })
        .data()
}
