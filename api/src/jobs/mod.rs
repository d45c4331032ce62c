//! Jobs of users: run by the engine, remembered in the platform database, announced to their owner's browser tabs.

pub mod ask;
mod bounds;
mod home;
mod insist;
pub mod log;
pub mod model;
pub mod of_query;
mod old_results;
pub mod result;
mod runner;
pub mod shares;
pub mod signs;
pub mod sources;
pub mod store;
mod unrecorded;

pub use bounds::{longest_wait, page_size};
pub use old_results::remove_results;
pub use runner::Jobs;
