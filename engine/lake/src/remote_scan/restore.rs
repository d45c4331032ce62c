//! Makes a scan of the lake of a message.

use std::sync::Arc;

use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileSource, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_plan::ExecutionPlan;

use super::files::ScanFiles;
use crate::file_cache::FileCache;
use crate::lake_files::LakeFiles;
use crate::reader::LakeReaderFactory;

/// Makes a scan of a lake of what DataFusion 55.2 decoded, and of what its messages drop:
/// - The extensions of files: which row groups and rows to read (without them, every partition reads all rows of its files), the
///   checksums, and how much will be read, for progress.
/// - The paths of files: those of the sender. The lake may be in another folder here.
/// - The reader of files, with the lake's cache.
/// - Whether the order of files must be kept; decoded scans keep it only if they promise an order of rows.
/// - For which sort the most promising row groups are read first.
/// - The limit, of which messages have the lower 32 bits.
///
/// Messages have the rest of what a scan of the lake sets: schema with metadata, projection, predicate, all settings of the Parquet
/// reader, declared partitioning and order, batch size, statistics of the scan (inexact if there is a predicate, which is how a
/// scan reports them anyway) and statistics and schema of each file. They also drop what no scan of the lake has: virtual columns,
/// the order, the hint of the footer's size and the table of a file, statistics of partitions, adapters of expressions,
/// compression, encryption, and metadata for written files.
///
/// # Errors
/// The scan has other partitions or files than `files`, or one of them is outside the lake.
pub fn restore(mut scan: FileScanConfig, files: &ScanFiles, lake: &LakeFiles) -> Result<Arc<dyn ExecutionPlan>> {
    let Some(source) = scan.file_source().downcast_ref::<ParquetSource>() else {
        return internal_err!("a scan of the lake reads {} files", scan.file_source().file_type());
    };
    let factory = Arc::new(LakeReaderFactory { cache: Arc::clone(lake.cache()) });
    let source = source.clone().with_parquet_file_reader_factory(factory);
    let hinted = match &files.sort_hint {
        Some(hint) => hint.apply(&source)?,
        None => None,
    };
    scan.file_groups = file_groups(&scan.file_groups, files, lake.cache())?;
    scan.file_source = hinted.unwrap_or_else(|| Arc::new(source) as Arc<dyn FileSource>);
    scan.limit = files.limit;
    scan.preserve_order = files.preserve_order;
    scan.object_store_url = ObjectStoreUrl::local_filesystem();
    Ok(DataSourceExec::from_data_source(scan))
}

fn file_groups(message: &[FileGroup], files: &ScanFiles, cache: &FileCache) -> Result<Vec<FileGroup>> {
    let partitions = &files.partitions;
    if message.len() != partitions.len() {
        return internal_err!("files of {} partitions for {}", partitions.len(), message.len());
    }
    let restored = message.iter().zip(partitions).map(|(group, files)| {
        if group.len() != files.len() {
            return internal_err!("{} files for a partition of {}", files.len(), group.len());
        }
        group.iter().zip(files).map(|(message, file)| file.restore(message, cache)).collect::<Result<FileGroup>>()
    });
    restored.collect()
}
