//! The root of a stage. It runs the stage on the threads of its run, so that a long call of an operator does not delay the network,
//! and turns a panic into an error: datafusion-distributed takes the end of a task that panicked for the end of its rows
//! (`protocol/grpc/spawn_select_all.rs` in 4.0; in no issue as of 2026-12).

use std::fmt;
use std::sync::{Arc, Weak};

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

use super::runs::Run;
use super::stage_runtime::internal;

/// Batches that wait for whoever reads the stage.
const WAITING_BATCHES: usize = 2;

/// The root of a stage of a run. It is a leaf for datafusion-distributed: the run keeps the stage.
#[derive(Debug)]
pub(crate) struct StageRootExec {
    run: Weak<Run>,
    stage: usize,
    properties: Arc<PlanProperties>,
}

impl StageRootExec {
    pub fn new(run: &Arc<Run>, stage: Arc<dyn ExecutionPlan>) -> StageRootExec {
        let properties = Arc::clone(stage.properties());
        StageRootExec { run: Arc::downgrade(run), stage: run.add_stage(stage), properties }
    }
}

impl DisplayAs for StageRootExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StageRootExec")
    }
}

impl ExecutionPlan for StageRootExec {
    fn name(&self) -> &str {
        "StageRootExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let run = self.run.upgrade();
        let Some((run, stage)) = run.and_then(|run| run.stage(self.stage).map(|stage| (run, stage))) else {
            return internal_err!("the run has ended");
        };
        let Some(threads) = run.threads() else { return internal_err!("the run has ended") };
        let (sender, receiver) = mpsc::channel(WAITING_BATCHES);
        let (stop, memory) = (run.stop_signal().clone(), Arc::clone(run.stop_signal().memory()));
        let work = threads.spawn(async move {
            let mut batches = stage.execute(partition, tasks)?;
            while let Some(batch) = batches.next().await.transpose()? {
                // Another thread frees it.
                memory.release(batch.get_array_memory_size());
                if sender.send(batch).await.is_err() {
                    break;
                }
            }
            Ok(())
        });
        let rows = stream::unfold(Some((receiver, AbortOnDropHandle::new(work))), move |state| {
            let stop = stop.clone();
            async move {
                let (mut receiver, work) = state?;
                let batch = tokio::select! {
                    biased;
                    error = stop.stopped() => return Some((Err(error), None)),
                    batch = receiver.recv() => batch,
                };
                if let Some(batch) = batch {
                    return Some((Ok(batch), Some((receiver, work))));
                }
                // The rows are complete only if the task says so.
                let outcome = work.await.unwrap_or_else(|error| Err(panicked(error)));
                outcome.err().map(|error| (Err(error), None))
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}

fn panicked(error: JoinError) -> DataFusionError {
    let Ok(panic) = error.try_into_panic() else { return internal("the stage was stopped") };
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    internal(format!("panic: {}", text.unwrap_or("without a message")))
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;
    use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
    use datafusion::physical_plan::collect;
    use datafusion::prelude::SessionContext;
    use quarry_runtime::EngineConfig;
    use tokio::runtime::Handle;

    use super::*;
    use crate::run_id::RunId;
    use crate::worker::{Runs, StageRuntime};

    /// The rows of a query that runs as a stage.
    async fn rows(query: &str) -> Result<usize> {
        let context = SessionContext::new();
        let boom = |arguments: &[ColumnarValue]| match &arguments[0] {
            ColumnarValue::Array(numbers) if numbers.len() < 8_192 => panic!("the last batch"),
            numbers => Ok(numbers.clone()),
        };
        let types = (vec![DataType::Int64], DataType::Int64);
        context.register_udf(create_udf("boom", types.0, types.1, Volatility::Volatile, Arc::new(boom)));
        let plan = context.sql(query).await?.create_physical_plan().await?;
        let runtime = StageRuntime::new(&EngineConfig::default(), &context.runtime_env(), Handle::current());
        let runs = Runs::new(runtime);
        let root = Arc::new(StageRootExec::new(&runs.join(&RunId::random())?, plan));
        let batches = collect(root, context.task_ctx()).await?;
        Ok(batches.iter().map(|batch| batch.num_rows()).sum())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_after_some_rows_is_an_error() {
        assert_eq!(rows("select value from generate_series(1, 20000)").await.unwrap(), 20_000);
        let error = rows("select boom(value) from generate_series(1, 20000)").await.unwrap_err();
        assert!(error.to_string().contains("panic: the last batch"), "{error}");
    }
}
