//! Where chain data comes from: Ethereum nodes and the sample chain, decoded into the rows of the lake.

pub mod chain;
pub mod decode;
mod job;
mod plan;
pub mod rpc;
pub mod sample;

pub use job::{IngestConfig, IngestProgress, IngestSummary, run};
pub use rpc::NodeConfig;
