//! Saved queries that run by themselves: when each is due, and the clockwork that starts them. What is due when is in the
//! database, so a restart forgets nothing.

pub mod desk;
pub mod next;
mod runner;
pub mod store;

pub use runner::Scheduler;
