//! Looks keys up in the index of a file.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::file::metadata::ParquetMetaData;

use super::super::snapshot::FileEntry;
use super::{BLOCK, ColumnIndex, ENTRY, IndexLocation, IndexPredicate, METADATA_KEY, VERSIONS, key};
use crate::checksums::{BlockSums, read_at};
use quarry_types::Result;

/// Directories of the indexes of a lake, by file.
#[derive(Debug, Default)]
pub(crate) struct IndexCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    by_path: HashMap<String, Option<Arc<FileIndex>>>,
    /// How many of them keep their file open.
    open: usize,
}

/// Files whose directories are cached; one more empties the cache.
const MAX_CACHED: usize = 10_000;
/// Files that stay open; others are opened for each lookup, since a process may open only so many.
const MAX_OPEN: usize = 256;

impl IndexCache {
    /// The index of a file, if it has one; `open` reads its directories if they are not cached.
    pub(crate) fn get(
        &self,
        path: &str,
        open: impl FnOnce() -> Result<Option<FileIndex>>,
    ) -> Result<Option<Arc<FileIndex>>> {
        // A panic elsewhere leaves at worst a wrong count of open files.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().by_path.get(path) {
            return Ok(known.clone());
        }
        let mut index = open()?;
        let mut cached = lock();
        if cached.by_path.len() >= MAX_CACHED {
            *cached = Cached::default();
        }
        if let Some(index) = &mut index {
            if cached.open < MAX_OPEN {
                cached.open += 1;
            } else {
                index.file = None;
            }
        }
        let index = index.map(Arc::new);
        cached.by_path.insert(path.to_string(), index.clone());
        Ok(index)
    }

    #[cfg(test)]
    pub(crate) fn cached_paths(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_path.keys().cloned().collect()
    }

    /// Drops the indexes of files that are not `live` and closes them: a deleted file takes space while it is open.
    pub(crate) fn retain(&self, live: &HashSet<&str>) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.by_path.retain(|path, _| live.contains(path.as_str()));
        cached.open = cached.by_path.values().flatten().filter(|index| index.file.is_some()).count();
    }
}

/// Rows that may match.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IndexMatches {
    /// Ascending, counted from the file's first row.
    pub(crate) ranges: Vec<Range<usize>>,
    /// Number of slots that the ranges were built from.
    pub(crate) slots: usize,
}

/// The directories of one file's index.
#[derive(Debug)]
pub(crate) struct FileIndex {
    slot_rows: usize,
    columns: HashMap<String, Directory>,
    /// Open, if the cache has room.
    file: Option<File>,
    dir: PathBuf,
    /// Checksums of the blocks of the index.
    sums: Option<BlockSums>,
}

#[derive(Debug)]
struct Directory {
    slot_bits: u32,
    /// Keys that are left out.
    common: Vec<u64>,
    /// First number of each block.
    first: Vec<u64>,
    /// Start of each block, and the end of the last one.
    starts: Vec<u64>,
}

impl FileIndex {
    /// The index of the file with this footer, if it has one of a known version.
    pub(crate) fn open(
        dir: &Path,
        entry: &FileEntry,
        footer: &ParquetMetaData,
        sums: Option<&BlockSums>,
    ) -> Result<Option<FileIndex>> {
        let metadata = footer.file_metadata().key_value_metadata();
        let text =
            metadata.into_iter().flatten().find(|entry| entry.key == METADATA_KEY).and_then(|e| e.value.as_ref());
        let Some(location) = text.and_then(|text| serde_json::from_str::<IndexLocation>(text).ok()) else {
            return Ok(None);
        };
        if !VERSIONS.contains(&location.version) || location.slot_rows == 0 {
            return Ok(None);
        }
        let file = entry.open_unverified(dir)?;
        let damaged = |error| entry.damaged("its index can't be read or has changed", error);
        let start = location.columns.values().map(|column| column.offset).min().unwrap_or_default();
        let sums = sums.map(|sums| sums.starting_at(start));
        let mut columns = HashMap::new();
        for (name, column) in location.columns {
            let directory = Directory::read(&file, sums.as_ref(), column, entry.bytes);
            columns.insert(name, directory.map_err(damaged)?);
        }
        let slot_rows = location.slot_rows;
        Ok(Some(FileIndex { slot_rows, columns, file: Some(file), dir: dir.to_path_buf(), sums }))
    }

    /// The rows of the file that may match a predicate; `None` if the index can't decide it.
    pub(crate) fn find(&self, entry: &FileEntry, predicate: &IndexPredicate) -> Result<Option<IndexMatches>> {
        let rows = entry.rows as usize;
        let opened;
        let file = match &self.file {
            Some(file) => file,
            None => {
                opened = entry.open_unverified(&self.dir)?;
                &opened
            }
        };
        let damaged = |error| entry.damaged("its index can't be read or has changed", error);
        let slots = self.slots(file, predicate).map_err(damaged)?;
        Ok(slots.map(|slots| {
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for slot in &slots {
                let range = *slot as usize * self.slot_rows..((*slot as usize + 1) * self.slot_rows).min(rows);
                match ranges.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => ranges.push(range),
                }
            }
            IndexMatches { ranges, slots: slots.len() }
        }))
    }

    /// Ascending slots without duplicates.
    fn slots(&self, file: &File, predicate: &IndexPredicate) -> std::io::Result<Option<Vec<u32>>> {
        match predicate {
            IndexPredicate::Values { column, values } => {
                let Some(directory) = self.columns.get(column) else { return Ok(None) };
                let keys: Vec<u64> = values.iter().map(|value| key(value)).collect();
                if keys.iter().any(|key| directory.common.contains(key)) {
                    return Ok(None);
                }
                let mut slots = Vec::new();
                for key in keys {
                    directory.find(file, self.sums.as_ref(), key, &mut slots)?;
                }
                Ok(Some(sorted(slots)))
            }
            IndexPredicate::Any(predicates) => {
                let mut union = Vec::new();
                for predicate in predicates {
                    let Some(slots) = self.slots(file, predicate)? else { return Ok(None) };
                    union.extend(slots);
                }
                Ok(Some(sorted(union)))
            }
            IndexPredicate::All(predicates) => {
                let mut by_cost: Vec<(usize, &IndexPredicate)> =
                    predicates.iter().map(|predicate| (self.scanned_slots(predicate), predicate)).collect();
                by_cost.sort_by_key(|(cost, _)| *cost);
                let mut common: Option<Vec<u32>> = None;
                for (cost, predicate) in by_cost {
                    if common.as_ref().is_some_and(|slots| cost / SCANNED_PER_SAVED > slots.len()) {
                        break;
                    }
                    if let Some(slots) = self.slots(file, predicate)? {
                        common = Some(match common {
                            Some(before) => intersection(before, &slots),
                            None => slots,
                        });
                    }
                }
                Ok(common)
            }
        }
    }

    /// About how many slots a predicate has to scan.
    fn scanned_slots(&self, predicate: &IndexPredicate) -> usize {
        match predicate {
            IndexPredicate::Values { column, values } => self
                .columns
                .get(column)
                .map_or(0, |directory| values.iter().map(|value| directory.blocks(key(value)).len() * BLOCK).sum()),
            IndexPredicate::Any(predicates) => predicates.iter().map(|predicate| self.scanned_slots(predicate)).sum(),
            IndexPredicate::All(predicates) => {
                predicates.iter().map(|predicate| self.scanned_slots(predicate)).min().unwrap_or(0)
            }
        }
    }
}

/// How many slots may be scanned to save reading one.
const SCANNED_PER_SAVED: usize = 4096;

/// The slots in both of two ascending lists.
pub(super) fn intersection(mut slots: Vec<u32>, others: &[u32]) -> Vec<u32> {
    let mut others = others.iter().peekable();
    slots.retain(|slot| {
        while others.next_if(|other| *other < slot).is_some() {}
        others.peek().is_some_and(|other| *other == slot)
    });
    slots
}

fn sorted(mut slots: Vec<u32>) -> Vec<u32> {
    slots.sort_unstable();
    slots.dedup();
    slots
}

impl Directory {
    fn read(file: &File, sums: Option<&BlockSums>, column: ColumnIndex, file_bytes: u64) -> std::io::Result<Directory> {
        let ColumnIndex { offset, blocks, slot_bits, common } = column;
        let length = u64::from(blocks) * ENTRY as u64;
        if slot_bits >= 64 || offset.checked_add(length).is_none_or(|end| end > file_bytes) {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let bytes = read_at(file, sums, offset..offset + length)?;
        let (mut first, mut starts) = (Vec::new(), vec![offset + length]);
        let mut start = offset + length;
        for entry in bytes.chunks_exact(ENTRY) {
            let (number, length) = entry.split_at(8);
            first.push(u64::from_le_bytes(number.try_into().map_err(|_| std::io::ErrorKind::InvalidData)?));
            let length = u32::from_le_bytes(length.try_into().map_err(|_| std::io::ErrorKind::InvalidData)?);
            start += u64::from(length);
            starts.push(start);
        }
        if start > file_bytes {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        Ok(Directory { slot_bits, common, first, starts })
    }

    /// The blocks that may have a key.
    fn blocks(&self, key: u64) -> Range<usize> {
        let (low, high) = self.numbers(key);
        // The block before the first one that starts at or after `low` may have the key too.
        let from = self.first.partition_point(|first| *first < low).saturating_sub(1);
        from..self.first.partition_point(|first| *first <= high)
    }

    /// The smallest and the largest number of a key.
    fn numbers(&self, key: u64) -> (u64, u64) {
        (key << self.slot_bits, (key << self.slot_bits) | ((1 << self.slot_bits) - 1))
    }

    fn find(&self, file: &File, sums: Option<&BlockSums>, key: u64, slots: &mut Vec<u32>) -> std::io::Result<()> {
        let (low, high) = self.numbers(key);
        for block in self.blocks(key) {
            let (start, end) = (self.starts[block], self.starts[block + 1]);
            let bytes = read_at(file, sums, start..end)?;
            let mut number = self.first[block];
            let mut rest = bytes.as_ref();
            loop {
                if number > high {
                    return Ok(());
                }
                if number >= low {
                    slots.push((number & (high ^ low)) as u32);
                }
                if rest.is_empty() {
                    break;
                }
                number = number.checked_add(varint(&mut rest)?).ok_or(std::io::ErrorKind::InvalidData)?;
            }
        }
        Ok(())
    }
}

fn varint(bytes: &mut &[u8]) -> std::io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().ok_or(std::io::ErrorKind::InvalidData)?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(std::io::ErrorKind::InvalidData.into())
}
