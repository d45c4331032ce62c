//! Writes the result file of a running query. The description, written last, makes it visible.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use arrow::compute::BatchCoalescer;
use arrow::datatypes::{DataType, SchemaRef};
use arrow::ipc::writer::FileWriter;
use arrow::record_batch::RecordBatch;

use super::row_bytes::{MAX_ROW_BYTES, TooLong, find_too_long};
use super::{DATA, GRAPH, META, Meta, PART, ResultGraph, ResultStore, check_id};
use quarry_lake::checksums::{ChecksumWriter, append_checksum};
use quarry_types::{Error, ErrorCode, Result, type_names as types};

/// Rows of a batch of the file: few, since reading a page decodes whole batches.
const BATCH_ROWS: usize = 8_192;
/// Approximate bytes of a batch; long rows make it shorter.
const BATCH_BYTES: usize = 32 << 20;

/// Limits of a result.
#[derive(Debug, Clone, Copy)]
pub struct ResultLimits {
    pub rows: u64,
    pub bytes: u64,
}

/// A result that is being written. Removed if dropped before `finish`.
pub struct ResultWriter {
    store: ResultStore,
    id: String,
    part: PathBuf,
    file: Option<FileWriter<BufWriter<ChecksumWriter<File>>>>,
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
        let file = File::create(&part)?;
        // The lock marks a live writer. Without file locks, old files are removed by age.
        let _ = file.try_lock();
        let file = BufWriter::new(ChecksumWriter::new(file));
        let file = FileWriter::try_new(file, schema)?;
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
    /// Adds rows. Fails if the result exceeds its limits.
    pub fn write(&mut self, batch: RecordBatch) -> Result<()> {
        self.meta.rows += batch.num_rows() as u64;
        if self.meta.rows > self.limits.rows {
            return Err(Error::new(
                ErrorCode::ResultLimit,
                format!("The result has more than {} rows; add a LIMIT or aggregate more.", self.limits.rows),
            ));
        }
        if let Some(found) = find_too_long(&batch) {
            let mib = MAX_ROW_BYTES >> 20;
            let message = match found {
                TooLong::Value(column) => {
                    let name = &self.meta.columns[column].name;
                    format!("A value in the column {name} is larger than {mib} MiB; select part of it, or its length.")
                }
                TooLong::Row => format!(
                    "A row of the result is larger than {mib} MiB; select fewer columns, or parts of the long values."
                ),
            };
            return Err(Error::new(ErrorCode::ResultLimit, message));
        }
        self.batches.push_batch(batch)?;
        self.write_completed()
    }

    /// Sets the nodes and edges to store next to the rows.
    pub fn draw(&mut self, graph: ResultGraph) {
        self.graph = Some(graph);
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.meta.rows
    }

    /// Completes the file and makes the result visible.
    pub fn finish(mut self) -> Result<u64> {
        self.batches.finish_buffered_batch()?;
        self.write_completed()?;
        if let Some(mut file) = self.file.take() {
            file.finish()?;
            let written = file.get_mut();
            written.flush()?;
            let sums = written.get_mut().begin_tail();
            written.get_mut().write_all(&sums)?;
            self.meta.checksums = Some(written.get_ref().checksums());
        }
        self.meta.bytes = std::fs::metadata(&self.part)?.len();
        std::fs::rename(&self.part, self.store.file(&self.id, DATA))?;
        if let Some(graph) = &self.graph {
            let graph = append_checksum(serde_json::to_vec(graph)?);
            std::fs::write(&self.part, graph)?;
            std::fs::rename(&self.part, self.store.file(&self.id, GRAPH))?;
        }
        let meta = append_checksum(serde_json::to_vec(&self.meta)?);
        // The rename is atomic: a description is complete or absent.
        std::fs::write(&self.part, meta)?;
        std::fs::rename(&self.part, self.store.file(&self.id, META))?;
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
            for part in split_batch(batch)? {
                self.meta.batches.push(part.num_rows() as u64);
                file.write(&part)?;
            }
        }
        Ok(())
    }
}

/// Splits a batch with long rows, since readers decode whole batches to show a single row.
fn split_batch(batch: RecordBatch) -> Result<Vec<RecordBatch>> {
    let rows = batch.num_rows();
    let count = batch.get_array_memory_size().div_ceil(BATCH_BYTES);
    if count <= 1 || rows <= 1 {
        return Ok(vec![batch]);
    }
    let each = rows.div_ceil(count).max(1);
    let part = |from: usize| {
        let slice = batch.slice(from, each.min(rows - from));
        let columns = slice.columns().iter().map(compact_views).collect();
        RecordBatch::try_new(slice.schema(), columns).map_err(Error::internal)
    };
    (0..rows).step_by(each).map(part).collect()
}

/// Drops the bytes of other rows, which a slice of views keeps.
fn compact_views(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Utf8View => Arc::new(array.as_string_view().gc()),
        DataType::BinaryView => Arc::new(array.as_binary_view().gc()),
        _ => array.clone(),
    }
}

impl Drop for ResultWriter {
    fn drop(&mut self) {
        // What is left is removed when the store is opened again.
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
        assert_eq!(split_batch(batch(100)).unwrap().len(), 1);
        let long = split_batch(batch(1 << 20)).unwrap();
        assert!(long.len() >= 3 && long.iter().map(RecordBatch::num_rows).sum::<usize>() == 100, "{}", long.len());
        assert!(long.iter().all(|part| part.get_array_memory_size() < 2 * BATCH_BYTES));
        assert_eq!(
            long[1].column(0).as_primitive::<arrow::datatypes::Int64Type>().value(0) as usize,
            long[0].num_rows()
        );
    }
}
