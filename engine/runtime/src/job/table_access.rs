//! The user tables that a job may read and write, and those that it has read, which decide the access to its result.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Access of a job to user tables.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    /// The schema that the job may read and write, `user_<name>`; `None` for a job that writes nothing.
    pub own: Option<String>,
    /// Tables of other schemas that it may read.
    pub shared: Vec<SharedTable>,
    /// Whether the labels that the job finds are visible to everybody, and not only to its owner.
    pub curator: bool,
    /// Filled while the job runs.
    pub reads: TableReads,
}

/// A table that its owner lets others read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTable {
    pub schema: String,
    pub table: String,
    /// Creation time: a later table of the same name is not shared.
    pub created: u64,
}

/// A user table that a job has read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadTable {
    pub schema: String,
    pub table: String,
    /// Creation time in milliseconds since 1970: a later table of the same name is another table.
    pub created: u64,
}

/// The user tables that a job has read so far, including those of its owner. Clones are the same set.
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
