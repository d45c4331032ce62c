//! The analytical engine: a lake of Parquet files, jobs that query it, and nothing of HTTP, users or their database.

pub mod catalogue;
pub mod engine;
mod kinds;
pub mod raw_transaction;
pub mod recent;

pub use engine::Engine;
