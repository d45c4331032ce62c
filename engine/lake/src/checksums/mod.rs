//! Checksums of files, so that a changed bit on disk is an error and never a wrong answer.
//!
//! Every block of a file has a checksum. A Parquet file has them between its last row group and its footer, where other readers do
//! not look. The rest of the file (these checksums, the page index and the footer) has one checksum, in the catalogue of the lake
//! or the manifest of a schema. Readers verify every block that they read. The parquet crate has no replacement: it writes no page
//! checksums, and those of the format cover no page headers, indexes and footers.

mod blocks;
mod read;
mod text;
mod write;

use serde::{Deserialize, Serialize};

pub use blocks::{BlockSums, read_at};
pub use read::{CheckedFile, CheckedReader};
pub use text::{append_checksum, strip_checksum};
pub use write::{ChecksumWriter, begin_tail};

/// XXH64 of some bytes, as `xxhsum -H64` prints it.
pub fn xxh64(bytes: &[u8]) -> u64 {
    twox_hash::XxHash64::oneshot(0, bytes)
}

/// Checksums of a file, which are stored elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksums {
    /// XXH64 of the whole file.
    pub file: u64,
    /// `None` for files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Tail>,
}

/// The end of a file: the checksums of all blocks before it, and the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// Offset in bytes.
    pub from: u64,
    /// XXH64 of it.
    pub sum: u64,
}

#[cfg(test)]
mod tests;
