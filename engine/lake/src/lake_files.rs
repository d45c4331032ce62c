//! The files of a lake without its catalogue.

use std::path::Path;
use std::sync::Arc;

use super::file_cache::FileCache;
use super::options::LakeOptions;
use quarry_types::{Error, ErrorCode, Result};

/// Reads the files of scans that another process planned. Clones share their caches.
///
/// The catalogue stays closed: SQLite's write-ahead log must not be opened from several machines.
#[derive(Debug, Clone)]
pub struct LakeFiles {
    cache: Arc<FileCache>,
}

impl LakeFiles {
    /// The files in the folder of a lake. Writes nothing.
    ///
    /// # Errors
    ///
    /// The folder does not exist or can't be read.
    pub fn open(dir: &Path, options: &LakeOptions) -> Result<LakeFiles> {
        let dir = dir.canonicalize().map_err(|error| unusable(dir, &error))?;
        let cache = FileCache::new(dir, options.footer_cache_bytes, options.dictionary_cache_bytes);
        Ok(LakeFiles::of_cache(Arc::new(cache)))
    }

    pub(super) fn of_cache(cache: Arc<FileCache>) -> LakeFiles {
        LakeFiles { cache }
    }

    pub(super) fn cache(&self) -> &Arc<FileCache> {
        &self.cache
    }
}

/// The error of a folder that can't be a lake's.
pub(super) fn unusable(dir: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("The lake's folder {} can't be used: {error}.", dir.display()))
}
