//! Looks keys up in the index of a file.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::file::metadata::ParquetMetaData;

use super::super::snapshot::FileEntry;
use super::{BLOCK, ENTRY, METADATA_KEY, Place, Section, VERSIONS, Wanted, key};
use crate::checksums::{BlockSums, read_at};
use quarry_types::Result;

/// Directories of the indexes of a lake, by file. A lake file never changes under its name.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    by_path: HashMap<String, Option<Arc<FileIndex>>>,
    /// Of them, how many keep their file open.
    open: usize,
}

/// Files whose directories are kept; beyond that all are read again.
const KEPT: usize = 10_000;
/// Files that stay open; those of all others are opened for each question, because a process may have only so many.
const KEPT_OPEN: usize = 256;

impl Indexes {
    /// The index of a file, if it has one; `open` reads its directories when they are not known yet.
    pub(crate) fn get(
        &self,
        path: &str,
        open: impl FnOnce() -> Result<Option<FileIndex>>,
    ) -> Result<Option<Arc<FileIndex>>> {
        // Only a cache: a panic elsewhere can't leave it half changed in a way that matters.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().by_path.get(path) {
            return Ok(known.clone());
        }
        let mut index = open()?;
        let mut held = lock();
        if held.by_path.len() >= KEPT {
            *held = Held::default();
        }
        if let Some(index) = &mut index {
            match held.open < KEPT_OPEN {
                true => held.open += 1,
                false => index.file = None,
            }
        }
        let index = index.map(Arc::new);
        held.by_path.insert(path.to_string(), index.clone());
        Ok(index)
    }

    #[cfg(test)]
    pub(crate) fn cached_paths(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_path.keys().cloned().collect()
    }

    /// Drops the indexes of other files, and closes those files: what is deleted takes space on disk while it is open.
    pub(crate) fn retain(&self, live: &HashSet<&str>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.by_path.retain(|path, _| live.contains(path.as_str()));
        held.open = held.by_path.values().flatten().filter(|index| index.file.is_some()).count();
    }
}

/// What an index answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Rising, counted from the file's first row.
    pub(crate) ranges: Vec<Range<usize>>,
    /// How many slots that is.
    pub(crate) slots: usize,
}

/// The directories of one file's index.
#[derive(Debug)]
pub(crate) struct FileIndex {
    slot_rows: usize,
    columns: HashMap<String, Directory>,
    /// Where it may stay open.
    file: Option<File>,
    dir: PathBuf,
    /// Checksums of the blocks that it lies in.
    sums: Option<BlockSums>,
}

#[derive(Debug)]
struct Directory {
    slot_bits: u32,
    /// Keys that it says nothing of.
    common: Vec<u64>,
    /// First number of each block.
    first: Vec<u64>,
    /// Where each block begins, and where the last one ends.
    starts: Vec<u64>,
}

impl FileIndex {
    /// The index of the file with this footer, if it has one that this build understands.
    pub(crate) fn open(
        dir: &Path,
        entry: &FileEntry,
        footer: &ParquetMetaData,
        sums: Option<&BlockSums>,
    ) -> Result<Option<FileIndex>> {
        let metadata = footer.file_metadata().key_value_metadata();
        let text =
            metadata.into_iter().flatten().find(|entry| entry.key == METADATA_KEY).and_then(|e| e.value.as_ref());
        let Some(place) = text.and_then(|text| serde_json::from_str::<Place>(text).ok()) else { return Ok(None) };
        if !VERSIONS.contains(&place.version) || place.slot_rows == 0 {
            return Ok(None);
        }
        let file = entry.open_unverified(dir)?;
        let damaged = |error| entry.damaged("its index can't be read or has changed", error);
        let begin = place.columns.values().map(|section| section.offset).min().unwrap_or_default();
        let sums = sums.map(|sums| sums.starting_at(begin));
        let mut columns = HashMap::new();
        for (name, section) in place.columns {
            let directory = Directory::read(&file, sums.as_ref(), section, entry.bytes);
            columns.insert(name, directory.map_err(damaged)?);
        }
        let slot_rows = place.slot_rows;
        Ok(Some(FileIndex { slot_rows, columns, file: Some(file), dir: dir.to_path_buf(), sums }))
    }

    /// Rows of the file in which alone rows can be for which `wanted` holds; `None`: it does not tell.
    pub(crate) fn rows(&self, entry: &FileEntry, wanted: &Wanted) -> Result<Option<Found>> {
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
        let slots = self.slots(file, wanted).map_err(damaged)?;
        Ok(slots.map(|slots| {
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for slot in &slots {
                let range = *slot as usize * self.slot_rows..((*slot as usize + 1) * self.slot_rows).min(rows);
                match ranges.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => ranges.push(range),
                }
            }
            Found { ranges, slots: slots.len() }
        }))
    }

    /// Rising slots without repetition.
    fn slots(&self, file: &File, wanted: &Wanted) -> std::io::Result<Option<Vec<u32>>> {
        match wanted {
            Wanted::Values { column, values } => {
                let Some(directory) = self.columns.get(column) else { return Ok(None) };
                let keys: Vec<u64> = values.iter().map(|value| key(value)).collect();
                if keys.iter().any(|key| directory.common.contains(key)) {
                    return Ok(None);
                }
                let mut slots = Vec::new();
                for key in keys {
                    directory.find(file, self.sums.as_ref(), key, &mut slots)?;
                }
                Ok(Some(rising(slots)))
            }
            Wanted::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let Some(slots) = self.slots(file, part)? else { return Ok(None) };
                    all.extend(slots);
                }
                Ok(Some(rising(all)))
            }
            Wanted::All(parts) => {
                let mut parts: Vec<(usize, &Wanted)> = parts.iter().map(|part| (self.most(part), part)).collect();
                parts.sort_by_key(|(most, _)| *most);
                let mut all: Option<Vec<u32>> = None;
                for (most, part) in parts {
                    if all.as_ref().is_some_and(|all| most / WORTH > all.len()) {
                        break;
                    }
                    if let Some(slots) = self.slots(file, part)? {
                        all = Some(match all {
                            Some(held) => in_both(held, &slots),
                            None => slots,
                        });
                    }
                }
                Ok(all)
            }
        }
    }

    /// About how many slots have to be looked through for a condition.
    fn most(&self, wanted: &Wanted) -> usize {
        match wanted {
            Wanted::Values { column, values } => self
                .columns
                .get(column)
                .map_or(0, |directory| values.iter().map(|value| directory.blocks(key(value)).len() * BLOCK).sum()),
            Wanted::Any(parts) => parts.iter().map(|part| self.most(part)).sum(),
            Wanted::All(parts) => parts.iter().map(|part| self.most(part)).min().unwrap_or(0),
        }
    }
}

/// How many slots may be looked through to spare the reading of one.
const WORTH: usize = 4096;

/// The slots that are in both of two rising lists.
pub(super) fn in_both(mut held: Vec<u32>, others: &[u32]) -> Vec<u32> {
    let mut others = others.iter().peekable();
    held.retain(|slot| {
        while others.next_if(|other| *other < slot).is_some() {}
        others.peek().is_some_and(|other| *other == slot)
    });
    held
}

fn rising(mut slots: Vec<u32>) -> Vec<u32> {
    slots.sort_unstable();
    slots.dedup();
    slots
}

impl Directory {
    fn read(file: &File, sums: Option<&BlockSums>, section: Section, file_bytes: u64) -> std::io::Result<Directory> {
        let Section { offset, blocks, slot_bits, common } = section;
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

    /// The blocks in which a key can be.
    fn blocks(&self, key: u64) -> Range<usize> {
        let (low, high) = self.numbers(key);
        // The block before the first one that begins at or after `low` may hold the key too.
        let from = self.first.partition_point(|first| *first < low).saturating_sub(1);
        from..self.first.partition_point(|first| *first <= high)
    }

    /// The least and the greatest number that a key can have.
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
