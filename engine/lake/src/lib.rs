//! The lake: sorted Parquet files, and a catalogue that publishes the files of all tables at once.
//!
//! A reader pins a [`Snapshot`], which has every table at one moment. The writer encodes new files ([`Staging`]), makes them durable,
//! and adds them to the catalogue in one transaction ([`LakeWriter::publish`]): a reader sees all of them or none. A process that is
//! killed at any moment leaves only files that are not in the catalogue, which the next writer removes.

mod batch_size;
mod cache;
mod catalogue;
pub mod checksums;
mod compact;
mod encoder;
mod file_cache;
mod index;
mod known_contracts;
mod lake;
mod lake_files;
mod lock;
mod options;
mod partitions;
mod provider;
mod pruning;
mod reader;
pub mod remote_scan;
mod rollups;
mod scrub;
mod snapshot;
mod staging;
mod status;
pub mod tables;
#[cfg(test)]
mod tests;
mod time_bounds;
mod writer;

pub use batch_size::{batch_rows, with_offset_index};
pub use catalogue::{DamagedFile, Incident, Reorg, RetiredFiles, ScrubPass};
pub use compact::{Compaction, CompactionSummary};
pub use known_contracts::{DollarToken, KnownContracts, PoolFactory};
pub use lake::Lake;
pub use lake_files::LakeFiles;
pub use options::LakeOptions;
pub use partitions::PlannedRead;
pub use provider::chain_table;
pub use rollups::Rollups;
pub use scrub::{ScrubStatus, ScrubStep};
pub use snapshot::{BlockRange, ColumnFacts, FileEntry, Head, LakeInfo, Origin, Snapshot, SnapshotId};
pub use staging::{Staged, Staging};
pub use status::{LakeStatus, TableStatus};
pub use writer::{LakeWriter, Publish};
