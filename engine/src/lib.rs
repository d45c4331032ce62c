//! The analytical engine: a lake of Parquet files, jobs that query it, and nothing of HTTP, users or their database.

pub mod catalogue;
pub mod checksums;
pub mod config;
pub mod decoder;
pub mod engine;
pub mod error;
pub mod exec;
pub mod functions;
pub mod job;
pub mod kinds;
pub mod labels;
pub mod lake;
pub mod metrics;
pub mod recent;
pub mod runtime;
pub mod user_tables;

pub use config::EngineConfig;
pub use engine::Engine;
pub use error::{Error, ErrorCode, Position, Result};
pub use job::{JobHandle, JobKind, JobRequest, JobSnapshot, JobState};
