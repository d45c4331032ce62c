//! Checksums of files: a bit that changes on disk is an error, never another answer.
//!
//! Every block of a file has a checksum. A Parquet file holds them between its last row group and its footer, where other
//! readers do not look; what names the file (the lake's catalogue, the manifest of a schema) keeps one checksum of all that
//! follows: the blocks' checksums, the page index and the footer. Readers check every block that they read. The parquet
//! crate can't do it: it writes no page checksums, and those of the format leave out page headers, indexes and footers.

mod blocks;
mod read;
mod text;
mod write;

use serde::{Deserialize, Serialize};

pub use blocks::{BlockSums, read_at};
pub use read::{CheckedFile, CheckedReader};
pub use text::{sealed, unsealed};
pub use write::{SummingWriter, begin_tail};

/// XXH64 of some bytes, as `xxhsum -H64` prints it.
pub fn of_bytes(bytes: &[u8]) -> u64 {
    twox_hash::XxHash64::oneshot(0, bytes)
}

/// What is known of a file's bytes beside the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksums {
    /// XXH64 of the whole file.
    pub file: u64,
    /// What a reader checks with; files that an older version wrote have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Tail>,
}

/// The part of a file that begins with the checksums of all blocks before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// Its place in the file, in bytes.
    pub from: u64,
    /// XXH64 of it.
    pub sum: u64,
}

#[cfg(test)]
mod tests;
