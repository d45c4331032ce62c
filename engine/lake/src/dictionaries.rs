//! Dictionaries of lake files in memory. Addresses are written once per row group and named by number: a reader of a single
//! row needs all of them, up to a megabyte, and look-ups come to the same row groups again and again. A lake file never
//! changes under its name, so what was read once holds for ever.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use lru::LruCache;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

/// Dictionaries of one lake, bounded by bytes; those that were used longest ago go first.
#[derive(Debug)]
pub(super) struct Dictionaries {
    limit: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// By the path of their file and where they begin in it.
    pages: LruCache<(String, u64), Bytes>,
    bytes: usize,
}

impl Dictionaries {
    pub(super) fn new(limit: usize) -> Dictionaries {
        Dictionaries { limit, kept: Mutex::new(Kept { pages: LruCache::unbounded(), bytes: 0 }) }
    }

    /// The dictionary that begins at a place of a file, if it is kept.
    pub(super) fn get(&self, path: &str, start: u64) -> Option<Bytes> {
        self.lock().pages.get(&(path.to_string(), start)).cloned()
    }

    pub(super) fn keep(&self, path: &str, start: u64, dictionary: &Bytes) {
        let mut kept = self.lock();
        kept.bytes += dictionary.len();
        if let Some(same) = kept.pages.put((path.to_string(), start), dictionary.clone()) {
            kept.bytes -= same.len();
        }
        while kept.bytes > self.limit {
            let Some((_, oldest)) = kept.pages.pop_lru() else { return };
            kept.bytes -= oldest.len();
        }
    }

    /// Drops the dictionaries of other files.
    pub(super) fn retain(&self, live: &HashSet<&str>) {
        let mut kept = self.lock();
        let gone: Vec<_> =
            kept.pages.iter().map(|(key, _)| key).filter(|key| !live.contains(key.0.as_str())).cloned().collect();
        for key in gone {
            kept.bytes -= kept.pages.pop(&key).map_or(0, |dictionary| dictionary.len());
        }
    }

    #[cfg(test)]
    pub(super) fn cached_paths(&self) -> Vec<String> {
        self.lock().pages.iter().map(|((path, _), _)| path.clone()).collect()
    }

    /// A panic elsewhere can't leave the pages half changed in a way that matters: they are only a cache.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a range of a file is the dictionary of a column in a row group, and nothing else.
pub(super) fn is_dictionary(footer: &ParquetMetaData, range: &Range<u64>) -> bool {
    let begins = |group: &RowGroupMetaData| group.columns().first().map_or(0, |column| column.byte_range().0);
    let groups = footer.row_groups();
    let after = groups.partition_point(|group| begins(group) <= range.start);
    let columns = after.checked_sub(1).map_or(&[][..], |group| groups[group].columns());
    columns.iter().any(|column| {
        let pages = column.dictionary_page_offset().zip(Some(column.data_page_offset()));
        let pages = pages.and_then(|(start, end)| Some(u64::try_from(start).ok()?..u64::try_from(end).ok()?));
        pages.as_ref() == Some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_used_longest_ago_go_first() {
        let dictionaries = Dictionaries::new(10);
        let page = |letter: u8, bytes: usize| Bytes::from(vec![letter; bytes]);
        dictionaries.keep("a", 4, &page(1, 4));
        dictionaries.keep("b", 4, &page(2, 4));
        assert_eq!(dictionaries.get("a", 4), Some(page(1, 4)));
        assert_eq!(dictionaries.get("a", 5), None);
        dictionaries.keep("c", 4, &page(3, 4));
        assert_eq!(dictionaries.get("b", 4), None);
        assert_eq!(dictionaries.get("a", 4), Some(page(1, 4)));
        // The same again takes no more room, and what is larger than all room is not kept.
        dictionaries.keep("a", 4, &page(1, 4));
        assert_eq!(dictionaries.get("c", 4), Some(page(3, 4)));
        dictionaries.keep("d", 4, &page(4, 11));
        assert_eq!(dictionaries.get("d", 4), None);
        assert_eq!(dictionaries.lock().bytes, 0);
    }
}
