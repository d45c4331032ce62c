//! Writes the rows of a running query into its result file; the description makes it visible at the end, never before.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use arrow::compute::BatchCoalescer;
use arrow::datatypes::{DataType, SchemaRef};
use arrow::ipc::writer::FileWriter;
use arrow::record_batch::RecordBatch;

use super::row_bytes::{MAX_ROW_BYTES, TooLong, too_long};
use super::{DATA, GRAPH, META, Meta, PART, ResultGraph, ResultStore, check_id};
use quarry_lake::checksums::{SummingWriter, sealed};
use quarry_types::{Error, ErrorCode, Result, type_names as types};

/// Rows of one batch of the file: small enough that reading one page decodes little.
const BATCH_ROWS: usize = 8_192;
/// Bytes of one, about: fewer rows where they are long.
const BATCH_BYTES: usize = 32 << 20;

/// Most a result may hold.
#[derive(Debug, Clone, Copy)]
pub struct ResultLimits {
    pub rows: u64,
    pub bytes: u64,
}

/// A result that is being written. Dropped before `finish`, it leaves nothing behind.
pub struct ResultWriter {
    store: ResultStore,
    id: String,
    part: PathBuf,
    file: Option<FileWriter<BufWriter<SummingWriter<File>>>>,
    batches: BatchCoalescer,
    limits: ResultLimits,
    meta: Meta,
    graph: Option<ResultGraph>,
}

impl ResultStore {
    /// Starts the result of a job.
    pub fn writer(&self, id: &str, schema: &SchemaRef, limits: ResultLimits) -> Result<ResultWriter> {
        check_id(id)?;
        let part = self.file(id, PART);
        let file = File::create(&part).map_err(Error::internal)?;
        // Says that its writer lives. Where there are no locks, a part is left to grow old.
        let _ = file.try_lock();
        let file = BufWriter::new(SummingWriter::new(file));
        let file = FileWriter::try_new(file, schema).map_err(Error::internal)?;
        Ok(ResultWriter {
            store: self.clone(),
            id: id.to_string(),
            part,
            file: Some(file),
            batches: BatchCoalescer::new(schema.clone(), BATCH_ROWS),
            limits,
            meta: Meta { columns: types::columns(schema), rows: 0, bytes: 0, batches: Vec::new(), checksums: None },
            graph: None,
        })
    }
}

impl ResultWriter {
    /// Adds rows; fails when the result grows beyond its limits.
    pub fn write(&mut self, batch: RecordBatch) -> Result<()> {
        self.meta.rows += batch.num_rows() as u64;
        if self.meta.rows > self.limits.rows {
            return Err(Error::new(
                ErrorCode::ResultLimit,
                format!("The result has more than {} rows; add a LIMIT or aggregate more.", self.limits.rows),
            ));
        }
        if let Some(found) = too_long(&batch) {
            let mib = MAX_ROW_BYTES >> 20;
            let message = match found {
                TooLong::Value(column) => {
                    let name = &self.meta.columns[column].name;
                    format!("A value of the column {name} has more than {mib} MiB; select a part of it, or its length.")
                }
                TooLong::Row => format!(
                    "A row of the result has more than {mib} MiB; select fewer columns, or parts of the long values."
                ),
            };
            return Err(Error::new(ErrorCode::ResultLimit, message));
        }
        self.batches.push_batch(batch).map_err(Error::internal)?;
        self.write_completed()
    }

    /// Keeps nodes and edges beside the rows.
    pub fn draw(&mut self, graph: ResultGraph) {
        self.graph = Some(graph);
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.meta.rows
    }

    /// Completes the file and makes the result visible.
    pub fn finish(mut self) -> Result<u64> {
        self.batches.finish_buffered_batch().map_err(Error::internal)?;
        self.write_completed()?;
        if let Some(mut file) = self.file.take() {
            file.finish().map_err(Error::internal)?;
            let written = file.get_mut();
            written.flush().map_err(Error::internal)?;
            let sums = written.get_mut().begin_tail();
            written.get_mut().write_all(&sums).map_err(Error::internal)?;
            self.meta.checksums = Some(written.get_ref().checksums());
        }
        self.meta.bytes = std::fs::metadata(&self.part).map_err(Error::internal)?.len();
        std::fs::rename(&self.part, self.store.file(&self.id, DATA)).map_err(Error::internal)?;
        if let Some(graph) = &self.graph {
            let graph = sealed(serde_json::to_vec(graph).map_err(Error::internal)?);
            std::fs::write(&self.part, graph).map_err(Error::internal)?;
            std::fs::rename(&self.part, self.store.file(&self.id, GRAPH)).map_err(Error::internal)?;
        }
        let meta = sealed(serde_json::to_vec(&self.meta).map_err(Error::internal)?);
        // Written aside and renamed: a description is whole or absent.
        std::fs::write(&self.part, meta).map_err(Error::internal)?;
        std::fs::rename(&self.part, self.store.file(&self.id, META)).map_err(Error::internal)?;
        Ok(self.meta.rows)
    }

    fn write_completed(&mut self) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        while let Some(batch) = self.batches.next_completed_batch() {
            self.meta.bytes += batch.get_array_memory_size() as u64;
            if self.meta.bytes > self.limits.bytes {
                return Err(Error::new(
                    ErrorCode::ResultLimit,
                    format!("The result is larger than {} MiB; select fewer columns or rows.", self.limits.bytes >> 20),
                ));
            }
            for part in parts(batch)? {
                self.meta.batches.push(part.num_rows() as u64);
                file.write(&part).map_err(Error::internal)?;
            }
        }
        Ok(())
    }
}

/// A batch in pieces that a reader can hold: it reads one whole to show a single row.
fn parts(batch: RecordBatch) -> Result<Vec<RecordBatch>> {
    let rows = batch.num_rows();
    let wanted = batch.get_array_memory_size().div_ceil(BATCH_BYTES);
    if wanted <= 1 || rows <= 1 {
        return Ok(vec![batch]);
    }
    let each = rows.div_ceil(wanted).max(1);
    let part = |from: usize| {
        let slice = batch.slice(from, each.min(rows - from));
        let columns = slice.columns().iter().map(own_bytes).collect();
        RecordBatch::try_new(slice.schema(), columns).map_err(Error::internal)
    };
    (0..rows).step_by(each).map(part).collect()
}

/// A slice of views keeps the bytes of all rows, and the file would too.
fn own_bytes(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Utf8View => Arc::new(array.as_string_view().gc()),
        DataType::BinaryView => Arc::new(array.as_binary_view().gc()),
        _ => array.clone(),
    }
}

impl Drop for ResultWriter {
    fn drop(&mut self) {
        // Nothing to do about a failure here: a part that stays is removed when the store is opened again.
        let _ = std::fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{Int64Array, StringViewArray};
    use arrow::datatypes::{Field, Schema};

    use super::*;

    #[test]
    fn long_rows_make_small_batches() {
        let schema = Arc::new(Schema::new(vec![
            Field::new("n", DataType::Int64, false),
            Field::new("t", DataType::Utf8View, false),
        ]));
        let batch = |long: usize| {
            let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..100));
            let texts: ArrayRef = Arc::new(StringViewArray::from_iter_values((0..100).map(|_| "x".repeat(long))));
            RecordBatch::try_new(schema.clone(), vec![numbers, texts]).unwrap()
        };
        assert_eq!(parts(batch(100)).unwrap().len(), 1);
        let long = parts(batch(1 << 20)).unwrap();
        assert!(long.len() >= 3 && long.iter().map(RecordBatch::num_rows).sum::<usize>() == 100, "{}", long.len());
        assert!(long.iter().all(|part| part.get_array_memory_size() < 2 * BATCH_BYTES));
        assert_eq!(
            long[1].column(0).as_primitive::<arrow::datatypes::Int64Type>().value(0) as usize,
            long[0].num_rows()
        );
    }
}
