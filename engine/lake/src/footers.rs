//! Parquet footers, indexes and dictionaries in memory. A lake file never changes under its name, so a footer read once holds for ever.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

use super::dictionaries::Dictionaries;
use super::index::{FileIndex, Indexes};
use super::snapshot::FileEntry;
use crate::checksums::BlockSums;
use quarry_types::{ErrorCode, Result};

/// Footers of one lake, bounded by bytes, the longest known go first; and what else is kept of its files.
#[derive(Debug)]
pub(super) struct Footers {
    dir: PathBuf,
    limit: usize,
    cached: Mutex<Cached>,
    indexes: Indexes,
    dictionaries: Dictionaries,
    /// Paths of files in which damage was met and that the scrub has not read since.
    suspects: Mutex<BTreeSet<String>>,
}

/// Footer and page index of a file; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Footer {
    pub(super) metadata: Arc<ParquetMetaData>,
    /// Checksums of all that lies before them.
    pub(super) sums: Option<Arc<BlockSums>>,
}

impl Footer {
    fn memory_size(&self) -> usize {
        self.metadata.memory_size() + self.sums.as_ref().map_or(0, |sums| sums.memory_size())
    }
}

#[derive(Debug, Default)]
struct Cached {
    by_path: HashMap<String, Footer>,
    age: VecDeque<String>,
    bytes: usize,
}

impl Footers {
    /// `limit` is that of the footers, `dictionaries` that of the dictionaries, in bytes.
    pub(super) fn new(dir: PathBuf, limit: usize, dictionaries: usize) -> Footers {
        let dictionaries = Dictionaries::new(dictionaries);
        Footers {
            dir,
            limit,
            cached: Mutex::default(),
            indexes: Indexes::default(),
            dictionaries,
            suspects: Mutex::default(),
        }
    }

    /// Folder that paths are relative to.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Footer of a file.
    pub(super) fn get(&self, file: &FileEntry) -> Result<Footer> {
        // A panic elsewhere can't leave the maps half changed in a way that matters: they are only a cache.
        let lock = || self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(footer) = lock().by_path.get(&file.path) {
            return Ok(footer.clone());
        }
        let footer = self.noting(file, self.read(file))?;
        lock().insert(&file.path, &footer, self.limit);
        Ok(footer)
    }

    fn read(&self, file: &FileEntry) -> Result<Footer> {
        let opened = file.open(&self.dir)?;
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .parse_and_finish(&opened)
            .map_err(|error| file.damaged("its footer can't be read", error))?;
        Ok(Footer { metadata: Arc::new(metadata), sums: opened.sums() })
    }

    /// Drops what is kept of files that the lake no longer reads: the head of the chain makes a file for each block, and
    /// compaction soon puts another one in their place.
    pub(super) fn retain(&self, live: &HashSet<&str>) {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).retain(live);
        self.indexes.retain(live);
        self.dictionaries.retain(live);
    }

    /// Files of which something is kept.
    #[cfg(test)]
    pub(super) fn cached_paths(&self) -> BTreeSet<String> {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(cached.by_path.len(), cached.age.len());
        assert_eq!(cached.bytes, cached.by_path.values().map(Footer::memory_size).sum::<usize>());
        let footers = cached.by_path.keys().cloned();
        footers.chain(self.indexes.cached_paths()).chain(self.dictionaries.cached_paths()).collect()
    }

    /// Remembers the file when the result is that it is damaged.
    pub(super) fn noting<T>(&self, file: &FileEntry, result: Result<T>) -> Result<T> {
        if result.as_ref().is_err_and(|error| error.code == ErrorCode::DamagedFile) {
            self.suspects.lock().unwrap_or_else(PoisonError::into_inner).insert(file.path.clone());
        }
        result
    }

    /// Takes one of the files in which readers met damage.
    pub(super) fn take_suspect(&self) -> Option<String> {
        self.suspects.lock().unwrap_or_else(PoisonError::into_inner).pop_first()
    }
}

impl Footers {
    /// The index inside the file, if it has one.
    pub(super) fn index(&self, file: &FileEntry) -> Result<Option<Arc<FileIndex>>> {
        let open = || {
            let footer = self.get(file)?;
            FileIndex::open(&self.dir, file, &footer.metadata, footer.sums.as_deref())
        };
        self.indexes.get(&file.path, || self.noting(file, open()))
    }

    pub(super) fn dictionaries(&self) -> &Dictionaries {
        &self.dictionaries
    }
}

impl Cached {
    fn retain(&mut self, live: &HashSet<&str>) {
        let gone = |path: &String| !live.contains(path.as_str());
        self.bytes -=
            self.by_path.extract_if(|path, _| gone(path)).map(|(_, footer)| footer.memory_size()).sum::<usize>();
        self.age.retain(|path| !gone(path));
    }

    fn insert(&mut self, path: &str, footer: &Footer, limit: usize) {
        if self.by_path.insert(path.to_string(), footer.clone()).is_some() {
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
