//! Writes a table: rows go to a new Parquet file, which is added to the manifest at the end.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rand::Rng;

use super::UserTables;
use super::manifest::{DataFile, Entry, Manifest, now};
use super::table::{UserTable, describe, exists_already, missing};
use crate::check_stopped;
use quarry_lake::checksums::{ChecksumWriter, begin_tail};
use quarry_types::{Error, ErrorCode, Result};

/// Bytes of a row group, which is buffered in memory.
const MAX_GROUP_BYTES: usize = 64 << 20;

/// What happens to an existing table of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// There must be none.
    Create,
    /// It is replaced, if there is one; the columns may differ.
    Replace,
    /// The rows are added to it; the columns must be the same.
    Append,
}

impl WriteMode {
    fn check(self, manifest: &Manifest, table: &str) -> Result<()> {
        match (self, manifest.tables.contains_key(table)) {
            (WriteMode::Create, true) => Err(exists_already(table)),
            (WriteMode::Append, false) => Err(missing(table)),
            _ => Ok(()),
        }
    }

    fn keeps_rows(self) -> bool {
        self == WriteMode::Append
    }
}

/// Bytes that a new file may have by the two limits of a schema.
#[derive(Debug, Clone, Copy)]
struct FileLimits {
    /// By the quota of its tables.
    quota: u64,
    /// By the limit on disk, which includes retired files.
    disk: u64,
}

/// A table that is being written.
pub struct TableWriter {
    tables: UserTables,
    schema: String,
    table: String,
    arrow: SchemaRef,
    mode: WriteMode,
    limits: FileLimits,
    name: String,
    path: PathBuf,
    file: Option<ArrowWriter<ChecksumWriter<File>>>,
    /// Locked until the file belongs to a table, so that no other process removes it.
    _held: File,
    rows: u64,
}

impl UserTables {
    /// Starts writing a table, which becomes visible with [`TableWriter::finish`]. Dropping the writer removes the file.
    pub fn writer(&self, schema: &str, table: &str, arrow: &SchemaRef, mode: WriteMode) -> Result<TableWriter> {
        let name = table.to_lowercase();
        self.names.table(&name)?;
        self.names.columns(arrow)?;
        let manifest = self.read(schema)?;
        mode.check(&manifest, &name)?;
        let folder = self.folder(schema)?;
        std::fs::create_dir_all(&folder)?;
        let freed = if mode.keeps_rows() { 0 } else { manifest.tables.get(&name).map_or(0, Entry::bytes) };
        let limits = FileLimits {
            quota: self.quota.saturating_sub(manifest.bytes().saturating_sub(freed)),
            disk: self.max_disk_bytes().saturating_sub(manifest.bytes().saturating_add(manifest.unremovable_bytes())),
        };
        TableWriter::start(self.clone(), schema, &name, arrow, mode, limits)
    }
}

impl TableWriter {
    fn start(
        tables: UserTables,
        schema: &str,
        table: &str,
        arrow: &SchemaRef,
        mode: WriteMode,
        limits: FileLimits,
    ) -> Result<TableWriter> {
        let name = format!("{table}-{:016x}.parquet", rand::rng().random::<u64>());
        let path = tables.folder(schema)?.join(&name);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(1 << 17))
            .set_max_row_group_bytes(Some(MAX_GROUP_BYTES))
            .build();
        let file = File::create_new(&path)?;
        let held = file.try_clone()?;
        held.lock()?;
        let file =
            ArrowWriter::try_new(ChecksumWriter::new(file), Arc::clone(arrow), Some(properties)).map_err(|error| {
                Error::new(ErrorCode::InvalidInput, "A column has a type that can't be stored in a table.")
                    .because(error)
            })?;
        Ok(TableWriter {
            tables,
            schema: schema.to_string(),
            table: table.to_string(),
            arrow: Arc::clone(arrow),
            mode,
            limits,
            name,
            path,
            file: Some(file),
            _held: held,
            rows: 0,
        })
    }

    /// Adds rows with the columns of the table, by position and type.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        check_stopped()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.arrow), batch.columns().to_vec())?;
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write(&batch)?;
        self.rows += batch.num_rows() as u64;
        let bytes = (file.bytes_written() + file.in_progress_size()) as u64;
        if bytes > self.limits.quota {
            return Err(self.quota_exceeded());
        }
        if bytes > self.limits.disk {
            return Err(self.disk_limit_exceeded());
        }
        Ok(())
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Makes all rows visible at once.
    pub fn finish(mut self) -> Result<UserTable> {
        let mut checksums = None;
        if let Some(mut file) = self.file.take() {
            file.flush()?;
            begin_tail(&mut file)?;
            file.finish()?;
            file.inner().inner().sync_all()?;
            checksums = Some(file.inner().checksums());
        }
        let bytes = std::fs::metadata(&self.path)?.len();
        let added = DataFile { name: self.name.clone(), rows: self.rows, bytes, checksums };
        let (tables, schema, table) = (self.tables.clone(), self.schema.clone(), self.table.clone());
        let (quota, folder) = (tables.quota, tables.folder(&schema)?);
        let entry = tables.change(&schema, |manifest| {
            // The table may have been created, dropped or changed meanwhile.
            self.mode.check(manifest, &table)?;
            let mut entry = Entry::new(&self.arrow)?;
            if let Some(old) = manifest.tables.remove(&table) {
                entry.created = old.created;
                if self.mode.keeps_rows() {
                    if old.schema != entry.schema {
                        return Err(Error::new(
                            ErrorCode::InvalidInput,
                            format!("The columns of {table} changed while rows were added; run it again."),
                        ));
                    }
                    entry.files = old.files;
                } else {
                    manifest.retire(old.files);
                }
            }
            entry.files.push(added);
            entry.modified = now();
            manifest.tables.insert(table.clone(), entry.clone());
            if manifest.bytes() > quota {
                return Err(self.quota_exceeded());
            }
            let max_retired = tables.max_disk_bytes().saturating_sub(manifest.bytes());
            if manifest.unremovable_bytes() > max_retired {
                return Err(self.disk_limit_exceeded());
            }
            manifest.remove_retired(&folder, max_retired);
            Ok(entry)
        })?;
        // The file belongs to the table now.
        self.path = PathBuf::new();
        describe(&schema, &table, &entry)
    }

    fn quota_exceeded(&self) -> Error {
        let message = format!(
            "The tables of {} can have at most {} MB in total; drop some first.",
            self.schema,
            self.tables.quota / 1_000_000
        );
        Error::new(ErrorCode::Quota, message)
    }

    fn disk_limit_exceeded(&self) -> Error {
        let message = format!(
            "Too much was replaced or dropped in {} recently; old files are kept for 10 minutes for running queries. \
             Try again later.",
            self.schema
        );
        Error::new(ErrorCode::Quota, message)
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        self.file = None;
        // A later change removes what is left.
        let _ = std::fs::remove_file(&self.path);
    }
}
