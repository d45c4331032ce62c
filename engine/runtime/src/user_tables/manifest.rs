//! The manifest of a schema: a JSON file that lists its tables and their files. It is replaced atomically.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use serde::{Deserialize, Serialize};

use quarry_lake::checksums::{Checksums, append_checksum, strip_checksum};
use quarry_types::{Error, ErrorCode, Result};

const NAME: &str = "tables.json";
/// How long a retired file stays, in milliseconds: older queries may still read it.
const RETIRED_GRACE: u64 = 2 * 3600 * 1000;
/// The same if space is needed, in milliseconds.
const MIN_RETIRED_GRACE: u64 = 10 * 60 * 1000;
/// Age in milliseconds at which an unlocked file of no table belongs to a killed process. Writers lock their file right after
/// creating it.
const ABANDONED: u64 = 60 * 1000;

/// Tables by name, and retired files, which no longer belong to one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub tables: BTreeMap<String, Entry>,
    #[serde(default)]
    retired: Vec<Retired>,
}

/// One table; times are milliseconds since 1970.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The Arrow schema as an IPC stream without batches, in hex.
    pub schema: String,
    pub files: Vec<DataFile>,
    pub created: u64,
    pub modified: u64,
}

/// One Parquet file of a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct DataFile {
    pub name: String,
    pub rows: u64,
    pub bytes: u64,
    /// `None` for files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksums: Option<Checksums>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Retired {
    name: String,
    at: u64,
    /// 0 for files that an older version retired.
    #[serde(default)]
    bytes: u64,
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let message = "A user's list of tables is damaged; restore its tables.json from a backup.";
    Error::new(ErrorCode::DamagedFile, message).because(error)
}

impl Manifest {
    /// Reads the manifest of a folder; an empty one if there is none.
    pub fn read(dir: &Path) -> Result<Manifest> {
        match std::fs::read(Manifest::file(dir)) {
            Ok(text) => {
                let text = strip_checksum(&text).map_err(damaged)?;
                serde_json::from_slice(text).map_err(damaged)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Manifest::default()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Path of the manifest of a folder.
    pub fn file(dir: &Path) -> PathBuf {
        dir.join(NAME)
    }

    /// Replaces the manifest of a folder, durably.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let text = append_checksum(serde_json::to_vec(self)?);
        let new = dir.join("tables.json.new");
        std::fs::write(&new, text)?;
        File::open(&new)?.sync_all()?;
        std::fs::rename(&new, Manifest::file(dir))?;
        Ok(File::open(dir)?.sync_all()?)
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(Entry::bytes).sum()
    }

    /// Retires files of a table, without removing them from disk yet.
    pub fn retire(&mut self, files: Vec<DataFile>) {
        let at = now();
        self.retired.extend(files.into_iter().map(|file| Retired { name: file.name, at, bytes: file.bytes }));
    }

    /// Bytes of retired files that can't be removed yet, even if space is needed.
    pub fn unremovable_bytes(&self) -> u64 {
        let now = now();
        let recent = self.retired.iter().filter(|file| now.saturating_sub(file.at) < MIN_RETIRED_GRACE);
        recent.map(|file| file.bytes).sum()
    }

    /// Removes retired files, the oldest first, until at most `max_bytes` of them are left.
    pub fn remove_retired(&mut self, dir: &Path, max_bytes: u64) {
        let now = now();
        let mut bytes: u64 = self.retired.iter().map(|file| file.bytes).sum();
        // They are in the order of their retirement.
        self.retired.retain(|file| {
            let can_go = bytes > max_bytes && now.saturating_sub(file.at) >= MIN_RETIRED_GRACE;
            let is_removed = can_go && remove(&dir.join(&file.name));
            if is_removed {
                bytes = bytes.saturating_sub(file.bytes);
            }
            !is_removed
        });
    }

    /// Removes files that nobody can be reading any more, and files of killed processes. Returns whether the manifest changed. A file
    /// that can't be removed is tried again next time.
    pub fn clean(&mut self, dir: &Path) -> bool {
        let (now, before) = (now(), self.retired.len());
        self.retired.retain(|file| now.saturating_sub(file.at) < RETIRED_GRACE || !remove(&dir.join(&file.name)));
        let changed = self.retired.len() < before;
        let Ok(entries) = std::fs::read_dir(dir) else { return changed };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let live = self.tables.values().flat_map(|table| &table.files).any(|file| file.name == name)
                || self.retired.iter().any(|file| file.name == name);
            let age = entry.metadata().and_then(|data| data.modified()).map_or(0, |at| now.saturating_sub(ms(at)));
            if name.ends_with(".parquet") && !live && age > ABANDONED && is_unlocked(&entry.path()) {
                remove(&entry.path());
            }
        }
        changed
    }
}

/// Removes a file and returns whether it is gone.
fn remove(path: &Path) -> bool {
    match std::fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Whether no writer has locked the file.
fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

impl Entry {
    pub fn new(schema: &SchemaRef) -> Result<Entry> {
        Ok(Entry { schema: encode(schema)?, files: Vec::new(), created: now(), modified: now() })
    }

    pub fn arrow(&self) -> Result<SchemaRef> {
        let bytes = hex::decode(&self.schema).map_err(Error::internal)?;
        Ok(StreamReader::try_new(Cursor::new(bytes), None)?.schema())
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }
}

fn encode(schema: &SchemaRef) -> Result<String> {
    let mut bytes = Vec::new();
    StreamWriter::try_new(&mut bytes, schema).and_then(|mut stream| stream.finish())?;
    Ok(hex::encode(bytes))
}

pub(super) fn now() -> u64 {
    ms(SystemTime::now())
}

fn ms(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
