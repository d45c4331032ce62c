//! Options of a lake.

use std::time::Duration;

/// How a lake writes, keeps and caches its files.
#[derive(Debug, Clone)]
pub struct LakeOptions {
    /// Bytes after which a file ends at the next block boundary.
    pub target_file_bytes: usize,
    /// Rows of a row group.
    pub row_group_rows: usize,
    /// Rows of a slot of the index; more in files with more rows than slots.
    pub index_rows: usize,
    /// Zstandard level of every column.
    pub zstd_level: i32,
    /// The same for files that compaction will soon rewrite: a higher level would slow ingest down for little.
    pub first_zstd_level: i32,
    /// How long a retired file stays on disk: longer than the longest query runs.
    pub retired_grace: Duration,
    /// Bytes of Parquet footers that are cached in memory.
    pub footer_cache_bytes: usize,
    /// Bytes of dictionaries that are cached in memory.
    pub dictionary_cache_bytes: usize,
}

impl Default for LakeOptions {
    fn default() -> LakeOptions {
        LakeOptions {
            target_file_bytes: 192 << 20,
            row_group_rows: 64 << 10,
            index_rows: 1,
            zstd_level: 3,
            first_zstd_level: 1,
            retired_grace: Duration::from_secs(24 * 3600),
            footer_cache_bytes: 256 << 20,
            dictionary_cache_bytes: 256 << 20,
        }
    }
}
