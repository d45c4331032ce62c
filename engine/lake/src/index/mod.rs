//! The index inside a lake file: which rows have an address or a hash. A bloom filter covers a whole row group, and all of them
//! must be read; the index covers single rows, with two small reads per file.
//!
//! The index is between the last row group and the Parquet footer, where other readers do not look. The metadata of the footer
//! has its location. For each indexed column it stores pairs (key, slot) as ascending 64-bit numbers: 40 bits of a hash of the
//! value, then the slot. A slot is a row, or several rows in files with more rows than slots. Numbers are delta-encoded in blocks
//! that can be read alone. Two values may have the same key; then the filter drops the additional rows. Keys that many rows have
//! are left out and listed as common.

mod build;
mod predicate;
mod read;

use std::collections::BTreeMap;

pub(super) use build::Builder;
pub(super) use predicate::{IndexPredicate, predicate};
pub(super) use read::{FileIndex, IndexCache, IndexMatches};

/// Key of the Parquet metadata with the location of the index.
pub(super) const METADATA_KEY: &str = "quarry.index";

/// Numbers of a block, which is read and decoded as a whole.
const BLOCK: usize = 4096;

const KEY_BITS: u32 = 40;
/// Bytes at the end of a value that are hashed to its key.
const KEY_BYTES: usize = 8;
/// Version 1 had no common keys.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=2;
/// A key is common if more than one row of so many has it: a lookup would save little.
const COMMON_ONE_IN: usize = 4;

/// Location of the index of a file, as JSON in the footer.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct IndexLocation {
    version: u32,
    slot_rows: usize,
    columns: BTreeMap<String, ColumnIndex>,
}

/// Location of the index of one column: a directory of the first number and the length of each block, then the blocks.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct ColumnIndex {
    offset: u64,
    blocks: u32,
    /// Bits of a number that hold the slot.
    slot_bits: u32,
    /// Keys that are left out because they are common.
    #[serde(default)]
    common: Vec<u64>,
}

/// Bytes of an entry of the directory: the first number and the length of a block.
const ENTRY: usize = 12;

/// The key of a value: a hash of its last bytes, which differ even if addresses share their first bytes.
fn key(value: &[u8]) -> u64 {
    let mut last = [0; KEY_BYTES];
    let from = value.len().saturating_sub(KEY_BYTES);
    last[..value.len() - from].copy_from_slice(&value[from..]);
    let mixed = u64::from_le_bytes(last).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> (64 - KEY_BITS)
}

#[cfg(test)]
mod tests;
