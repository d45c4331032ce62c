//! Workers in other processes, over gRPC.
//!
//! Stages and rows travel in datafusion-distributed's service, everything else in [`messages`]: heartbeats, registration, what scans
//! have read, and the end of a run. Both need the cluster's secret or a certificate ([`access`]).

mod access;
mod build_id;
mod channels;
mod control;
mod coordinator;
mod guard;
mod members;
mod messages;
mod server;
mod worker;

pub use access::{Access, TlsFiles};
pub use coordinator::{CoordinatorOptions, start_coordinator};
pub use members::{Members, WorkerReport, WorkerState};
pub use worker::{WorkerOptions, run_worker};
