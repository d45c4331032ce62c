//! Writing one table: rows into a Parquet file of its own, which the manifest names at the end.

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
use super::table::{UserTable, described, exists, missing};
use crate::check_stopped;
use quarry_lake::checksums::{SummingWriter, begin_tail};
use quarry_types::{Error, ErrorCode, Result};

/// Most bytes of a row group, which is held in memory until it is whole.
const GROUP: usize = 64 << 20;

/// What happens to a table of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// There must be none.
    Create,
    /// The new rows, with their columns, take its place, or become a new table.
    Replace,
    /// The new rows, of the same columns, come after its rows.
    Append,
}

impl WriteMode {
    fn check(self, manifest: &Manifest, table: &str) -> Result<()> {
        match (self, manifest.tables.contains_key(table)) {
            (WriteMode::Create, true) => Err(exists(table)),
            (WriteMode::Append, false) => Err(missing(table)),
            _ => Ok(()),
        }
    }

    fn keeps_rows(self) -> bool {
        self == WriteMode::Append
    }
}

/// Bytes that the file of a table may have, by either of the two bounds of a schema.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// By what its tables may have together.
    tables: u64,
    /// By what it may have on disk, with files that wait to be removed.
    disk: u64,
}

/// A table that is being written.
pub struct TableWriter {
    tables: UserTables,
    schema: String,
    table: String,
    arrow: SchemaRef,
    mode: WriteMode,
    room: Room,
    name: String,
    path: PathBuf,
    file: Option<ArrowWriter<SummingWriter<File>>>,
    /// Locked until the file belongs to a table, so that nobody takes it for left over.
    _held: File,
    rows: u64,
}

impl UserTables {
    /// Starts writing a table. Nothing of it is seen before [`TableWriter::finish`]; dropped earlier, it leaves nothing.
    pub fn writer(&self, schema: &str, table: &str, arrow: &SchemaRef, mode: WriteMode) -> Result<TableWriter> {
        let name = table.to_lowercase();
        self.names.table(&name)?;
        self.names.columns(arrow)?;
        let manifest = self.read(schema)?;
        mode.check(&manifest, &name)?;
        let folder = self.folder(schema)?;
        std::fs::create_dir_all(&folder).map_err(Error::internal)?;
        let freed = if mode.keeps_rows() { 0 } else { manifest.tables.get(&name).map_or(0, Entry::bytes) };
        let room = Room {
            tables: self.quota.saturating_sub(manifest.bytes().saturating_sub(freed)),
            disk: self.most_on_disk().saturating_sub(manifest.bytes().saturating_add(manifest.waiting())),
        };
        TableWriter::start(self.clone(), schema, &name, arrow, mode, room)
    }
}

impl TableWriter {
    fn start(
        tables: UserTables,
        schema: &str,
        table: &str,
        arrow: &SchemaRef,
        mode: WriteMode,
        room: Room,
    ) -> Result<TableWriter> {
        let name = format!("{table}-{:016x}.parquet", rand::rng().random::<u64>());
        let path = tables.folder(schema)?.join(&name);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(1 << 17))
            .set_max_row_group_bytes(Some(GROUP))
            .build();
        let file = File::create_new(&path).map_err(Error::internal)?;
        let held = file.try_clone().map_err(Error::internal)?;
        held.lock().map_err(Error::internal)?;
        let file =
            ArrowWriter::try_new(SummingWriter::new(file), Arc::clone(arrow), Some(properties)).map_err(|error| {
                Error::new(ErrorCode::InvalidInput, "A column has a type that tables can't hold.").because(error)
            })?;
        Ok(TableWriter {
            tables,
            schema: schema.to_string(),
            table: table.to_string(),
            arrow: Arc::clone(arrow),
            mode,
            room,
            name,
            path,
            file: Some(file),
            _held: held,
            rows: 0,
        })
    }

    /// Adds rows; their columns are those of the table by position and type.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        check_stopped()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.arrow), batch.columns().to_vec()).map_err(Error::internal)?;
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write(&batch).map_err(Error::internal)?;
        self.rows += batch.num_rows() as u64;
        let bytes = (file.bytes_written() + file.in_progress_size()) as u64;
        if bytes > self.room.tables {
            return Err(self.full());
        }
        if bytes > self.room.disk {
            return Err(self.crowded());
        }
        Ok(())
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Makes the rows part of the table, all at once.
    pub fn finish(mut self) -> Result<UserTable> {
        let mut checksums = None;
        if let Some(mut file) = self.file.take() {
            file.flush().map_err(Error::internal)?;
            begin_tail(&mut file).map_err(Error::internal)?;
            file.finish().map_err(Error::internal)?;
            file.inner().inner().sync_all().map_err(Error::internal)?;
            checksums = Some(file.inner().checksums());
        }
        let bytes = std::fs::metadata(&self.path).map_err(Error::internal)?.len();
        let added = DataFile { name: self.name.clone(), rows: self.rows, bytes, checksums };
        let (tables, schema, table) = (self.tables.clone(), self.schema.clone(), self.table.clone());
        let (quota, folder) = (tables.quota, tables.folder(&schema)?);
        let entry = tables.change(&schema, |manifest| {
            // The table may have come, gone or changed while the rows were written.
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
                return Err(self.full());
            }
            let most = tables.most_on_disk().saturating_sub(manifest.bytes());
            if manifest.waiting() > most {
                return Err(self.crowded());
            }
            manifest.make_room(&folder, most);
            Ok(entry)
        })?;
        // The file belongs to the table now.
        self.path = PathBuf::new();
        described(&schema, &table, &entry)
    }

    fn full(&self) -> Error {
        let message = format!(
            "The tables of {} may have {} MB together; drop some first.",
            self.schema,
            self.tables.quota / 1_000_000
        );
        Error::new(ErrorCode::Quota, message)
    }

    fn crowded(&self) -> Error {
        let message = format!(
            "Too much was replaced or dropped in {} lately: its old files stay for 10 minutes, for whoever reads them. \
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
        // A file that stays is named by no table and is removed with a later change.
        let _ = std::fs::remove_file(&self.path);
    }
}
