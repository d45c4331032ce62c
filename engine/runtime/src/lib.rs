//! Jobs, their threads and the memory that they allocate there, their stored results, and the tables that users make.

pub mod abandoned_files;
pub mod allocator;
mod config;
pub mod job;
mod machine;
mod memory_account;
mod priority;
pub mod results;
mod threads;
pub mod user_tables;

pub use config::EngineConfig;
pub use machine::{Machine, MemorySource};
pub use memory_account::{MemoryAccount, charge_new_thread, check_free, check_stopped, exceeded};
pub use priority::Rank;
pub use threads::{EngineThreads, JobThreadPool, JobThreads};
