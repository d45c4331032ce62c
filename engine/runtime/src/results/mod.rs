//! Stored results: every finished query leaves one Arrow file and a small description; pages and exports read from there.

mod csv;
mod export;
mod graph;
mod json;
mod portable;
mod read;
mod row_bytes;
#[cfg(test)]
mod tests;
mod write;
mod xlsx;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::abandoned_files::{is_abandoned, is_left};
use quarry_lake::checksums::{Checksums, unsealed};
use quarry_types::type_names::ResultColumn;
use quarry_types::{Error, ErrorCode, Result};

pub use export::log_failure;
pub use export::{ExportStream, Format};
pub use graph::ResultGraph;
pub use read::StoredResult;
pub use write::{ResultLimits, ResultWriter};

/// The folder of stored results. Clones are the same store.
#[derive(Debug, Clone)]
pub struct ResultStore {
    dir: PathBuf,
}

/// What is written beside the rows of a result.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    columns: Vec<ResultColumn>,
    rows: u64,
    bytes: u64,
    /// Rows of each record batch of the file, in order: finds the batch of an offset without reading the file.
    batches: Vec<u64>,
    /// Of the file; results of an earlier version have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksums: Option<Checksums>,
}

const DATA: &str = "arrow";
const META: &str = "json";
const PART: &str = "part";
const GRAPH: &str = "graph";

impl ResultStore {
    /// Opens the folder, makes it when it is missing, and removes what a killed process left half written. Another process
    /// may write here now: it holds the lock of its file, and what has no lock must be older than any query runs.
    pub fn open(dir: &Path) -> Result<ResultStore> {
        std::fs::create_dir_all(dir).map_err(|error| unusable(dir, error))?;
        for entry in std::fs::read_dir(dir).map_err(|error| unusable(dir, error))? {
            let entry = entry.map_err(|error| unusable(dir, error))?;
            let path = entry.path();
            let is = |wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
            let half_written = is(DATA) && !path.with_extension(META).exists() || is(PART);
            if half_written && (is_abandoned(&entry) || is(PART) && is_left(&entry)) {
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
        let meta: Meta = serde_json::from_slice(unsealed(&meta).map_err(damaged)?).map_err(damaged)?;
        Ok(StoredResult::new(self.file(id, DATA), meta))
    }

    /// Stores the result of one job as that of another too, without copying its rows.
    pub fn share(&self, from: &str, to: &str) -> Result<StoredResult> {
        check_id(from)?;
        check_id(to)?;
        let stored = self.get(from)?;
        // Rows first: the description makes them visible.
        for extension in [DATA, META] {
            let (source, target) = (self.file(from, extension), self.file(to, extension));
            if std::fs::hard_link(&source, &target).is_err() {
                std::fs::copy(&source, &target).map_err(Error::internal)?;
            }
        }
        Ok(stored)
    }

    /// Removes a stored result; a missing one is fine.
    pub fn remove(&self, id: &str) -> Result<()> {
        check_id(id)?;
        // The description goes first: without it the rest counts as half written and is cleaned up at the next start.
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
        Ok(stored.map_err(Error::internal)?.elapsed().unwrap_or_default())
    }

    /// Ids of the stored results.
    pub fn list(&self) -> Result<Vec<String>> {
        let mut ids = Vec::new();
        for entry in std::fs::read_dir(&self.dir).map_err(Error::internal)? {
            let path = entry.map_err(Error::internal)?.path();
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

/// An id becomes part of a file name, so it holds nothing that could leave the folder.
pub fn check_id(id: &str) -> Result<()> {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if id.is_empty() || id.len() > 64 || !id.chars().all(fine) {
        return Err(Error::new(ErrorCode::InvalidInput, "A job's id has 1 to 64 letters, digits, - or _."));
    }
    Ok(())
}

/// A stored result differs from what was written.
fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorCode::DamagedFile, "The stored result is damaged; run the query again.").because(error)
}

fn unusable(dir: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("The folder {} can't be used for results: {error}.", dir.display()))
        .because(error)
}
