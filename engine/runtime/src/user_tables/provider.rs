//! `TableProvider` of user tables: their Parquet files at the start of the query.

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
use super::reader::{CheckedReaderFactory, StoredFile};
use crate::job::{ReadTable, TableReads};
use quarry_types::Result;

#[derive(Debug)]
struct UserTableProvider {
    schema: SchemaRef,
    files: Vec<PartitionedFile>,
    rows: usize,
    /// Where scans are recorded, and as which table.
    tracker: Option<(TableReads, ReadTable)>,
}

/// The table of a manifest entry; its files are in `folder`.
pub(super) fn provider(folder: &Path, entry: &Entry) -> Result<Arc<dyn TableProvider>> {
    Ok(Arc::new(table(entry.arrow()?, [(folder, entry)])))
}

/// The same for a job whose scans are recorded in `reads` by schema and name.
pub(super) fn tracked_provider(
    folder: &Path,
    (schema, name, entry): (&str, &str, &Entry),
    reads: &TableReads,
) -> Result<Arc<dyn TableProvider>> {
    let read = ReadTable { schema: schema.to_string(), table: name.to_string(), created: entry.created };
    let tracker = Some((reads.clone(), read));
    Ok(Arc::new(UserTableProvider { tracker, ..table(entry.arrow()?, [(folder, entry)]) }))
}

/// The files of a table, for [`union_provider`].
pub struct TableFiles {
    pub(super) folder: PathBuf,
    pub(super) entry: Entry,
}

/// The union of tables with the same columns.
pub fn union_provider(schema: &SchemaRef, tables: &[TableFiles]) -> Arc<dyn TableProvider> {
    if tables.is_empty() {
        return Arc::new(EmptyTable::new(Arc::clone(schema)));
    }
    Arc::new(table(Arc::clone(schema), tables.iter().map(|table| (table.folder.as_path(), &table.entry))))
}

fn table<'a>(schema: SchemaRef, entries: impl IntoIterator<Item = (&'a Path, &'a Entry)>) -> UserTableProvider {
    let mut table = UserTableProvider { schema, files: Vec::new(), rows: 0, tracker: None };
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
impl TableProvider for UserTableProvider {
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
        // The physical optimizer pushes filters into the Parquet scan later, where it can.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> PlanResult<Arc<dyn ExecutionPlan>> {
        if let Some((reads, read)) = &self.tracker {
            reads.add([read.clone()]);
        }
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_pushdown_filters(true)
            .with_parquet_file_reader_factory(Arc::new(CheckedReaderFactory));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_statistics(TableProvider::statistics(self).unwrap_or_else(|| Statistics::new_unknown(&self.schema)))
            .with_file_groups(vec![FileGroup::new(self.files.clone())])
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
