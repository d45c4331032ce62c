//! The labels of each address in memory, for the functions `label` and `labels`; made again when labels change.

use std::collections::HashMap;
use std::sync::Arc;

/// What is kept: by owner, the version it was made of.
#[derive(Debug, Default)]
pub(super) struct Kept(pub(super) HashMap<Option<String>, (String, Arc<Index>)>);

/// Addresses with their labels. A label is a place in `words`, the most telling first.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) words: Vec<String>,
    /// By address, then by how telling the label is.
    pub(super) entries: Vec<([u8; 20], u8, u32)>,
    /// Contracts of the registry, sorted.
    pub(super) dapps: Vec<[u8; 20]>,
}

impl Index {
    /// The labels of an address, the most telling first.
    pub fn of(&self, address: &[u8]) -> impl Iterator<Item = &str> {
        self.words_of(address).map(|word| self.words[word as usize].as_str())
    }

    /// The same as places in [`Index::words`].
    pub fn words_of(&self, address: &[u8]) -> impl Iterator<Item = u32> {
        let start = self.entries.partition_point(|(known, ..)| known.as_slice() < address);
        let found = self.entries[start..].iter();
        found.take_while(move |(known, ..)| known.as_slice() == address).map(|(.., word)| *word)
    }

    /// Whether an address is a contract of the registry.
    pub fn is_dapp(&self, address: &[u8]) -> bool {
        self.dapps.binary_search_by(|known| known.as_slice().cmp(address)).is_ok()
    }

    /// All labels there are.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}
