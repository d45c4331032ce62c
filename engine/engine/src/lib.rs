//! The analytical engine: a lake of Parquet files, jobs that query it, and nothing of HTTP, users or their database.

pub mod catalog;
pub mod engine;
mod query_kinds;
pub mod raw_transaction;
pub mod recent_blocks;

pub use engine::Engine;
