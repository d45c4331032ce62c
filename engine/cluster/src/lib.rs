//! Runs physical plans on workers. datafusion-distributed cuts a finished plan at its exchanges into stages; this crate sends
//! them (`wire`), shares scans of the lake out over tasks (`scans`), and has workers inside the process (`in_process`).
//!
//! A plan that would not arrive whole is not sent: the query runs where it was planned.

mod distribute;
mod exchange_order;
mod in_process;
mod scalar_subqueries;
mod scans;
mod settings;
mod stage_codec;
mod stages;
mod task_sessions;
mod wire;

pub use in_process::{InProcessWorkers, add_workers};
pub use stages::{Cluster, Cut, Workers};
pub use wire::Wire;
