//! `TableProvider` of a lake table: prunes files, row groups and rows, and splits them into partitions for DataFusion's Parquet
//! scan.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use arrow::datatypes::{Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::{DFSchema, Result as PlanResult, Statistics};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_optimizer::pruning::{PruningPredicate, PruningPredicateBuilder};
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::{ExecutionPlan, Partitioning};
use parquet::file::metadata::ParquetMetaData;

use super::file_cache::FileCache;
use super::index::{self, IndexMatches, IndexPredicate};
use super::partitions::{FileRead, assign_partitions};
use super::pruning::{self, RowGroupRead};
use super::reader::{self, LakeReaderFactory};
use super::snapshot::FileEntry;
use super::tables::{Table, has_fixed_items};
use super::time_bounds;
use quarry_types::Error;

/// What a scan reads.
struct Selection {
    reads: Vec<RowGroupRead>,
    /// The number of slots that indexes matched, if indexes chose all rows.
    slots: Option<u64>,
    /// Schemas of the files whose lists are encoded as in older versions, by file number.
    old_lists: BTreeMap<usize, SchemaRef>,
}

/// Estimated matching rows of a slot, before the planner applies its usual selectivity of a filter.
const ROWS_PER_SLOT: u64 = 8;

/// With so few slots, reading the rows is faster than pruning their row groups and pages.
const FEW_SLOTS: usize = 4;

/// Footers in use at the same time while a scan is planned.
const MAX_OPEN_FOOTERS: usize = 256;

/// A table at one snapshot.
#[derive(Debug)]
pub(super) struct LakeTable {
    table: Table,
    schema: SchemaRef,
    /// Schema of newly written files.
    file_schema: SchemaRef,
    files: Arc<[FileEntry]>,
    /// Schemas of the files that lack columns, by file number.
    old_schemas: BTreeMap<usize, SchemaRef>,
    /// Exact statistics of each file.
    statistics: Vec<Arc<Statistics>>,
    /// Statistics of all files together.
    merged_statistics: OnceLock<Option<Statistics>>,
    cache: Arc<FileCache>,
}

/// Which table of the lake a provider reads.
pub fn chain_table(provider: &dyn TableProvider) -> Option<Table> {
    let provider: &dyn Any = provider;
    provider.downcast_ref::<LakeTable>().map(|read| read.table)
}

impl LakeTable {
    pub(super) fn new(table: Table, files: Arc<[FileEntry]>, cache: Arc<FileCache>) -> LakeTable {
        let (schema, file_schema) = (table.schema(), table.file_schema());
        let statistics = files.iter().map(|file| statistics(&schema, file)).collect();
        let old = files.iter().enumerate().filter(|(_, file)| file.columns.len() < schema.fields().len());
        let old_schemas = old.map(|(number, file)| (number, present_columns(&file_schema, file))).collect();
        let merged_statistics = OnceLock::new();
        LakeTable { table, schema, file_schema, files, old_schemas, statistics, merged_statistics, cache }
    }

    /// The row groups and rows that may match the predicates, in block order.
    fn select(
        &self,
        predicate: Option<&PruningPredicate>,
        index_predicate: Option<&IndexPredicate>,
        columns: &[usize],
    ) -> Result<Selection, Error> {
        let slots = index_predicate.map(|_| 0);
        let mut selection = Selection { reads: Vec::new(), slots, old_lists: BTreeMap::new() };
        for files in pruning::files_to_read(predicate, &self.statistics, &self.schema).chunks(MAX_OPEN_FOOTERS) {
            self.select_from_files(files, predicate, index_predicate, columns, &mut selection)?;
        }
        Ok(selection)
    }

    fn select_from_files(
        &self,
        files: &[usize],
        predicate: Option<&PruningPredicate>,
        index_predicate: Option<&IndexPredicate>,
        columns: &[usize],
        selection: &mut Selection,
    ) -> Result<(), Error> {
        let mut open = Vec::with_capacity(files.len());
        for &number in files {
            let file = &self.files[number];
            let index = if index_predicate.is_some() { self.cache.index(file)? } else { None };
            let matches = match index.zip(index_predicate) {
                Some((index, predicate)) => self.cache.record_damage(file, index.find(file, predicate))?,
                None => None,
            };
            // No footer is read for a file without matches: memory has no room for those of all files of a large lake.
            if matches.as_ref().is_none_or(|matches| matches.slots > 0) {
                open.push((number, self.cache.footer(file)?.metadata, matches));
            }
        }
        let footers: Vec<&ParquetMetaData> = open.iter().map(|(_, footer, _)| footer.as_ref()).collect();
        let slots: Option<usize> = open.iter().map(|(_, _, matches)| Some(matches.as_ref()?.slots)).sum();
        let predicate = predicate.filter(|_| slots.is_none_or(|slots| slots > FEW_SLOTS));
        let groups = pruning::groups_to_read(&footers, predicate, &self.schema);
        for ((number, footer, matches), groups) in open.iter().zip(groups) {
            let reads = pruning::row_group_reads(*number, footer, &groups, columns);
            if self.file_schema != self.schema && has_fixed_items(footer) {
                selection.old_lists.insert(*number, present_columns(&self.schema, &self.files[*number]));
            }
            match matches {
                Some(IndexMatches { ranges, slots }) => {
                    selection.slots = selection.slots.map(|sum| sum + *slots as u64);
                    selection.reads.extend(pruning::select_rows(reads, footer, ranges));
                }
                None if reads.is_empty() => {}
                None => {
                    selection.slots = None;
                    selection.reads.extend(reads);
                }
            }
        }
        Ok(())
    }

    /// Whether indexes matched fewer than one row for two pages. With more, reading the filtered columns twice costs as much as
    /// decoding the pages around each row.
    fn is_sparse(&self, selection: &Selection) -> bool {
        let files: BTreeSet<usize> = selection.reads.iter().map(|read| read.file).collect();
        let rows: u64 = files.iter().map(|file| self.files[*file].rows).sum();
        selection.slots.is_some_and(|slots| slots * 2 * (self.table.page_rows() as u64) < rows)
    }

    fn partitioned_file(&self, read: FileRead, prune: bool, old_lists: &BTreeMap<usize, SchemaRef>) -> PartitionedFile {
        let mut file = reader::partitioned_file(&self.cache, self.files[read.file].clone());
        if prune {
            file = file.with_statistics(Arc::clone(&self.statistics[read.file]));
        }
        let schema = old_lists.get(&read.file).or_else(|| self.old_schemas.get(&read.file));
        read.attach_to(file.with_arrow_schema(Arc::clone(schema.unwrap_or(&self.file_schema))))
    }

    /// The order of the rows in every file, and over consecutive files.
    fn ordering(&self) -> PlanResult<Vec<LexOrdering>> {
        let columns = self.table.def().sort.iter().map(|name| {
            Ok(PhysicalSortExpr::new_default(Arc::new(Column::new(name, self.schema.index_of(name)?))).nulls_last())
        });
        Ok(LexOrdering::new(columns.collect::<PlanResult<Vec<_>>>()?).into_iter().collect())
    }

    /// Statistics of the selected rows: exact, unless an index chose them. The bytes are those of the projected columns, by which
    /// a join chooses its build side.
    fn selected_statistics(&self, selection: &Selection, projection: Option<&Vec<usize>>) -> PlanResult<Statistics> {
        let mut files: Vec<usize> = selection.reads.iter().map(|read| read.file).collect();
        files.dedup();
        let file_rows: u64 = files.iter().map(|file| self.files[*file].rows).sum();
        let mut rows: u64 = selection.reads.iter().map(|read| read.rows).sum();
        let all = if files.len() == self.files.len() { self.statistics() } else { None };
        let mut merged = match all {
            Some(all) => all,
            None => {
                let statistics = files.iter().map(|file| self.statistics[*file].as_ref());
                Statistics::try_merge_iter(statistics, &self.schema)?
            }
        };
        if rows != file_rows {
            merged = merged.to_inexact();
            merged.num_rows = Precision::Exact(rows as usize);
        }
        if let Some(slots) = selection.slots {
            rows = rows.min(slots * ROWS_PER_SLOT);
            merged = merged.to_inexact();
            merged.num_rows = Precision::Inexact(rows as usize);
        }
        if let Some(columns) = projection {
            let bytes = columns.iter().filter_map(|column| merged.column_statistics[*column].byte_size.get_value());
            merged.total_byte_size = Precision::Inexact(bytes.sum());
        }
        let selectivity = rows as f64 / file_rows.max(1) as f64;
        merged.total_byte_size = merged.total_byte_size.with_estimated_selectivity(selectivity);
        Ok(merged)
    }
}

#[async_trait]
impl TableProvider for LakeTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn statistics(&self) -> Option<Statistics> {
        let merge = || Statistics::try_merge_iter(self.statistics.iter().map(AsRef::as_ref), &self.schema).ok();
        self.merged_statistics.get_or_init(merge).clone()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> PlanResult<Vec<TableProviderFilterPushDown>> {
        // Pruning keeps rows that don't match. The physical optimizer pushes filters into the Parquet scan later, where it can.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> PlanResult<Arc<dyn ExecutionPlan>> {
        let time = self.table.def().time;
        let implied = filters.iter().filter_map(|filter| time_bounds::implied_by(filter, time));
        let predicate = match conjunction(filters.iter().cloned().chain(implied)) {
            Some(filter) => {
                let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
                let filter = state.create_physical_expr(filter, &schema)?;
                PruningPredicateBuilder::new().with_file_schema(Arc::clone(&self.schema)).build(filter)
            }
            None => None,
        };
        let columns = needed_columns(&self.schema, projection, filters);
        let index_predicate = index::predicate(self.table, filters);
        let selection = self.select(predicate.as_deref(), index_predicate.as_ref(), &columns)?;
        if selection.reads.is_empty() {
            let schema = match projection {
                Some(columns) => Arc::new(self.schema.project(columns)?),
                None => Arc::clone(&self.schema),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let statistics = self.selected_statistics(&selection, projection)?;
        let mut options = TableParquetOptions::default();
        if self.is_sparse(&selection) {
            // The cache of filtered columns would decode several pages around each row.
            options.global.max_predicate_cache_size = Some(0);
        }
        let Selection { reads, slots, old_lists } = selection;
        let prune = slots.is_none_or(|slots| slots > FEW_SLOTS as u64);
        options.global.pruning = prune;
        let groups: Vec<FileGroup> = assign_partitions(reads, state.config().target_partitions())
            .into_iter()
            .map(|reads| reads.into_iter().map(|read| self.partitioned_file(read, prune, &old_lists)).collect())
            .collect();
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_table_parquet_options(options)
            .with_pushdown_filters(true)
            .with_enable_page_index(prune)
            // The index is more precise than the bloom filters of the same columns.
            .with_bloom_filter_on_read(slots.is_none())
            .with_parquet_file_reader_factory(Arc::new(LakeReaderFactory { cache: Arc::clone(&self.cache) }));
        // Partitions are balanced by what is really read: DataFusion's own split by file size would undo it.
        let partitioning = Partitioning::UnknownPartitioning(groups.len());
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_statistics(statistics)
            .with_output_ordering(self.ordering()?)
            .with_output_partitioning(Some(partitioning))
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// The statistics of a file, computed once in its life.
fn statistics(schema: &SchemaRef, file: &FileEntry) -> Arc<Statistics> {
    Arc::clone(file.statistics.get_or_init(|| Arc::new(pruning::file_statistics(schema, file))))
}

/// The columns that a file has; the scan fills the others with nulls.
fn present_columns(schema: &SchemaRef, file: &FileEntry) -> SchemaRef {
    let fields = schema.fields().iter().filter(|field| file.columns.contains_key(field.name())).cloned();
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Columns that the scan returns or filters.
fn needed_columns(schema: &SchemaRef, projection: Option<&Vec<usize>>, filters: &[Expr]) -> Vec<usize> {
    let Some(projection) = projection else { return (0..schema.fields().len()).collect() };
    let filtered = filters.iter().flat_map(Expr::column_refs).filter_map(|column| schema.index_of(&column.name).ok());
    let columns: BTreeSet<usize> = projection.iter().copied().chain(filtered).collect();
    columns.into_iter().collect()
}
