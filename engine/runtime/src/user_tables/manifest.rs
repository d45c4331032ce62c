//! What a schema holds: one JSON file, replaced as a whole, so that a reader sees every change or none of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use serde::{Deserialize, Serialize};

use quarry_lake::checksums::{Checksums, sealed, unsealed};
use quarry_types::{Error, ErrorCode, Result};

const NAME: &str = "tables.json";
/// A file that left its table stays this long, in milliseconds: a query that began before may still read it.
const KEEP_RETIRED: u64 = 2 * 3600 * 1000;
/// Where room is needed, a file that left its table goes after this time already, in milliseconds.
const KEEP_CROWDED: u64 = 10 * 60 * 1000;
/// A file that no table names and nobody holds is left over from a killed process when it is this old, in milliseconds:
/// its writer holds it from a moment after it was made.
const ABANDONED: u64 = 60 * 1000;

/// Tables by name, and files that are no longer part of one.
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
    /// Of its bytes; files of an earlier release have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksums: Option<Checksums>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Retired {
    name: String,
    at: u64,
    /// Not known of files that an earlier release took out of their table.
    #[serde(default)]
    bytes: u64,
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let message = "The list of the tables of a user is damaged: put its tables.json back from a backup.";
    Error::new(ErrorCode::DamagedFile, message).because(error)
}

impl Manifest {
    /// The tables of a schema's folder; a folder that is not there holds none.
    pub fn read(dir: &Path) -> Result<Manifest> {
        match std::fs::read(Manifest::file(dir)) {
            Ok(text) => {
                let text = unsealed(&text).map_err(damaged)?;
                serde_json::from_slice(text).map_err(damaged)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Manifest::default()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Where a folder has its manifest.
    pub fn file(dir: &Path) -> PathBuf {
        dir.join(NAME)
    }

    /// Puts this one in the place of the old one, durable.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let text = sealed(serde_json::to_vec(self).map_err(Error::internal)?);
        let aside = dir.join("tables.json.new");
        std::fs::write(&aside, text).map_err(Error::internal)?;
        File::open(&aside).and_then(|file| file.sync_all()).map_err(Error::internal)?;
        std::fs::rename(&aside, Manifest::file(dir)).map_err(Error::internal)?;
        File::open(dir).and_then(|folder| folder.sync_all()).map_err(Error::internal)
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(Entry::bytes).sum()
    }

    /// Takes files out of their table without removing them from disk yet.
    pub fn retire(&mut self, files: Vec<DataFile>) {
        let at = now();
        self.retired.extend(files.into_iter().map(|file| Retired { name: file.name, at, bytes: file.bytes }));
    }

    /// Bytes of files that left their table and can't be removed yet, even where room is needed.
    pub fn waiting(&self) -> u64 {
        let now = now();
        let young = self.retired.iter().filter(|file| now.saturating_sub(file.at) < KEEP_CROWDED);
        young.map(|file| file.bytes).sum()
    }

    /// Removes files that left their table, the oldest first, until no more than `most` bytes of them are left.
    pub fn make_room(&mut self, dir: &Path, most: u64) {
        let now = now();
        let mut bytes: u64 = self.retired.iter().map(|file| file.bytes).sum();
        // They are in the order in which they left.
        self.retired.retain(|file| {
            let goes = bytes > most && now.saturating_sub(file.at) >= KEEP_CROWDED && removed(&dir.join(&file.name));
            if goes {
                bytes = bytes.saturating_sub(file.bytes);
            }
            !goes
        });
    }

    /// Removes files that nobody can be reading any more, and what killed processes left; says whether the manifest changed.
    /// A file that can't be removed now is tried again next time.
    pub fn clean(&mut self, dir: &Path) -> bool {
        let (now, before) = (now(), self.retired.len());
        self.retired.retain(|file| now.saturating_sub(file.at) < KEEP_RETIRED || !removed(&dir.join(&file.name)));
        let changed = self.retired.len() < before;
        let Ok(entries) = std::fs::read_dir(dir) else { return changed };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let live = self.tables.values().flat_map(|table| &table.files).any(|file| file.name == name)
                || self.retired.iter().any(|file| file.name == name);
            let age = entry.metadata().and_then(|data| data.modified()).map_or(0, |at| now.saturating_sub(ms(at)));
            if name.ends_with(".parquet") && !live && age > ABANDONED && is_free(&entry.path()) {
                removed(&entry.path());
            }
        }
        changed
    }
}

/// Removes a file; one that is gone already is as good.
fn removed(path: &Path) -> bool {
    match std::fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Whether no writer holds the file.
fn is_free(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

impl Entry {
    pub fn new(schema: &SchemaRef) -> Result<Entry> {
        Ok(Entry { schema: encode(schema)?, files: Vec::new(), created: now(), modified: now() })
    }

    pub fn arrow(&self) -> Result<SchemaRef> {
        let bytes = hex::decode(&self.schema).map_err(Error::internal)?;
        Ok(StreamReader::try_new(Cursor::new(bytes), None).map_err(Error::internal)?.schema())
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
    StreamWriter::try_new(&mut bytes, schema).and_then(|mut stream| stream.finish()).map_err(Error::internal)?;
    Ok(hex::encode(bytes))
}

pub(super) fn now() -> u64 {
    ms(SystemTime::now())
}

fn ms(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
