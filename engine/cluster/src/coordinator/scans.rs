//! How many tasks a scan is worth, and what each of them reads.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::datasource::source::DataSourceExec;
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedLeafExec, ScaleUpLeafNodeEvent,
    ScaleUpLeafNodeEventResponse,
};
use quarry_lake::remote_scan;

/// Scans of the lake with several partitions get a task for each worker. All other leaves get one task, which runs where the
/// query was planned: their rows are only here, or operators above rely on one partition.
pub(crate) fn task_count(
    event: DesiredTaskCountEvent<'_>,
    workers: usize,
) -> Option<Result<DesiredTaskCountEventResponse>> {
    let scan = event.plan.downcast_ref::<DataSourceExec>()?;
    Some(Ok(match remote_scan::can_share_out(scan) {
        true => DesiredTaskCountEventResponse::desired(workers),
        false => DesiredTaskCountEventResponse::maximum(1),
    }))
}

/// The scan of each task.
pub(crate) fn share_out(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let scan = event.plan.downcast_ref::<DataSourceExec>()?;
    if event.task_count < 2 {
        // The stock handler would cut files into ranges of bytes.
        return Some(Ok(ScaleUpLeafNodeEventResponse::new(Arc::clone(event.plan))));
    }
    let scans = remote_scan::share_out(scan, event.task_count)?;
    let leaf = scans.and_then(|scans| DistributedLeafExec::try_new(Arc::clone(event.plan), scans));
    Some(leaf.map(|leaf| ScaleUpLeafNodeEventResponse::new(Arc::new(leaf))))
}
