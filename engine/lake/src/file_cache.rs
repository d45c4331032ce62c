//! Footers, indexes and dictionaries of lake files in memory.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};

use super::cache::ByteCache;
use super::index::{FileIndex, IndexCache};
use super::snapshot::FileEntry;
use crate::checksums::BlockSums;
use quarry_types::{ErrorCode, Result};

/// What is kept in memory of the files of one lake.
#[derive(Debug)]
pub(super) struct FileCache {
    dir: PathBuf,
    footers: ByteCache<Footer>,
    indexes: IndexCache,
    /// Dictionary pages, up to a megabyte each. A point lookup needs the whole dictionary of its row group, and lookups
    /// repeat the same row groups.
    dictionaries: ByteCache<Bytes>,
    /// Paths of files that were found damaged and that the scrub has not read since.
    suspects: Mutex<BTreeSet<String>>,
}

/// Footer and page index of a file; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Footer {
    pub(super) metadata: Arc<ParquetMetaData>,
    /// Checksums of everything before them.
    pub(super) sums: Option<Arc<BlockSums>>,
}

impl FileCache {
    /// Both limits are bytes.
    pub(super) fn new(dir: PathBuf, footer_limit: usize, dictionary_limit: usize) -> FileCache {
        FileCache {
            dir,
            footers: ByteCache::new(footer_limit),
            indexes: IndexCache::default(),
            dictionaries: ByteCache::new(dictionary_limit),
            suspects: Mutex::default(),
        }
    }

    /// The lake's folder.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn footer(&self, file: &FileEntry) -> Result<Footer> {
        if let Some(footer) = self.footers.get(&file.path, 0) {
            return Ok(footer);
        }
        let footer = self.record_damage(file, self.read_footer(file))?;
        let bytes = footer.metadata.memory_size() + footer.sums.as_ref().map_or(0, |sums| sums.memory_size());
        self.footers.insert(&file.path, 0, &footer, bytes);
        Ok(footer)
    }

    fn read_footer(&self, file: &FileEntry) -> Result<Footer> {
        let opened = file.open(&self.dir)?;
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .parse_and_finish(&opened)
            .map_err(|error| file.damaged("its footer can't be read", error))?;
        Ok(Footer { metadata: Arc::new(metadata), sums: opened.sums() })
    }

    /// The index inside the file, if it has one.
    pub(super) fn index(&self, file: &FileEntry) -> Result<Option<Arc<FileIndex>>> {
        let open = || {
            let footer = self.footer(file)?;
            FileIndex::open(&self.dir, file, &footer.metadata, footer.sums.as_deref())
        };
        self.indexes.get(&file.path, || self.record_damage(file, open()))
    }

    /// Reads a range of a file by `read`, through the cache if the range is a dictionary.
    pub(super) fn read_range(
        &self,
        file: &FileEntry,
        footer: &Footer,
        range: &Range<u64>,
        read: impl FnOnce() -> Result<Bytes>,
    ) -> Result<Bytes> {
        if !is_dictionary(&footer.metadata, range) {
            return read();
        }
        if let Some(dictionary) = self.dictionaries.get(&file.path, range.start) {
            return Ok(dictionary);
        }
        let dictionary = read()?;
        self.dictionaries.insert(&file.path, range.start, &dictionary, dictionary.len());
        Ok(dictionary)
    }

    /// Drops entries of files that the latest snapshot does not have: near the head each block has a file, which compaction
    /// soon replaces.
    pub(super) fn retain(&self, live: &HashSet<&str>) {
        self.footers.retain(live);
        self.indexes.retain(live);
        self.dictionaries.retain(live);
    }

    /// Files with cached entries.
    #[cfg(test)]
    pub(super) fn cached_paths(&self) -> BTreeSet<String> {
        let paths = [self.footers.cached_paths(), self.indexes.cached_paths(), self.dictionaries.cached_paths()];
        paths.into_iter().flatten().collect()
    }

    /// Marks the file for the scrub if the result is an error about damage.
    pub(super) fn record_damage<T>(&self, file: &FileEntry, result: Result<T>) -> Result<T> {
        if result.as_ref().is_err_and(|error| error.code == ErrorCode::DamagedFile) {
            self.suspects.lock().unwrap_or_else(PoisonError::into_inner).insert(file.path.clone());
        }
        result
    }

    /// Takes one of the files that were found damaged.
    pub(super) fn take_suspect(&self) -> Option<String> {
        self.suspects.lock().unwrap_or_else(PoisonError::into_inner).pop_first()
    }
}

/// Whether a range of a file is exactly the dictionary of a column in a row group.
fn is_dictionary(footer: &ParquetMetaData, range: &Range<u64>) -> bool {
    let start = |group: &RowGroupMetaData| group.columns().first().map_or(0, |column| column.byte_range().0);
    let groups = footer.row_groups();
    let after = groups.partition_point(|group| start(group) <= range.start);
    let columns = after.checked_sub(1).map_or(&[][..], |group| groups[group].columns());
    columns.iter().any(|column| {
        let pages = column.dictionary_page_offset().zip(Some(column.data_page_offset()));
        let pages = pages.and_then(|(start, end)| Some(u64::try_from(start).ok()?..u64::try_from(end).ok()?));
        pages.as_ref() == Some(range)
    })
}
