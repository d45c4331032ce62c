//! A query while it runs: threads and their ranks, memory, how far it is, stopping, and what it found damaged.

pub(crate) mod damage;
pub(crate) mod guard;
pub mod heaps;
pub(crate) mod pool;
mod priority;
pub(crate) mod progress;
pub(crate) mod shared;
pub(crate) mod stopping;
pub(crate) mod threads;
pub(super) mod yielding;
