//! A user's table for DataFusion: its Parquet files as they were when the query began.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::{Result as PlanResult, Statistics};
use datafusion::datasource::TableType;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;

use super::manifest::Entry;
use super::reader::{CheckedReaders, StoredFile};
use crate::job::{ReadTable, TableReads};
use quarry_types::Result;

#[derive(Debug)]
struct Stored {
    schema: SchemaRef,
    files: Vec<PartitionedFile>,
    rows: usize,
    /// Where a scan is reported, and as what.
    report: Option<(TableReads, ReadTable)>,
}

/// The table that an entry describes; its files lie in `folder`.
pub(super) fn provider(folder: &Path, entry: &Entry) -> Result<Arc<dyn TableProvider>> {
    Ok(Arc::new(stored(entry.arrow()?, [(folder, entry)])))
}

/// The same, known by its schema and name, for a job whose reads are reported to `reads`.
pub(super) fn reported(
    folder: &Path,
    (schema, table, entry): (&str, &str, &Entry),
    reads: &TableReads,
) -> Result<Arc<dyn TableProvider>> {
    let read = ReadTable { schema: schema.to_string(), table: table.to_string(), created: entry.created };
    let report = Some((reads.clone(), read));
    Ok(Arc::new(Stored { report, ..stored(entry.arrow()?, [(folder, entry)]) }))
}

/// A table that is read together with others of the same columns.
pub struct Part {
    pub(super) folder: PathBuf,
    pub(super) entry: Entry,
}

/// Tables of these columns as one.
pub fn together(schema: &SchemaRef, parts: &[Part]) -> Arc<dyn TableProvider> {
    if parts.is_empty() {
        return Arc::new(EmptyTable::new(Arc::clone(schema)));
    }
    Arc::new(stored(Arc::clone(schema), parts.iter().map(|part| (part.folder.as_path(), &part.entry))))
}

fn stored<'a>(schema: SchemaRef, entries: impl IntoIterator<Item = (&'a Path, &'a Entry)>) -> Stored {
    let mut table = Stored { schema, files: Vec::new(), rows: 0, report: None };
    for (folder, entry) in entries {
        for file in &entry.files {
            let mut statistics = Statistics::new_unknown(&table.schema);
            statistics.num_rows = Precision::Exact(file.rows as usize);
            let path = folder.join(&file.name);
            let read = PartitionedFile::new(path.to_string_lossy(), file.bytes);
            let stored = StoredFile { path, bytes: file.bytes, checksums: file.checksums };
            table.files.push(read.with_statistics(Arc::new(statistics)).with_extension(stored));
        }
        table.rows += entry.rows() as usize;
    }
    table
}

#[async_trait]
impl TableProvider for Stored {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn statistics(&self) -> Option<Statistics> {
        let mut statistics = Statistics::new_unknown(&self.schema);
        statistics.num_rows = Precision::Exact(self.rows);
        Some(statistics)
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> PlanResult<Vec<TableProviderFilterPushDown>> {
        // The Parquet scan takes the filter itself over later, where it can.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> PlanResult<Arc<dyn ExecutionPlan>> {
        if let Some((reads, read)) = &self.report {
            reads.add([read.clone()]);
        }
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_pushdown_filters(true)
            .with_parquet_file_reader_factory(Arc::new(CheckedReaders));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_statistics(TableProvider::statistics(self).unwrap_or_else(|| Statistics::new_unknown(&self.schema)))
            .with_file_groups(vec![FileGroup::new(self.files.clone())])
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
