//! Runs physical plans on workers. datafusion-distributed cuts a finished plan at its exchanges into stages. This crate decides what
//! is shared out (`coordinator`), sends the stages (`wire`), and runs them (`worker`), in other processes (`network`) or in this one
//! (`in_process`).
//!
//! A plan that would not arrive whole is not sent: the query runs where it was planned. A query that loses a worker runs again.

mod coordinator;
mod headers;
mod in_process;
mod lost_worker;
mod network;
mod run_id;
mod stage_codec;
mod wire;
mod worker;

pub use in_process::add_workers;
pub use network::{
    Access, CoordinatorOptions, Members, TlsFiles, WorkerOptions, WorkerReport, WorkerState, run_worker,
    start_coordinator,
};
pub use worker::StageRuntime;
