//! Reads byte ranges of lake files for DataFusion's Parquet scan, counts them, and names a file that can't be read.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
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
use parquet::file::metadata::ParquetMetaData;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;

use super::dictionaries::is_dictionary;
use super::footers::{self, Footers};
use crate::error::Error;

/// Which lake file a `PartitionedFile` of a scan stands for; travels as its extension.
#[derive(Debug, Clone)]
pub(super) struct LakeFile {
    /// Relative to the lake's folder.
    pub(super) path: String,
    pub(super) bytes: u64,
}

/// Makes readers over local files with the lake's footer cache.
#[derive(Debug)]
pub(super) struct LakeReaders {
    pub(super) footers: Arc<Footers>,
}

impl ParquetFileReaderFactory for LakeReaders {
    fn create_reader(
        &self,
        partition_index: usize,
        partitioned_file: PartitionedFile,
        _metadata_size_hint: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> datafusion::common::Result<Box<dyn AsyncFileReader + Send>> {
        let file = partitioned_file
            .extension::<LakeFile>()
            .cloned()
            .ok_or_else(|| DataFusionError::Internal("a scan of the lake holds a foreign file".to_string()))?;
        let location = partitioned_file.object_meta.location.as_ref();
        let metrics = ParquetFileMetrics::new(partition_index, location, metrics);
        Ok(Box::new(LakeReader { footers: Arc::clone(&self.footers), file, open: None, metrics }))
    }
}

/// Reads in place rather than on a helper thread: the ranges are mostly in the page cache, and queries run on threads
/// of their own.
struct LakeReader {
    footers: Arc<Footers>,
    file: LakeFile,
    open: Option<File>,
    metrics: ParquetFileMetrics,
}

impl LakeReader {
    fn read(&mut self, range: &Range<u64>) -> Result<Bytes, Error> {
        let length = usize::try_from(range.end.saturating_sub(range.start)).map_err(Error::internal)?;
        let file = match self.open.take() {
            Some(file) => file,
            None => footers::open(self.footers.dir(), &self.file.path, self.file.bytes)?,
        };
        let bytes = bytes_at(self.open.insert(file), range.start, length)
            .map_err(|error| footers::damaged(&self.file.path, "a part of it can't be read", error))?;
        self.metrics.bytes_scanned.add(length);
        Ok(bytes)
    }

    /// The same of what may be a dictionary that other queries have read before.
    fn part(&mut self, footer: &ParquetMetaData, range: &Range<u64>) -> Result<Bytes, Error> {
        if !is_dictionary(footer, range) {
            return self.read(range);
        }
        if let Some(kept) = self.footers.dictionaries().get(&self.file.path, range.start) {
            self.metrics.bytes_scanned.add(kept.len());
            return Ok(kept);
        }
        let read = self.read(range)?;
        self.footers.dictionaries().keep(&self.file.path, range.start, &read);
        Ok(read)
    }

    fn parts(&mut self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, Error> {
        let footer = self.footers.get(&self.file.path, self.file.bytes)?;
        ranges.iter().map(|range| self.part(&footer, range)).collect()
    }
}

impl AsyncFileReader for LakeReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        ready(self.read(&range).map_err(external)).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        ready(self.parts(&ranges).map_err(external)).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        ready(self.footers.get(&self.file.path, self.file.bytes).map_err(external)).boxed()
    }
}

/// Bytes at a place of a file, read into memory that was not cleared for it: that takes longer than to look a row up.
fn bytes_at(file: &File, start: u64, length: usize) -> std::io::Result<Bytes> {
    let mut buffer = Vec::with_capacity(length);
    while buffer.len() < length {
        let place = start + buffer.len() as u64;
        match rustix::io::pread(file, spare_capacity(&mut buffer), place) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    buffer.truncate(length);
    Ok(Bytes::from(buffer))
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
