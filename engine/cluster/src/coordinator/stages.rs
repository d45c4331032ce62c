//! Cuts plans into stages, and checks that each of them arrives whole.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result, not_impl_err};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SessionStateBuilder, TaskContext};
use datafusion::logical_expr::{EmptyRelation, LogicalPlan};
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::recursive_query::RecursiveQueryExec;
use datafusion::physical_plan::work_table::WorkTableExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use datafusion_distributed::{
    DesiredTaskCountEvent, DistributedExec, DistributedExt, DistributedLeafExec, NetworkBoundaryExt,
    SessionStateBuilderExt, Stage, WorkerResolver,
};
use url::Url;

use super::exchange_order::sort_above_exchanges;
use super::{Attempt, Cluster, scans};
use crate::headers;
use crate::stage_codec::StageCodec;
use crate::wire::one_line;

/// A plan cut into stages.
pub(super) struct Cut {
    pub plan: Arc<dyn ExecutionPlan>,
    /// The settings of the query, with those of its stages.
    pub tasks: Arc<TaskContext>,
}

impl Cluster {
    /// The plan cut into stages, with the settings that they need.
    ///
    /// # Errors
    ///
    /// It has nothing to share out, or its stages would have to share a state.
    pub(super) async fn cut(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        tasks: &TaskContext,
        attempt: &Attempt,
    ) -> Result<Cut> {
        plan.apply(|node| {
            // The stages of a recursive query would have to share its work table.
            if node.is::<RecursiveQueryExec>() || node.is::<WorkTableExec>() {
                return not_impl_err!("{} keeps a state", node.name());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        let cut = self.cut_at_exchanges(&sort_above_exchanges(plan)?, tasks, attempt).await?;
        if !cut.plan.is::<DistributedExec>() {
            return not_impl_err!("it has nothing to share out");
        }
        Ok(cut)
    }

    /// The plan cut into stages; the plan itself if it has no stage for several tasks.
    async fn cut_at_exchanges(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        tasks: &TaskContext,
        attempt: &Attempt,
    ) -> Result<Cut> {
        let count = attempt.urls().len();
        let own = self.workers.own_stages().worker.to_local_worker_context(attempt.own.clone());
        let config = tasks
            .session_config()
            .clone()
            .with_distributed_worker_resolver(Urls(attempt.urls()))
            .with_distributed_channel_resolver(self.workers.channels())
            .with_distributed_local_worker_context(own)
            .with_distributed_user_codec(StageCodec(self.wire.clone()))
            .with_distributed_desired_task_count_handler(move |event: DesiredTaskCountEvent<'_>| {
                scans::task_count(event, count)
            })
            .with_distributed_scale_up_leaf_node_handler(scans::share_out)
            .with_distributed_passthrough_headers(headers::of_run(&attempt.run, tasks.session_config().options())?)?
            // A branch of a union in a task of its own would be sent, also if its rows are only here.
            .with_distributed_children_isolator_unions(false)?
            .with_distributed_metrics_collection(false)?;
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(tasks.runtime_env())
            .with_query_planner(Arc::new(PlannedAlready(Arc::clone(plan))))
            .with_distributed_planner()
            .build();
        let nothing =
            LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, schema: Arc::new(DFSchema::empty()) });
        let plan = state.query_planner().create_physical_plan(&nothing, &state).await?;
        Ok(Cut { plan, tasks: state.task_ctx() })
    }

    /// The plan cut into stages that arrive whole.
    ///
    /// # Errors
    ///
    /// As [`Cluster::cut`] and [`Cluster::check`].
    pub(super) async fn checked(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        tasks: &TaskContext,
        attempt: &Attempt,
    ) -> Result<Cut> {
        let cut = self.cut(plan, tasks, attempt).await?;
        self.check(&cut.plan, tasks)?;
        Ok(cut)
    }

    /// Checks that the stages which leave this process arrive whole.
    ///
    /// # Errors
    ///
    /// One does not.
    fn check(&self, plan: &Arc<dyn ExecutionPlan>, tasks: &TaskContext) -> Result<()> {
        let mut sent = Vec::new();
        plan.apply(|node| {
            if let Some(Stage::Local(stage)) = node.as_network_boundary().map(|boundary| boundary.input_stage()) {
                // The only task of a stage runs here.
                if stage.tasks > 1 {
                    let operators = operators(&stage.plan)?;
                    check_order(&stage.plan, &operators)?;
                    sent.push(operators);
                }
            }
            if let Some(leaf) = node.downcast_ref::<DistributedLeafExec>() {
                sent.extend(leaf.variants().iter().cloned());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        sent.iter().try_for_each(|plan| self.wire.encode_checked(plan, tasks).map(drop))
    }
}

/// The operators of a stage: without the stages below, and with the scan of one task in place of those of all tasks.
fn operators(stage: &Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    Arc::clone(stage)
        .transform_down(|node| {
            if node.is_network_boundary() {
                let partitions = node.output_partitioning().partition_count();
                let input: Arc<dyn ExecutionPlan> = Arc::new(EmptyExec::new(node.schema()).with_partitions(partitions));
                return Ok(Transformed::new(input, true, TreeNodeRecursion::Jump));
            }
            Ok(match node.downcast_ref::<DistributedLeafExec>() {
                Some(leaf) => Transformed::yes(Arc::clone(&leaf.variants()[0])),
                None => Transformed::no(node),
            })
        })
        .data()
}

/// Checks that no operator of a stage relies on an order that the stages below don't keep: boundaries forget theirs when they are
/// sent, and an aggregate of sorted rows would become one of unsorted rows.
fn check_order(planned: &Arc<dyn ExecutionPlan>, operators: &Arc<dyn ExecutionPlan>) -> Result<()> {
    if operators.children().is_empty() {
        return Ok(());
    }
    if planned.output_ordering() != operators.output_ordering() || one_line(planned) != one_line(operators) {
        return not_impl_err!("{} relies on the order of an exchange", planned.name());
    }
    let mut inputs = planned.children().into_iter().zip(operators.children());
    inputs.try_for_each(|(planned, operators)| check_order(planned, operators))
}

/// The addresses of the workers of a run, for datafusion-distributed.
struct Urls(Vec<Url>);

impl WorkerResolver for Urls {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.0.clone())
    }
}

/// Returns a plan that is finished, so that datafusion-distributed cuts it.
struct PlannedAlready(Arc<dyn ExecutionPlan>);

impl fmt::Debug for PlannedAlready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlannedAlready")
    }
}

#[async_trait]
impl QueryPlanner for PlannedAlready {
    async fn create_physical_plan(&self, _: &LogicalPlan, _: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::clone(&self.0))
    }
}
