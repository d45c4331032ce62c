//! Sources of chain data: Ethereum nodes, files of other tools and the sample chain. Blocks are verified and decoded
//! into the rows of the lake.

pub mod chain;
pub mod decode;
mod import;
mod job;
mod plan;
mod proofs;
pub mod rpc;
pub mod sample;
#[cfg(test)]
mod testing;
mod threads;
pub mod verify;

pub use import::{ImportConfig, ImportFormat, ImportSummary, import};
pub use job::{FollowConfig, FollowEvent, IngestConfig, IngestProgress, IngestSummary, follow, run};
pub use rpc::{NodeConfig, Nodes};
