//! The plan of a stage on its way to a worker, in our encoding in place of DataFusion's.

use std::fmt;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion_distributed::{MaybeEncoded, SetPlanRequest};
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::wire::Wire;

/// A plan as one node, so that datafusion-distributed leaves its encoding to [`StageCodec`]. Its own converter asks codecs for
/// plans, scalar functions and aggregates only. A worker runs only stages that arrive as this node.
pub(crate) struct StageExec(pub Arc<dyn ExecutionPlan>);

impl fmt::Debug for StageExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StageExec")
    }
}

impl DisplayAs for StageExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StageExec")
    }
}

impl ExecutionPlan for StageExec {
    fn name(&self) -> &str {
        "StageExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.0.properties()
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

    fn execute(&self, _: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        internal_err!("a stage runs on the worker that decodes it")
    }
}

/// Encodes and decodes [`StageExec`].
#[derive(Clone)]
pub(crate) struct StageCodec(pub Wire);

impl fmt::Debug for StageCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StageCodec")
    }
}

impl PhysicalExtensionCodec for StageCodec {
    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(StageExec(plan)) = node.downcast_ref::<StageExec>() else {
            return internal_err!("{} is no stage", node.name());
        };
        *bytes = self.0.encode(plan)?;
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        _: &[Arc<dyn ExecutionPlan>],
        tasks: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(StageExec(self.0.decode(bytes, tasks)?)))
    }
}

/// The request that brings a stage to a worker, with the stage in our encoding.
///
/// # Errors
///
/// As [`Wire::encode`].
pub(crate) fn encoded(request: SetPlanRequest, tasks: &Arc<TaskContext>) -> Result<SetPlanRequest> {
    let plan = match request.plan {
        MaybeEncoded::Decoded(plan) => {
            let stage: Arc<dyn ExecutionPlan> = Arc::new(StageExec(plan));
            MaybeEncoded::Decoded(stage).encode(tasks)?
        }
        MaybeEncoded::Encoded(bytes) => bytes,
    };
    Ok(SetPlanRequest { plan: MaybeEncoded::Encoded(plan), ..request })
}
