//! Shapes of the cluster of workers.

use quarry_cluster::WorkerReport;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::{Address, Value};

/// The workers of this server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClusterView {
    /// Whether the server was started with a cluster.
    pub enabled: bool,
    /// In the order of their addresses.
    pub workers: Vec<WorkerView>,
}

/// A process that runs parts of queries. Its figures are those of its last answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    /// Its address, such as `http://10.0.0.5:8790`.
    pub url: String,
    pub state: WorkerState,
    /// Empty before its first answer.
    pub build: String,
    /// Queries with parts there.
    pub runs: u64,
    /// Bytes that these queries have reserved.
    pub memory: u64,
    /// Bytes that they may reserve.
    pub memory_limit: u64,
    /// Why it did not answer the last time that it did not.
    pub last_failure: Option<String>,
}

/// Whether a worker takes queries.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    Alive,
    Draining,
    OtherBuild,
    Lost,
}

impl From<quarry_cluster::WorkerState> for WorkerState {
    fn from(state: quarry_cluster::WorkerState) -> WorkerState {
        match state {
            quarry_cluster::WorkerState::Alive => WorkerState::Alive,
            quarry_cluster::WorkerState::Draining => WorkerState::Draining,
            quarry_cluster::WorkerState::OtherBuild => WorkerState::OtherBuild,
            quarry_cluster::WorkerState::Lost => WorkerState::Lost,
        }
    }
}

impl From<WorkerReport> for WorkerView {
    fn from(worker: WorkerReport) -> WorkerView {
        WorkerView {
            url: Address(worker.url).show(),
            state: worker.state.into(),
            build: worker.build,
            runs: worker.runs,
            memory: worker.memory,
            memory_limit: worker.memory_limit,
            last_failure: worker.last_failure,
        }
    }
}

/// Which worker to drain.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DrainForm {
    /// Its address as the list has it.
    pub url: String,
}
