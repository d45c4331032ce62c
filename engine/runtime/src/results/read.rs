//! Reads pages of a stored result.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::FileReader;
use arrow::record_batch::RecordBatch;
use serde_json::Value;

use super::{Meta, ResultColumn, damaged};
use quarry_lake::checksums::{CheckedFile, CheckedReader};
use quarry_types::{Result, cell};

/// The result of a finished job, on disk.
#[derive(Debug, Clone)]
pub struct StoredResult {
    path: PathBuf,
    meta: Meta,
}

impl StoredResult {
    pub(super) fn new(path: PathBuf, meta: Meta) -> StoredResult {
        StoredResult { path, meta }
    }

    pub fn columns(&self) -> &[ResultColumn] {
        &self.meta.columns
    }

    /// Number of rows.
    pub fn total(&self) -> u64 {
        self.meta.rows
    }

    /// Size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.meta.bytes
    }

    /// Rows `offset` to `offset + limit`, fewer at the end. 64-bit numbers, decimals and uint256 are strings with all digits, bytes
    /// `0x…`, times `YYYY-MM-DD HH:mm:ss[.ffffff]`. Blocks on disk reads.
    pub fn page(&self, offset: u64, limit: u64) -> Result<Vec<Vec<Value>>> {
        self.page_within(offset, limit, usize::MAX)
    }

    /// The same, but stops after the row whose values exceed `bytes` of memory.
    pub fn page_within(&self, offset: u64, limit: u64, bytes: usize) -> Result<Vec<Vec<Value>>> {
        let (mut rows, mut used) = (Vec::new(), 0);
        let end = offset.saturating_add(limit).min(self.meta.rows);
        if offset >= end {
            return Ok(rows);
        }
        let mut file = self.reader()?;
        let mut first = 0;
        for (index, count) in self.meta.batches.iter().enumerate() {
            let last = first + count;
            if last > offset && first < end {
                file.set_index(index).map_err(damaged)?;
                let batch = file.next().transpose().map_err(damaged)?;
                let batch = batch.ok_or_else(|| damaged("it ends early"))?;
                let from = offset.saturating_sub(first) as usize;
                let to = (end.min(last) - first) as usize;
                for row in from..to {
                    if used >= bytes {
                        return Ok(rows);
                    }
                    let values = cell::row_values(&batch, row);
                    used += values.iter().map(size).sum::<usize>();
                    rows.push(values);
                }
            }
            first = last;
        }
        Ok(rows)
    }

    /// The batches of the result in order, read lazily.
    pub fn batches(&self) -> Result<impl Iterator<Item = Result<RecordBatch>> + Send + use<>> {
        let reader = self.reader()?;
        Ok(reader.map(|batch| batch.map_err(damaged)))
    }

    /// The Arrow schema of the result.
    pub fn schema(&self) -> Result<SchemaRef> {
        Ok(self.reader()?.schema())
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The Arrow file, verified while it is read.
    pub(super) fn body(&self) -> Result<BufReader<CheckedReader>> {
        let file = File::open(&self.path)?;
        Ok(CheckedFile::new(file, self.meta.checksums).map_err(damaged)?.body())
    }

    fn reader(&self) -> Result<FileReader<BufReader<CheckedReader>>> {
        FileReader::try_new(self.body()?, None).map_err(damaged)
    }
}

/// Approximate bytes of memory of a value.
fn size(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + size(member)).sum(),
        _ => 0,
    };
    size_of::<Value>() + inner
}
