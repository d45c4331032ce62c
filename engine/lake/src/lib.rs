//! The lake: sorted Parquet files and a small catalogue that publishes the files of all tables at once.
//!
//! A reader pins one [`Snapshot`] and sees every table at that moment. The one writer encodes files beside the live
//! ones ([`Staging`]), makes them durable, and then names them in one transaction of the catalogue
//! ([`LakeWriter::publish`]): a reader sees all of them or none, and a process killed at any moment leaves only files
//! that nobody names, which the next writer removes.

mod catalogue;
pub mod checksums;
mod compact;
mod dictionaries;
mod encoder;
mod footers;
mod implied;
mod index;
mod known_contracts;
mod lock;
mod monitor;
mod options;
mod portions;
mod provider;
mod pruning;
mod reader;
mod rollups;
mod scrub;
mod shares;
mod snapshot;
mod staging;
mod store;
pub mod tables;
#[cfg(test)]
mod tests;
mod writer;

pub use catalogue::{DamagedFile, Incident, Reorg, ScrubPass, Waiting};
pub use compact::{Compaction, CompactionSummary};
pub use known_contracts::{DollarToken, KnownContracts, PoolFactory};
pub use monitor::{LakeStatus, TableStatus};
pub use options::LakeOptions;
pub use portions::{rows_at_once, with_pages};
pub use provider::PlannedRead;
pub use provider::chain_table;
pub use rollups::Rollups;
pub use scrub::{ScrubStatus, ScrubStep};
pub use snapshot::{BlockRange, ColumnFacts, FileEntry, Head, LakeInfo, Origin, Snapshot, SnapshotId};
pub use staging::{Staged, Staging};
pub use store::Lake;
pub use writer::{LakeWriter, Publish};
