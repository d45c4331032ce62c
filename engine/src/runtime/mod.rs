//! What jobs run on: threads of their own, and the count of the memory that they allocate there.

pub mod allocator;
pub mod free_memory;
pub(crate) mod machine;
mod memory_account;
mod priority;
mod threads;

pub use machine::{Machine, MemorySource};
pub(crate) use memory_account::{MemoryAccount, charge_new_thread, check_free, check_stopped, exceeded};
pub(crate) use priority::Rank;
pub(crate) use threads::{EngineThreads, JobThreadPool, JobThreads};
