//! An index inside a lake file: which stretches of rows hold an address or a hash. Bloom filters say only for a whole row
//! group whether to read it, and must all be read themselves; this says it for each row, in two small reads per file.
//!
//! It lies between the last row group and the Parquet footer, where other readers do not look, and the footer's metadata
//! says where. Of each indexed column it holds the pairs (key, slot) as rising 64-bit numbers: 40 bits that the value is
//! mixed to, then the slot, which is a row, or some where a file has more rows than there are numbers for. Neighbours differ
//! little, so the numbers are stored as differences, in blocks that can be read alone. Two values may share a key; then rows
//! are read that the filter drops again. Of a key that a good part of all rows has the index only says so.

mod build;
mod filter;
mod read;

use std::collections::BTreeMap;

pub(super) use build::Builder;
pub(super) use filter::{Wanted, wanted};
pub(super) use read::{FileIndex, Found, Indexes};

/// Key of the Parquet metadata that says where the index is.
pub(super) const METADATA_KEY: &str = "quarry.index";

/// Numbers of a block, read and decoded as one.
const BLOCK: usize = 4096;

const KEY_BITS: u32 = 40;
/// Bytes at the end of a value of which its key is made.
const KEYED: usize = 8;
/// Version 1 knew no common keys: one that isn't named stands nowhere, in both.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=2;
/// A key is common when more than one row of so many has it: to look it up would spare little.
const COMMON: usize = 4;

/// Where the index of a file is, as JSON in its footer.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Place {
    version: u32,
    slot_rows: usize,
    columns: BTreeMap<String, Section>,
}

/// The part of one column: a directory of the blocks' first numbers and lengths, then the blocks.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Section {
    offset: u64,
    blocks: u32,
    /// Bits of a number that are the slot.
    slot_bits: u32,
    /// Keys that are left out because they are common.
    #[serde(default)]
    common: Vec<u64>,
}

/// Bytes of an entry of the directory: first number, length of the block.
const ENTRY: usize = 12;

/// The key of a value: its last bytes, which differ even where addresses share their beginning, mixed so that keys spread
/// evenly.
fn key(value: &[u8]) -> u64 {
    let mut last = [0; KEYED];
    let from = value.len().saturating_sub(KEYED);
    last[..value.len() - from].copy_from_slice(&value[from..]);
    let mixed = u64::from_le_bytes(last).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> (64 - KEY_BITS)
}

#[cfg(test)]
mod tests;
