//! Stored results: each finished query writes an Arrow file and a JSON description, from which pages and exports are read.

mod csv;
mod export;
mod export_types;
mod graph;
mod json;
mod read;
mod row_bytes;
#[cfg(test)]
mod tests;
mod write;
mod xlsx;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::abandoned_files::{is_abandoned, is_unlocked};
use quarry_lake::checksums::{Checksums, strip_checksum};
use quarry_types::type_names::ResultColumn;
use quarry_types::{Error, ErrorCode, Result};

pub use export::{ExportStream, Format, log_failure};
pub use graph::ResultGraph;
pub use read::StoredResult;
pub use write::{ResultLimits, ResultWriter};

/// The folder of stored results. Clones are the same store.
#[derive(Debug, Clone)]
pub struct ResultStore {
    dir: PathBuf,
}

/// Description of a result, next to its rows.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    columns: Vec<ResultColumn>,
    rows: u64,
    bytes: u64,
    /// Rows of each record batch, to find the batch of an offset.
    batches: Vec<u64>,
    /// `None` for results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksums: Option<Checksums>,
}

const DATA: &str = "arrow";
const META: &str = "json";
const PART: &str = "part";
const GRAPH: &str = "graph";

impl ResultStore {
    /// Opens or creates the folder, and removes incomplete files of killed processes. Files of other live processes are locked, or
    /// younger than any query runs.
    pub fn open(dir: &Path) -> Result<ResultStore> {
        std::fs::create_dir_all(dir).map_err(|error| unusable(dir, error))?;
        for entry in std::fs::read_dir(dir).map_err(|error| unusable(dir, error))? {
            let entry = entry.map_err(|error| unusable(dir, error))?;
            let path = entry.path();
            let is = |expected: &str| path.extension().is_some_and(|extension| extension == expected);
            let is_incomplete = is(DATA) && !path.with_extension(META).exists() || is(PART);
            if is_incomplete && (is_abandoned(&entry) || is(PART) && is_unlocked(&entry)) {
                std::fs::remove_file(&path).map_err(|error| unusable(dir, error))?;
            }
        }
        Ok(ResultStore { dir: dir.to_path_buf() })
    }

    /// The stored result of a finished job.
    pub fn get(&self, id: &str) -> Result<StoredResult> {
        check_id(id)?;
        let meta = match std::fs::read(self.file(id, META)) {
            Ok(meta) => meta,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::new(ErrorCode::NotFound, format!("There is no stored result of job {id}.")));
            }
            Err(error) => return Err(Error::internal(error)),
        };
        let meta: Meta = serde_json::from_slice(strip_checksum(&meta).map_err(damaged)?).map_err(damaged)?;
        Ok(StoredResult::new(self.file(id, DATA), meta))
    }

    /// Stores the result of one job also as that of another, without copying its rows.
    pub fn share(&self, from: &str, to: &str) -> Result<StoredResult> {
        check_id(from)?;
        check_id(to)?;
        let stored = self.get(from)?;
        // The description makes the rows visible.
        for extension in [DATA, META] {
            let (source, target) = (self.file(from, extension), self.file(to, extension));
            if std::fs::hard_link(&source, &target).is_err() {
                std::fs::copy(&source, &target)?;
            }
        }
        Ok(stored)
    }

    /// Removes a stored result, if there is one.
    pub fn remove(&self, id: &str) -> Result<()> {
        check_id(id)?;
        // Without the description, the rest counts as incomplete and is removed at the next start.
        for extension in [META, GRAPH, DATA] {
            match std::fs::remove_file(self.file(id, extension)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::internal(error)),
                _ => {}
            }
        }
        Ok(())
    }

    /// How long ago a result was stored.
    pub fn age(&self, id: &str) -> Result<Duration> {
        check_id(id)?;
        let stored = std::fs::metadata(self.file(id, META)).and_then(|meta| meta.modified());
        Ok(stored?.elapsed().unwrap_or_default())
    }

    /// Ids of the stored results.
    pub fn list(&self) -> Result<Vec<String>> {
        let mut ids = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == META)
                && let Some(id) = path.file_stem().and_then(|stem| stem.to_str())
            {
                ids.push(id.to_string());
            }
        }
        ids.sort();
        Ok(ids)
    }

    fn file(&self, id: &str, extension: &str) -> PathBuf {
        self.dir.join(format!("{id}.{extension}"))
    }
}

/// Checks an id, which becomes a part of file names.
pub fn check_id(id: &str) -> Result<()> {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if id.is_empty() || id.len() > 64 || !id.chars().all(is_valid) {
        return Err(Error::new(ErrorCode::InvalidInput, "A job id must have 1 to 64 letters, digits, - or _."));
    }
    Ok(())
}

/// The error of a stored result that can't be read.
fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorCode::DamagedFile, "The stored result is damaged; run the query again.").because(error)
}

fn unusable(dir: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("The folder {} can't be used for results: {error}.", dir.display()))
        .because(error)
}
