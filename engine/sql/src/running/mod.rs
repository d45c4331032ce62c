//! Execution of physical plans: memory pool, distribution over workers, progress, results shared by equal queries, and damaged files.

pub mod damaged_files;
pub mod distribution;
pub mod execute;
pub mod memory_pool;
pub mod progress;
pub mod shared_runs;
