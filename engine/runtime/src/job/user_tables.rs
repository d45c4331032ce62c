//! The tables of users that a job may read and write, and those that it did read: access to its result follows access to them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What a job may do with users' tables.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    /// The schema whose tables the job reads and writes, `user_<name>`; without one it writes nothing.
    pub own: Option<String>,
    /// Tables of other schemas that it may read.
    pub shared: Vec<SharedTable>,
    /// Whether the labels that the job finds are everybody's and not its owner's only.
    pub curator: bool,
    /// Filled while the job runs.
    pub reads: TableReads,
}

/// A table that its owner lets others read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTable {
    pub schema: String,
    pub table: String,
    /// When the table was made: a later one of the same name is not shared by this.
    pub created: u64,
}

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

    pub fn add(&self, tables: impl IntoIterator<Item = ReadTable>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(tables);
    }
}
