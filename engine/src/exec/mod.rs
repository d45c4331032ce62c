//! Running a query: its session over the shared runtime, its stream into the result store, its progress and its limits.

pub(crate) mod damage;
mod describe;
mod distinct;
pub(crate) mod exact;
pub(crate) mod guard;
pub mod heaps;
mod laterals;
mod limited;
mod moving;
pub(crate) mod multisets;
pub(crate) mod names;
mod pivots;
pub(crate) mod pool;
mod priority;
pub(crate) mod progress;
pub mod results;
pub(crate) mod reuse;
pub(crate) mod run;
pub(crate) mod session;
pub(crate) mod shared;
mod subqueries;
pub(crate) mod tables;
pub(crate) mod threads;
mod unused;
pub(crate) mod views;
pub(crate) mod yielding;
