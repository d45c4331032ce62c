//! Reads files of user tables for DataFusion's Parquet scan, and verifies their checksums.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::common::DataFusionError;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{ParquetFileMetrics, ParquetFileReaderFactory};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::arrow::async_reader::AsyncFileReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

use quarry_lake::checksums::{CheckedFile, Checksums};
use quarry_types::{Error, ErrorCode, Result};

/// The file of a `PartitionedFile`, as its extension.
#[derive(Debug, Clone)]
pub(super) struct StoredFile {
    pub path: PathBuf,
    pub bytes: u64,
    pub checksums: Option<Checksums>,
}

/// Creates readers of such files.
#[derive(Debug)]
pub(super) struct CheckedReaderFactory;

impl ParquetFileReaderFactory for CheckedReaderFactory {
    fn create_reader(
        &self,
        partition_index: usize,
        file: PartitionedFile,
        _metadata_size_hint: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> datafusion::common::Result<Box<dyn AsyncFileReader + Send>> {
        let metrics = ParquetFileMetrics::new(partition_index, file.object_meta.location.as_ref(), metrics);
        let stored = file.extension::<StoredFile>().cloned();
        let stored =
            stored.ok_or_else(|| DataFusionError::Internal("a scan of a table holds a foreign file".to_string()))?;
        Ok(Box::new(Reader { stored, open: None, metrics }))
    }
}

/// Reads on the calling thread, as the reader of the lake does.
struct Reader {
    stored: StoredFile,
    open: Option<CheckedFile>,
    metrics: ParquetFileMetrics,
}

impl Reader {
    fn file(&mut self) -> Result<&CheckedFile> {
        let file = match self.open.take() {
            Some(file) => file,
            None => self.open()?,
        };
        Ok(self.open.insert(file))
    }

    fn open(&self) -> Result<CheckedFile> {
        let StoredFile { path, bytes, checksums } = &self.stored;
        let open = || {
            let file = File::open(path)?;
            if file.metadata()?.len() != *bytes {
                return Err(std::io::Error::other("its length has changed"));
            }
            CheckedFile::new(file, *checksums)
        };
        open().map_err(|error| self.damaged(error))
    }

    fn read(&mut self, range: Range<u64>) -> Result<Bytes> {
        let read = self.file()?.read(range);
        let bytes = read.map_err(|error| self.damaged(error))?;
        self.metrics.bytes_scanned.add(bytes.len());
        Ok(bytes)
    }

    fn metadata(&mut self) -> Result<Arc<ParquetMetaData>> {
        let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
        let read = reader.parse_and_finish(self.file()?);
        read.map(Arc::new).map_err(|error| self.damaged(error))
    }

    fn damaged(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let name = self.stored.path.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("The table's file {name} is damaged or missing; create the table again.");
        Error::new(ErrorCode::DamagedFile, message).because(error)
    }
}

impl AsyncFileReader for Reader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        ready(self.read(range).map_err(external)).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        let parts: Result<Vec<Bytes>> = ranges.into_iter().map(|range| self.read(range)).collect();
        ready(parts.map_err(external)).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        ready(self.metadata().map_err(external)).boxed()
    }
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
