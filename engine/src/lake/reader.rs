//! Reads byte ranges of lake files for DataFusion's Parquet scan, counts them, and names a file that can't be read.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
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
        let file = self.open.insert(file);
        let mut buffer = vec![0; length];
        file.read_exact_at(&mut buffer, range.start)
            .map_err(|error| footers::damaged(&self.file.path, "a part of it can't be read", error))?;
        self.metrics.bytes_scanned.add(length);
        Ok(Bytes::from(buffer))
    }
}

impl AsyncFileReader for LakeReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, parquet::errors::Result<Bytes>> {
        ready(self.read(&range).map_err(external)).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, parquet::errors::Result<Vec<Bytes>>> {
        ready(ranges.iter().map(|range| self.read(range).map_err(external)).collect()).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, parquet::errors::Result<Arc<ParquetMetaData>>> {
        ready(self.footers.get(&self.file.path, self.file.bytes).map_err(external)).boxed()
    }
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
