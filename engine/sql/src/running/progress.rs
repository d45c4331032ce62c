//! The progress of a running plan: what its scans have read of what they will read.

use std::collections::HashMap;
use std::ops::Add;
use std::sync::{Arc, OnceLock};

use datafusion::common::stats::Precision;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::{MetricValue, MetricsSet};

use quarry_lake::PlannedRead;
use quarry_planner::optimizer::common_subplan::RepeatedExec;
use quarry_runtime::job::Progress;

/// The most footers that are read to know the bytes of a scan. A scan of more files reports rows only.
const MAX_FOOTERS: usize = 512;

/// The operator that reduces pairs after all of them are sorted, and its metrics: pairs that its input emitted, and pairs that it has
/// reduced.
pub const REDUCE: &str = "ReduceExec";
pub const EMITTED_PAIRS: &str = "emitted_pairs";
pub const REDUCED_PAIRS: &str = "reduced_pairs";
/// The share of reading in the progress of such a plan.
const READING_SHARE: f64 = 0.7;

/// The scans of one plan.
pub struct PlanWatch {
    leaves: Vec<Leaf>,
    /// Subplans with several readers, which run once.
    repeated: Vec<Arc<dyn ExecutionPlan>>,
    reduce: Option<Arc<dyn ExecutionPlan>>,
    stage_after_reading: &'static str,
}

struct Leaf {
    plan: Arc<dyn ExecutionPlan>,
    /// Rows of all its files, if known for every file.
    rows: Option<u64>,
    size: OnceLock<Size>,
    /// Whether the lake pruned it when it was planned. Then row groups that are skipped later are not subtracted from the total.
    planned: bool,
}

/// The size of a scan by the footers of its files.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    rows: u64,
    /// Compressed bytes of the columns it reads.
    bytes: u64,
    row_groups: u64,
}

/// What scans have read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScanCounts {
    pub rows: u64,
    /// Compressed bytes.
    pub bytes: u64,
    /// Row groups that are not read, found while the scan runs.
    pub row_groups_skipped: u64,
}

impl ScanCounts {
    /// What the scans of a plan have read.
    pub fn of_plan(plan: &Arc<dyn ExecutionPlan>) -> ScanCounts {
        let inputs = plan.children().into_iter().map(ScanCounts::of_plan);
        let own = if plan.is::<DataSourceExec>() { of_metrics(plan.metrics()) } else { ScanCounts::default() };
        inputs.fold(own, Add::add)
    }
}

impl Add for ScanCounts {
    type Output = ScanCounts;

    fn add(self, other: ScanCounts) -> ScanCounts {
        ScanCounts {
            rows: self.rows + other.rows,
            bytes: self.bytes + other.bytes,
            row_groups_skipped: self.row_groups_skipped + other.row_groups_skipped,
        }
    }
}

impl PlanWatch {
    pub fn new(plan: &Arc<dyn ExecutionPlan>) -> PlanWatch {
        let mut watch =
            PlanWatch { leaves: Vec::new(), repeated: Vec::new(), reduce: None, stage_after_reading: "reading" };
        watch.visit(plan);
        watch
    }

    fn visit(&mut self, plan: &Arc<dyn ExecutionPlan>) {
        let name = plan.name();
        // The operator nearest to the result runs last, and is visited first.
        if self.stage_after_reading == "reading" {
            self.stage_after_reading = match name {
                _ if name.contains("Sort") => "sorting",
                _ if name.contains("Aggregate") => "aggregating",
                _ if name.contains("Join") => "joining",
                _ => "reading",
            };
        }
        if name == REDUCE {
            self.reduce = Some(plan.clone());
        }
        if let Some(repeated) = plan.downcast_ref::<RepeatedExec>() {
            let made_by = repeated.made_by();
            if !self.repeated.iter().any(|seen| Arc::ptr_eq(seen, made_by)) {
                self.repeated.push(Arc::clone(made_by));
                self.visit(made_by);
            }
        } else if plan.children().is_empty() {
            self.leaves.push(leaf(plan));
        }
        for child in plan.children() {
            self.visit(child);
        }
    }

    /// Reads the footers of the scanned files, mostly from the cache, to know the totals of bytes and row groups.
    pub async fn measure(&self, runtime: &RuntimeEnv) {
        for leaf in &self.leaves {
            if leaf.size.get().is_none()
                && let Some(size) = measure(&leaf.plan, runtime).await
            {
                // An earlier measure has the same value.
                let _ = leaf.size.set(size);
            }
        }
    }

    /// The progress after so many rows of the result. `counted`: what the scans have read, if copies of them run in several
    /// processes.
    pub fn progress(&self, rows_out: u64, counted: Option<ScanCounts>) -> Progress {
        let mut progress = Progress { rows_out, rows_total: Some(0), bytes_total: Some(0), ..Progress::default() };
        for leaf in &self.leaves {
            let read = of_metrics(leaf.plan.metrics());
            progress.rows_read += read.rows;
            progress.bytes_read += read.bytes;
            let size = leaf.size.get();
            // Row groups that statistics or bloom filters exclude are not read, and leave the total.
            let share = size
                .filter(|_| !leaf.planned)
                .map_or(1.0, |size| 1.0 - (read.row_groups_skipped as f64 / size.row_groups.max(1) as f64).min(1.0));
            let rows = leaf.rows.or(size.map(|size| size.rows));
            let scaled = |total: u64, read: u64| ((total as f64 * share) as u64).max(read);
            progress.rows_total = add(progress.rows_total, rows.map(|rows| scaled(rows, read.rows)));
            progress.bytes_total = add(progress.bytes_total, size.map(|size| scaled(size.bytes, read.bytes)));
        }
        if let Some(counted) = counted {
            (progress.rows_read, progress.bytes_read) = (counted.rows, counted.bytes);
        }
        progress.percent = match progress.rows_total {
            Some(total) if total > 0 => Some(progress.rows_read as f64 * 100.0 / total as f64),
            _ => None,
        };
        if let Some(reduce) = &self.reduce {
            progress.percent =
                progress.percent.map(|read| READING_SHARE * read + (1.0 - READING_SHARE) * percent_reduced(reduce));
        }
        let all_read = progress.rows_total.is_some_and(|total| progress.rows_read >= total);
        progress.stage = match () {
            () if rows_out > 0 => "writing",
            () if all_read => self.stage_after_reading,
            () => "reading",
        }
        .to_string();
        progress
    }
}

fn percent_reduced(plan: &Arc<dyn ExecutionPlan>) -> f64 {
    let metrics = plan.metrics().unwrap_or_default();
    let pairs = |name: &str| metrics.sum_by_name(name).map_or(0, |sum| sum.as_usize()) as f64;
    pairs(REDUCED_PAIRS) * 100.0 / pairs(EMITTED_PAIRS).max(1.0)
}

fn leaf(plan: &Arc<dyn ExecutionPlan>) -> Leaf {
    let planned = planned_read(plan);
    let rows = planned.map(|planned| planned.rows).or_else(|| rows_of_files(plan));
    let size = OnceLock::new();
    if let Some(PlannedRead { rows, bytes }) = planned {
        // The lock is new, so this sets it.
        let _ = size.set(Size { rows, bytes, row_groups: 0 });
    }
    Leaf { plan: plan.clone(), rows, size, planned: planned.is_some() }
}

/// What a scan of the lake will read.
fn planned_read(plan: &Arc<dyn ExecutionPlan>) -> Option<PlannedRead> {
    let scan = scan_of(plan)?;
    let mut sum = PlannedRead { rows: 0, bytes: 0 };
    for file in scan.file_groups.iter().flat_map(|group| group.iter()) {
        let read = file.extension::<PlannedRead>()?;
        sum.rows += read.rows;
        sum.bytes += read.bytes;
    }
    Some(sum)
}

fn add(sum: Option<u64>, part: Option<u64>) -> Option<u64> {
    Some(sum? + part?)
}

fn scan_of(plan: &Arc<dyn ExecutionPlan>) -> Option<&FileScanConfig> {
    plan.downcast_ref::<DataSourceExec>()?.data_source().downcast_ref::<FileScanConfig>()
}

/// The files of a scan, each once though it may be cut into ranges.
fn files_of(scan: &FileScanConfig) -> HashMap<&str, &PartitionedFile> {
    let files = scan.file_groups.iter().flat_map(|group| group.iter());
    files.map(|file| (file.object_meta.location.as_ref(), file)).collect()
}

fn rows_of_files(plan: &Arc<dyn ExecutionPlan>) -> Option<u64> {
    let Some(scan) = scan_of(plan) else {
        // Values and empty relations read nothing; a generator's rows are unknown.
        let nothing = ["PlaceholderRowExec", "EmptyExec"].contains(&plan.name());
        return nothing.then_some(0);
    };
    let mut sum = 0;
    for file in files_of(scan).values() {
        match file.statistics.as_ref()?.num_rows {
            Precision::Exact(rows) => sum += rows as u64,
            _ => return None,
        }
    }
    Some(sum)
}

async fn measure(plan: &Arc<dyn ExecutionPlan>, runtime: &RuntimeEnv) -> Option<Size> {
    let scan = scan_of(plan)?;
    let source = scan.file_source();
    let files = files_of(scan);
    if source.file_type() != "parquet" || files.len() > MAX_FOOTERS {
        return None;
    }
    let schema = scan.file_schema();
    let mut columns: Vec<usize> = source.projection().map_or_else(Vec::new, |projection| projection.column_indices());
    if let Some(filter) = source.filter() {
        columns.extend(collect_columns(&filter).iter().filter_map(|column| schema.index_of(column.name()).ok()));
    }
    let names: Vec<&str> = columns.iter().filter_map(|&i| schema.fields().get(i)).map(|f| f.name().as_str()).collect();
    let store = runtime.object_store(&scan.object_store_url).ok()?;
    let mut size = Size::default();
    for file in files.values() {
        let footer = DFParquetMetadata::new(store.as_ref(), &file.object_meta)
            .with_metadata_size_hint(Some(1 << 19))
            .with_file_metadata_cache(Some(runtime.cache_manager.get_file_metadata_cache()))
            .fetch_metadata()
            .await
            .ok()?;
        for group in footer.row_groups() {
            size.row_groups += 1;
            size.rows += group.num_rows().max(0) as u64;
            for chunk in group.columns() {
                let root = chunk.column_path().parts().first();
                if root.is_some_and(|root| names.contains(&root.as_str())) {
                    size.bytes += chunk.compressed_size().max(0) as u64;
                }
            }
        }
    }
    Some(size)
}

fn of_metrics(metrics: Option<MetricsSet>) -> ScanCounts {
    let mut read = ScanCounts::default();
    let Some(metrics) = metrics else { return read };
    let (mut output, mut pruned) = (0, 0);
    for metric in metrics.iter() {
        match metric.value() {
            MetricValue::OutputRows(rows) => output += rows.value() as u64,
            MetricValue::Count { name, count } => match name.as_ref() {
                "bytes_scanned" => read.bytes += count.value() as u64,
                "pushdown_rows_pruned" => pruned += count.value() as u64,
                "row_groups_pruned_dynamic_filter" => read.row_groups_skipped += count.value() as u64,
                _ => {}
            },
            MetricValue::PruningMetrics { name, pruning_metrics } => match name.as_ref() {
                "row_groups_pruned_statistics" | "row_groups_pruned_bloom_filter" | "limit_pruned_row_groups" => {
                    read.row_groups_skipped += pruning_metrics.pruned() as u64;
                }
                "page_index_rows_pruned" => pruned += pruning_metrics.pruned() as u64,
                _ => {}
            },
            _ => {}
        }
    }
    read.rows = output + pruned;
    read
}
