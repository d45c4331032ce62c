//! Parquet footers, indexes and dictionaries in memory. A lake file never changes under its name, so a footer read once holds for ever.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

use super::dictionaries::Dictionaries;
use super::index::{FileIndex, Indexes};
use crate::error::{Error, ErrorCode, Result};

/// Footers of one lake, bounded by bytes, the longest known go first; and what else is kept of its files.
#[derive(Debug)]
pub(super) struct Footers {
    dir: PathBuf,
    limit: usize,
    cached: Mutex<Cached>,
    indexes: Indexes,
    dictionaries: Dictionaries,
}

#[derive(Debug, Default)]
struct Cached {
    by_path: HashMap<String, Arc<ParquetMetaData>>,
    age: VecDeque<String>,
    bytes: usize,
}

impl Footers {
    /// `limit` is that of the footers, `dictionaries` that of the dictionaries, in bytes.
    pub(super) fn new(dir: PathBuf, limit: usize, dictionaries: usize) -> Footers {
        let dictionaries = Dictionaries::new(dictionaries);
        Footers { dir, limit, cached: Mutex::default(), indexes: Indexes::default(), dictionaries }
    }

    /// Folder that paths are relative to.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Footer with page index of the file at `path`, which the catalogue says has `bytes` bytes.
    pub(super) fn get(&self, path: &str, bytes: u64) -> Result<Arc<ParquetMetaData>> {
        // A panic elsewhere can't leave the maps half changed in a way that matters: they are only a cache.
        let lock = || self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(footer) = lock().by_path.get(path) {
            return Ok(Arc::clone(footer));
        }
        let file = open(&self.dir, path, bytes)?;
        let footer = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .parse_and_finish(&file)
            .map(Arc::new)
            .map_err(|error| damaged(path, "its footer can't be read", error))?;
        lock().insert(path, &footer, self.limit);
        Ok(footer)
    }
}

impl Footers {
    /// The index inside the file, if it has one.
    pub(super) fn index(&self, path: &str, bytes: u64) -> Result<Option<Arc<FileIndex>>> {
        self.indexes.get(path, || FileIndex::open(&self.dir, path, bytes, &*self.get(path, bytes)?))
    }

    pub(super) fn dictionaries(&self) -> &Dictionaries {
        &self.dictionaries
    }
}

impl Cached {
    fn insert(&mut self, path: &str, footer: &Arc<ParquetMetaData>, limit: usize) {
        if self.by_path.insert(path.to_string(), Arc::clone(footer)).is_some() {
            return;
        }
        self.bytes += footer.memory_size();
        self.age.push_back(path.to_string());
        while self.bytes > limit && self.age.len() > 1 {
            let Some(oldest) = self.age.pop_front() else { return };
            if let Some(gone) = self.by_path.remove(&oldest) {
                self.bytes -= gone.memory_size();
            }
        }
    }
}

/// Opens a lake file and checks that it is as long as when it was published.
pub(super) fn open(dir: &Path, path: &str, bytes: u64) -> Result<File> {
    let file = File::open(dir.join(path)).map_err(|error| damaged(path, "it can't be opened", error))?;
    let found = file.metadata().map_err(|error| damaged(path, "it can't be opened", error))?.len();
    if found != bytes {
        let why = format!("it has {found} bytes instead of {bytes}");
        return Err(Error::new(ErrorCode::DamagedFile, sentence(path, &why)));
    }
    Ok(file)
}

/// Error that names the file, without the folders above it.
pub(super) fn damaged(path: &str, why: &str, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorCode::DamagedFile, sentence(path, why)).because(error)
}

fn sentence(path: &str, why: &str) -> String {
    let table = path.split('/').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("The file {name} of table {table} is damaged: {why}.")
}
