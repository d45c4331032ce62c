//! Reads byte ranges of lake files for DataFusion's Parquet scan, counts them, and names a file that can't be read.

use std::fs::File;
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

use super::dictionaries::is_dictionary;
use super::footers::{Footer, Footers};
use super::snapshot::FileEntry;
use crate::checksums::read_at;
use quarry_types::Error;

/// Which lake file a `PartitionedFile` of a scan stands for; travels as its extension.
#[derive(Debug, Clone)]
pub(super) struct LakeFile(pub(super) FileEntry);

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
    fn read(&mut self, footer: &Footer, range: &Range<u64>) -> Result<Bytes, Error> {
        let LakeFile(entry) = &self.file;
        let file = match self.open.take() {
            Some(file) => file,
            None => entry.open_unverified(self.footers.dir())?,
        };
        let bytes = read_at(self.open.insert(file), footer.sums.as_deref(), range.clone())
            .map_err(|error| entry.damaged("a part of it can't be read or has changed", error))?;
        self.metrics.bytes_scanned.add(bytes.len());
        Ok(bytes)
    }

    /// The same of what may be a dictionary that other queries have read before.
    fn part(&mut self, footer: &Footer, range: &Range<u64>) -> Result<Bytes, Error> {
        if !is_dictionary(&footer.metadata, range) {
            return self.read(footer, range);
        }
        let path = &self.file.0.path;
        if let Some(kept) = self.footers.dictionaries().get(path, range.start) {
            self.metrics.bytes_scanned.add(kept.len());
            return Ok(kept);
        }
        let read = self.read(footer, range)?;
        self.footers.dictionaries().keep(&self.file.0.path, range.start, &read);
        Ok(read)
    }

    fn parts(&mut self, ranges: &[Range<u64>]) -> parquet::errors::Result<Vec<Bytes>> {
        let footer = self.footers.get(&self.file.0).map_err(external)?;
        let parts: Result<Vec<Bytes>, Error> = ranges.iter().map(|range| self.part(&footer, range)).collect();
        self.footers.noting(&self.file.0, parts).map_err(external)
    }
}

impl AsyncFileReader for LakeReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        ready(self.parts(&[range]).map(|mut parts| parts.pop().unwrap_or_default())).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        ready(self.parts(&ranges)).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        ready(self.footers.get(&self.file.0).map(|footer| footer.metadata).map_err(external)).boxed()
    }
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
