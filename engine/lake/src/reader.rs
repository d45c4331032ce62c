//! Reads lake files for DataFusion's Parquet scan: checks checksums, counts bytes, and names a file that can't be read.

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

use super::file_cache::FileCache;
use super::snapshot::FileEntry;
use crate::checksums::read_at;
use quarry_types::Error;

/// The lake file of a `PartitionedFile`, as its extension.
#[derive(Debug, Clone)]
pub(super) struct LakeFile(pub(super) FileEntry);

/// A file of the lake in a scan.
pub(super) fn partitioned_file(cache: &FileCache, file: FileEntry) -> PartitionedFile {
    let path = cache.dir().join(&file.path);
    PartitionedFile::new(path.to_string_lossy(), file.bytes).with_extension(LakeFile(file))
}

/// Creates readers that share the lake's cache.
#[derive(Debug)]
pub(super) struct LakeReaderFactory {
    pub(super) cache: Arc<FileCache>,
}

impl ParquetFileReaderFactory for LakeReaderFactory {
    fn create_reader(
        &self,
        partition_index: usize,
        partitioned_file: PartitionedFile,
        _metadata_size_hint: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> datafusion::common::Result<Box<dyn AsyncFileReader + Send>> {
        let LakeFile(file) = partitioned_file
            .extension::<LakeFile>()
            .cloned()
            .ok_or_else(|| DataFusionError::Internal("a scan of the lake holds a foreign file".to_string()))?;
        let location = partitioned_file.object_meta.location.as_ref();
        let metrics = ParquetFileMetrics::new(partition_index, location, metrics);
        Ok(Box::new(LakeReader { cache: Arc::clone(&self.cache), file, open: None, metrics }))
    }
}

/// Reads on the calling thread: the ranges are mostly in the page cache, and queries have threads of their own.
struct LakeReader {
    cache: Arc<FileCache>,
    file: FileEntry,
    open: Option<File>,
    metrics: ParquetFileMetrics,
}

impl LakeReader {
    fn read(&mut self, ranges: &[Range<u64>]) -> parquet::errors::Result<Vec<Bytes>> {
        let LakeReader { cache, file, open, metrics } = self;
        let footer = cache.footer(file).map_err(external)?;
        let mut read_file = |range: &Range<u64>| {
            let opened = match open.take() {
                Some(opened) => opened,
                None => file.open_unverified(cache.dir())?,
            };
            read_at(open.insert(opened), footer.sums.as_deref(), range.clone())
                .map_err(|error| file.damaged("a part of it can't be read or has changed", error))
        };
        let read = ranges.iter().map(|range| cache.read_range(file, &footer, range, || read_file(range)));
        let read: Result<Vec<Bytes>, Error> = read.collect();
        let read = cache.record_damage(file, read).map_err(external)?;
        metrics.bytes_scanned.add(read.iter().map(Bytes::len).sum());
        Ok(read)
    }
}

impl AsyncFileReader for LakeReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        ready(self.read(&[range]).map(|mut read| read.pop().unwrap_or_default())).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        ready(self.read(&ranges)).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        ready(self.cache.footer(&self.file).map(|footer| footer.metadata).map_err(external)).boxed()
    }
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
