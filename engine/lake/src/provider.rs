//! A table of the lake for DataFusion: pruned, split and annotated here, read by DataFusion's own Parquet scan.

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
use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;
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
use parquet::arrow::arrow_reader::RowSelection;
use parquet::file::metadata::ParquetMetaData;

use super::footers::Footers;
use super::implied;
use super::index::{self, Found, Wanted};
use super::pruning::{self, Part, Unit};
use super::reader::{LakeFile, LakeReaders};
use super::shares::{Piece, share_out};
use super::snapshot::FileEntry;
use super::tables::{Table, has_fixed_items};
use quarry_types::Error;

/// What a scan will read of one file in one partition: an extension of its `PartitionedFile`, for progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedRead {
    pub rows: u64,
    /// Compressed bytes of the columns that the scan needs.
    pub bytes: u64,
}

/// What a scan reads.
struct Selected {
    units: Vec<Unit>,
    /// Where indexes chose all of it: how many slots they named.
    slots: Option<u64>,
    /// Schemas of the files whose lists are encoded as older versions did, by file number.
    older: BTreeMap<usize, SchemaRef>,
}

/// How many rows of a slot that an index names are thought to be as it was asked for, before the planner takes off what it
/// takes off for any filter.
const OF_SLOT: u64 = 8;

/// Rows that indexes name which are read in less time than it takes to ask the bounds of their row groups and pages whether
/// they are worth reading.
const HANDFUL: usize = 4;

/// Files whose footers are held at once while a scan is planned.
const AT_ONCE: usize = 256;

/// A table at one snapshot.
#[derive(Debug)]
pub(super) struct LakeTable {
    table: Table,
    schema: SchemaRef,
    /// Schema of newly written files.
    stored: SchemaRef,
    files: Arc<[FileEntry]>,
    /// Of the files that were written before the table had all its columns, by their place: what they hold.
    older: BTreeMap<usize, SchemaRef>,
    /// Of each file, exact.
    statistics: Vec<Arc<Statistics>>,
    /// Of all files together.
    whole: OnceLock<Option<Statistics>>,
    footers: Arc<Footers>,
}

/// Which table of the lake a provider reads.
pub fn chain_table(provider: &dyn TableProvider) -> Option<Table> {
    let provider: &dyn Any = provider;
    provider.downcast_ref::<LakeTable>().map(|read| read.table)
}

impl LakeTable {
    pub(super) fn new(table: Table, files: Arc<[FileEntry]>, footers: Arc<Footers>) -> LakeTable {
        let (schema, stored) = (table.schema(), table.file_schema());
        let statistics = files.iter().map(|file| statistics(&schema, file)).collect();
        let lacks = |file: &FileEntry| file.columns.len() < schema.fields().len();
        let older = files.iter().enumerate().filter(|(_, file)| lacks(file));
        let older = older.map(|(place, file)| (place, held(&stored, file))).collect();
        LakeTable { table, schema, stored, files, older, statistics, whole: OnceLock::new(), footers }
    }

    /// What may hold rows for which the predicate is true and that are as the indexes are asked for, in block order.
    fn select(
        &self,
        predicate: Option<&PruningPredicate>,
        wanted: Option<&Wanted>,
        columns: &[usize],
    ) -> Result<Selected, Error> {
        let mut selected = Selected { units: Vec::new(), slots: wanted.map(|_| 0), older: BTreeMap::new() };
        for some in pruning::files_to_read(predicate, &self.statistics, &self.schema).chunks(AT_ONCE) {
            self.select_of(some, predicate, wanted, columns, &mut selected)?;
        }
        Ok(selected)
    }

    /// The same of some files.
    fn select_of(
        &self,
        files: &[usize],
        predicate: Option<&PruningPredicate>,
        wanted: Option<&Wanted>,
        columns: &[usize],
        selected: &mut Selected,
    ) -> Result<(), Error> {
        let mut open = Vec::with_capacity(files.len());
        for &number in files {
            let file = &self.files[number];
            let index = if wanted.is_some() { self.footers.index(file)? } else { None };
            let found = match index.zip(wanted) {
                Some((index, wanted)) => self.footers.noting(file, index.rows(file, wanted))?,
                None => None,
            };
            // Without its footer, which a large lake can't keep in memory for each of its files.
            if found.as_ref().is_some_and(|found| found.slots == 0) {
                continue;
            }
            open.push((number, self.footers.get(file)?.metadata, found));
        }
        let footers: Vec<&ParquetMetaData> = open.iter().map(|(_, footer, _)| footer.as_ref()).collect();
        let named: Option<usize> = open.iter().map(|(_, _, found)| Some(found.as_ref()?.slots)).sum();
        let asked = predicate.filter(|_| named.is_none_or(|slots| slots > HANDFUL));
        let groups = pruning::groups_to_read(&footers, asked, &self.schema);
        for ((number, footer, found), groups) in open.iter().zip(groups) {
            let units = pruning::units(*number, footer, &groups, columns);
            if self.stored != self.schema && has_fixed_items(footer) {
                selected.older.insert(*number, held(&self.schema, &self.files[*number]));
            }
            match found {
                Some(Found { ranges, slots }) => {
                    selected.slots = selected.slots.map(|all| all + *slots as u64);
                    selected.units.extend(pruning::narrow(units, footer, ranges));
                }
                None if units.is_empty() => {}
                None => {
                    selected.slots = None;
                    selected.units.extend(units);
                }
            }
        }
        Ok(())
    }

    /// Whether indexes named so few rows that most pages have none: fewer than one for two pages. With as many, reading the
    /// columns of the filter twice costs as much as reading the pages around each row.
    fn are_few(&self, selected: &Selected) -> bool {
        let files: BTreeSet<usize> = selected.units.iter().map(|unit| unit.file).collect();
        let rows: u64 = files.iter().map(|file| self.files[*file].rows).sum();
        selected.slots.is_some_and(|slots| slots * 2 * (self.table.page_rows() as u64) < rows)
    }

    /// A piece as DataFusion's scan takes it.
    fn partitioned_file(&self, piece: &Piece, prunes: bool, older: &BTreeMap<usize, SchemaRef>) -> PartitionedFile {
        let file = &self.files[piece.file];
        let mut access = ParquetAccessPlan::new_none(piece.of);
        for (group, part) in &piece.groups {
            access.scan(*group);
            if let Some(Part { ranges, of }) = part {
                access.scan_selection(*group, RowSelection::from_consecutive_ranges(ranges.iter().cloned(), *of));
            }
        }
        let full = self.footers.dir().join(&file.path);
        let read = PartitionedFile::new(full.to_string_lossy(), file.bytes);
        let statistics = Arc::clone(&self.statistics[piece.file]);
        let read = if prunes { read.with_statistics(statistics) } else { read };
        let held = older.get(&piece.file).or_else(|| self.older.get(&piece.file)).unwrap_or(&self.stored);
        read.with_arrow_schema(Arc::clone(held))
            .with_extension(access)
            .with_extension(LakeFile(file.clone()))
            .with_extension(PlannedRead { rows: piece.rows, bytes: piece.bytes })
    }

    /// The order in which rows come out of every file, and out of files in a row.
    fn ordering(&self) -> PlanResult<Vec<LexOrdering>> {
        let columns = self.table.def().sort.iter().map(|name| {
            Ok(PhysicalSortExpr::new_default(Arc::new(Column::new(name, self.schema.index_of(name)?))).nulls_last())
        });
        Ok(LexOrdering::new(columns.collect::<PlanResult<Vec<_>>>()?).into_iter().collect())
    }

    /// Exact for the rows that the selected units hold, unless an index chose them; the bytes are those of the columns that
    /// leave the scan, by which a join chooses its side.
    fn selected_statistics(&self, selected: &Selected, projection: Option<&Vec<usize>>) -> PlanResult<Statistics> {
        let units = &selected.units;
        let mut files: Vec<usize> = units.iter().map(|unit| unit.file).collect();
        files.dedup();
        let whole: u64 = files.iter().map(|file| self.files[*file].rows).sum();
        let mut rows: u64 = units.iter().map(|unit| unit.rows).sum();
        let all = if files.len() == self.files.len() { self.statistics() } else { None };
        let mut merged = match all {
            Some(all) => all,
            None => {
                let statistics = files.iter().map(|file| self.statistics[*file].as_ref());
                Statistics::try_merge_iter(statistics, &self.schema)?
            }
        };
        if rows != whole {
            merged = merged.to_inexact();
            merged.num_rows = Precision::Exact(rows as usize);
        }
        if let Some(slots) = selected.slots {
            rows = rows.min(slots * OF_SLOT);
            merged = merged.to_inexact();
            merged.num_rows = Precision::Inexact(rows as usize);
        }
        if let Some(columns) = projection {
            let bytes = columns.iter().filter_map(|column| merged.column_statistics[*column].byte_size.get_value());
            merged.total_byte_size = Precision::Inexact(bytes.sum());
        }
        merged.total_byte_size = merged.total_byte_size.with_estimated_selectivity(rows as f64 / whole.max(1) as f64);
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
        self.whole.get_or_init(merge).clone()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> PlanResult<Vec<TableProviderFilterPushDown>> {
        // Pruning keeps rows that don't match; the Parquet scan takes the filter itself over later, where it can.
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
        let implied = filters.iter().filter_map(|filter| implied::by_filter(filter, time));
        let predicate = match conjunction(filters.iter().cloned().chain(implied)) {
            Some(filter) => {
                let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
                let filter = state.create_physical_expr(filter, &schema)?;
                PruningPredicateBuilder::new().with_file_schema(Arc::clone(&self.schema)).build(filter)
            }
            None => None,
        };
        let columns = needed_columns(&self.schema, projection, filters);
        let wanted = index::wanted(self.table, filters);
        let selected = self.select(predicate.as_deref(), wanted.as_ref(), &columns)?;
        if selected.units.is_empty() {
            let schema = match projection {
                Some(columns) => Arc::new(self.schema.project(columns)?),
                None => Arc::clone(&self.schema),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let statistics = self.selected_statistics(&selected, projection)?;
        let mut options = TableParquetOptions::default();
        if self.are_few(&selected) {
            // What filters look at is kept for the output in whole batches, each of several pages around a row.
            options.global.max_predicate_cache_size = Some(0);
        }
        let prunes = selected.slots.is_none_or(|slots| slots > HANDFUL as u64);
        options.global.pruning = prunes;
        let Selected { units, slots, older } = selected;
        let groups: Vec<FileGroup> = share_out(units, state.config().target_partitions())
            .iter()
            .map(|pieces| pieces.iter().map(|piece| self.partitioned_file(piece, prunes, &older)).collect())
            .collect();
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_table_parquet_options(options)
            .with_pushdown_filters(true)
            .with_enable_page_index(prunes)
            // An index has told more than the bloom filters of the same columns could.
            .with_bloom_filter_on_read(slots.is_none())
            .with_parquet_file_reader_factory(Arc::new(LakeReaders { footers: Arc::clone(&self.footers) }));
        // Already shared out by what is really read: DataFusion's own split by file size would undo it.
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

/// What the planner wants to know of a file: made once in the life of the file.
fn statistics(schema: &SchemaRef, file: &FileEntry) -> Arc<Statistics> {
    let made = file.statistics.get_or_init(|| Arc::new(pruning::file_statistics(schema, file)));
    Arc::clone(made)
}

/// The columns that a file has; the scan fills the others with nulls.
fn held(schema: &SchemaRef, file: &FileEntry) -> SchemaRef {
    let fields = schema.fields().iter().filter(|field| file.columns.contains_key(field.name())).cloned();
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Columns that leave the scan or that its filters look at.
fn needed_columns(schema: &SchemaRef, projection: Option<&Vec<usize>>, filters: &[Expr]) -> Vec<usize> {
    let Some(projection) = projection else { return (0..schema.fields().len()).collect() };
    let filtered = filters.iter().flat_map(Expr::column_refs).filter_map(|column| schema.index_of(&column.name).ok());
    let columns: BTreeSet<usize> = projection.iter().copied().chain(filtered).collect();
    columns.into_iter().collect()
}
