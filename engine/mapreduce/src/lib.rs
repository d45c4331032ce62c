//! MAPREDUCE jobs: JavaScript over tables. A driver names the inputs and the output, a mapper makes pairs of rows, a
//! reducer makes rows of each key and its values.
//!
//! The scripts run in sandboxes inside operators of an ordinary plan (`plan`), so that a job is parallel, bounded and stopped
//! like every query. Its rows become a table of the user, or the result alone.

mod batch_object;
mod batch_sums;
mod codec;
mod columns;
mod driver;
mod error_position;
mod job;
mod job_file;
mod job_spec;
mod key_groups;
mod mapper;
mod output_rows;
mod pair_emitter;
mod plan;
mod reducer;
mod row_emitter;
mod sandbox;
mod script;
mod script_exec;
mod script_thread;
mod scripts;

pub use job::MapReduceJob;
pub use job_file::{JobFile, job_file};
