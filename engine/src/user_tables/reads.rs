//! Which tables of users a job read, so that access to its result can follow access to them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A table of a user that a job read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadTable {
    pub schema: String,
    pub table: String,
    /// When the table was made, in milliseconds since 1970: a later one of the same name is another table.
    pub created: u64,
}

/// The tables of users that a job has read so far, its owner's own ones included. Clones are the same set.
#[derive(Debug, Clone, Default)]
pub struct TableReads(Arc<Mutex<BTreeSet<ReadTable>>>);

impl TableReads {
    pub fn all(&self) -> Vec<ReadTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn add(&self, tables: impl IntoIterator<Item = ReadTable>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(tables);
    }
}
