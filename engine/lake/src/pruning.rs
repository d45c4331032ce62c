//! Pruning: files by the statistics of the catalogue, row groups by their footers, rows by an index.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, UInt64Array};
use arrow::datatypes::{DataType, Field, SchemaRef, TimeUnit};
use datafusion::common::pruning::{PrunableStatistics, PruningStatistics};
use datafusion::common::stats::Precision;
use datafusion::common::{Column, ColumnStatistics, ScalarValue, Statistics};
use datafusion::physical_optimizer::pruning::PruningPredicate;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;

use super::snapshot::FileEntry;
use super::tables::layout::PAGE_ROWS;

/// A row group to read, or some rows of it.
#[derive(Debug, Clone)]
pub(super) struct RowGroupRead {
    /// Number of the file in the table.
    pub(super) file: usize,
    /// Row groups of the whole file.
    pub(super) file_row_groups: usize,
    pub(super) group: usize,
    /// Rows to read.
    pub(super) rows: u64,
    /// Compressed bytes of the columns that the scan needs.
    pub(super) bytes: u64,
    /// The rows to read, if not all.
    pub(super) selected: Option<RowRanges>,
}

/// Some rows of a row group.
#[derive(Debug, Clone)]
pub(super) struct RowRanges {
    /// Ascending, counted from the first row of the row group.
    pub(super) ranges: Arc<[Range<usize>]>,
    /// Rows of the whole row group.
    pub(super) group_rows: usize,
}

/// The statistics that the catalogue has of a file; exact.
pub(super) fn file_statistics(schema: &SchemaRef, file: &FileEntry) -> Statistics {
    let columns: Vec<ColumnStatistics> = schema.fields().iter().map(|field| column_statistics(field, file)).collect();
    let bytes: usize = columns.iter().filter_map(|column| column.byte_size.get_value()).sum();
    Statistics {
        num_rows: count(Some(file.rows)),
        total_byte_size: Precision::Inexact(bytes),
        column_statistics: columns,
    }
}

fn column_statistics(field: &Field, file: &FileEntry) -> ColumnStatistics {
    let mut statistics = ColumnStatistics::new_unknown();
    if !field.is_nullable() {
        statistics.null_count = Precision::Exact(0);
    }
    let Some(facts) = file.columns.get(field.name()) else { return statistics };
    if field.is_nullable() {
        statistics.null_count = count(facts.nulls);
    }
    // Size in memory, where a dictionary of the file saves nothing.
    let width = match field.data_type() {
        DataType::FixedSizeBinary(width) => usize::try_from(*width).ok(),
        other => other.primitive_width(),
    };
    let bytes = width.map_or(facts.plain_bytes, |width| file.rows * width as u64);
    statistics.byte_size = count(Some(bytes)).to_inexact();
    statistics.min_value = bound(field.data_type(), facts.min);
    statistics.max_value = bound(field.data_type(), facts.max);
    statistics
}

fn count(number: Option<u64>) -> Precision<usize> {
    number.and_then(|number| usize::try_from(number).ok()).map_or(Precision::Absent, Precision::Exact)
}

fn bound(kind: &DataType, value: Option<i64>) -> Precision<ScalarValue> {
    let Some(value) = value else { return Precision::Absent };
    match kind {
        DataType::Int64 => Precision::Exact(ScalarValue::Int64(Some(value))),
        DataType::Int32 => {
            i32::try_from(value).map_or(Precision::Absent, |value| Precision::Exact(ScalarValue::Int32(Some(value))))
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            Precision::Exact(ScalarValue::TimestampMicrosecond(Some(value), zone.clone()))
        }
        _ => Precision::Absent,
    }
}

/// Indices of the files that may hold a row for which the predicate is true.
pub(super) fn files_to_read(
    predicate: Option<&PruningPredicate>,
    statistics: &[Arc<Statistics>],
    schema: &SchemaRef,
) -> Vec<usize> {
    let all = 0..statistics.len();
    let Some(predicate) = predicate.filter(|_| !statistics.is_empty()) else { return all.collect() };
    match predicate.prune(&FileBounds::new(statistics, schema)) {
        Ok(keep) => all.filter(|index| keep[*index]).collect(),
        // A predicate that can't be evaluated on bounds prunes nothing.
        Err(_) => all.collect(),
    }
}

/// Row groups of each file that may hold such a row. All are pruned in one call, which costs as much for one row group as for
/// thousands.
pub(super) fn groups_to_read<'a>(
    footers: &[&'a ParquetMetaData],
    predicate: Option<&PruningPredicate>,
    schema: &'a SchemaRef,
) -> Vec<Vec<usize>> {
    let Some(predicate) = predicate else {
        return footers.iter().map(|footer| (0..footer.num_row_groups()).collect()).collect();
    };
    let descriptor = |footer: &'a ParquetMetaData| footer.file_metadata().schema_descr();
    let mut pruned = Vec::with_capacity(footers.len());
    // The converter finds a column by its number, and files of older versions have fewer columns.
    for same_columns in footers.chunk_by(|one, other| descriptor(one).num_columns() == descriptor(other).num_columns())
    {
        let groups: Vec<&RowGroupMetaData> = same_columns.iter().flat_map(|footer| footer.row_groups()).collect();
        let bounds = RowGroupBounds { groups, schema, parquet: descriptor(same_columns[0]) };
        // A predicate that can't be evaluated on bounds prunes nothing.
        let mut keep = predicate.prune(&bounds).unwrap_or_default().into_iter();
        for footer in same_columns {
            pruned.push((0..footer.num_row_groups()).filter(|_| keep.next().unwrap_or(true)).collect());
        }
    }
    pruned
}

/// Reads of whole row groups of a file, with their rows and bytes.
pub(super) fn row_group_reads(
    file: usize,
    footer: &ParquetMetaData,
    selected_groups: &[usize],
    columns: &[usize],
) -> Vec<RowGroupRead> {
    let groups = footer.row_groups();
    let read = |group: &usize| RowGroupRead {
        file,
        file_row_groups: groups.len(),
        group: *group,
        rows: groups[*group].num_rows().unsigned_abs(),
        bytes: compressed_bytes(&groups[*group], columns),
        selected: None,
    };
    selected_groups.iter().map(read).collect()
}

/// Bounds of files from the catalogue. DataFusion's `PrunableStatistics` has no bounds for a column if one file has none (only
/// nulls, or written before the column existed), so that nothing would be pruned.
struct FileBounds<'a> {
    statistics: &'a [Arc<Statistics>],
    schema: &'a SchemaRef,
    counts: PrunableStatistics,
}

impl<'a> FileBounds<'a> {
    fn new(statistics: &'a [Arc<Statistics>], schema: &'a SchemaRef) -> FileBounds<'a> {
        let counts = PrunableStatistics::new(statistics.to_vec(), Arc::clone(schema));
        FileBounds { statistics, schema, counts }
    }

    /// A bound of each file, null where it is unknown; `None` where it is unknown for all.
    fn bounds(
        &self,
        column: &Column,
        bound: impl Fn(&ColumnStatistics) -> &Precision<ScalarValue>,
    ) -> Option<ArrayRef> {
        let (index, field) = self.schema.column_with_name(&column.name)?;
        let known = self.statistics.iter().map(|file| match file.column_statistics.get(index).map(&bound) {
            Some(Precision::Exact(value)) => Some(value.clone()),
            _ => None,
        });
        let known: Vec<Option<ScalarValue>> = known.collect();
        if known.iter().all(Option::is_none) {
            return None;
        }
        let unknown = ScalarValue::try_from(field.data_type()).ok()?;
        ScalarValue::iter_to_array(known.into_iter().map(|value| value.unwrap_or_else(|| unknown.clone()))).ok()
    }
}

impl PruningStatistics for FileBounds<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, |statistics| &statistics.min_value)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, |statistics| &statistics.max_value)
    }

    fn num_containers(&self) -> usize {
        self.statistics.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        self.counts.null_counts(column)
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        self.counts.row_counts()
    }

    fn contained(&self, _column: &Column, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}

/// Bounds of row groups from footers.
struct RowGroupBounds<'a> {
    groups: Vec<&'a RowGroupMetaData>,
    schema: &'a SchemaRef,
    parquet: &'a SchemaDescriptor,
}

impl RowGroupBounds<'_> {
    fn converter(&self, column: &Column) -> Option<StatisticsConverter<'_>> {
        StatisticsConverter::try_new(&column.name, self.schema, self.parquet).ok()
    }
}

impl PruningStatistics for RowGroupBounds<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.converter(column)?.row_group_mins(self.groups.iter().copied()).ok()
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.converter(column)?.row_group_maxes(self.groups.iter().copied()).ok()
    }

    fn num_containers(&self) -> usize {
        self.groups.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        let counts = self.converter(column)?.row_group_null_counts(self.groups.iter().copied()).ok()?;
        Some(Arc::new(counts))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        let rows = self.groups.iter().map(|group| group.num_rows().unsigned_abs());
        Some(Arc::new(UInt64Array::from_iter_values(rows)))
    }

    fn contained(&self, _column: &Column, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}

/// Reduces the reads of a file to the rows in `ranges`, counted from the first row of the file.
pub(super) fn select_rows(
    reads: Vec<RowGroupRead>,
    footer: &ParquetMetaData,
    ranges: &[Range<usize>],
) -> Vec<RowGroupRead> {
    let mut starts = vec![0];
    for group in footer.row_groups() {
        starts.push(starts[starts.len() - 1] + group.num_rows().unsigned_abs() as usize);
    }
    let selected = reads.into_iter().filter_map(|read| {
        let (start, end) = (starts[read.group], starts[read.group + 1]);
        let first = ranges.partition_point(|range| range.end <= start);
        let within = ranges[first..].iter().take_while(|range| range.start < end);
        let inside: Arc<[Range<usize>]> =
            within.map(|range| range.start.max(start) - start..range.end.min(end) - start).collect();
        let rows: usize = inside.iter().map(Range::len).sum();
        let group_rows = end - start;
        if rows == group_rows {
            return Some(read);
        }
        // Pages are read whole.
        let share = rows_of_pages(&inside).min(group_rows) as f64 / group_rows.max(1) as f64;
        let bytes = (read.bytes as f64 * share) as u64;
        let selected = Some(RowRanges { ranges: inside, group_rows });
        (rows > 0).then_some(RowGroupRead { rows: rows as u64, bytes, selected, ..read })
    });
    selected.collect()
}

/// Rows of the pages that ascending ranges touch.
fn rows_of_pages(ranges: &[Range<usize>]) -> usize {
    let (mut rows, mut read) = (0, 0);
    for range in ranges {
        let from = (range.start / PAGE_ROWS * PAGE_ROWS).max(read);
        read = range.end.next_multiple_of(PAGE_ROWS).max(read);
        rows += read - from;
    }
    rows
}

fn compressed_bytes(group: &RowGroupMetaData, columns: &[usize]) -> u64 {
    let schema = group.schema_descr();
    let is_needed = |leaf: &usize| columns.contains(&schema.get_column_root_idx(*leaf));
    (0..group.num_columns()).filter(is_needed).map(|leaf| group.column(leaf).compressed_size().unsigned_abs()).sum()
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "an index returns lists of ranges")]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::logical_expr::Operator;
    use datafusion::physical_expr::expressions::{binary, col, lit};
    use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;

    use super::*;

    #[test]
    fn a_file_without_bounds_does_not_disable_pruning() {
        let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        for kind in [DataType::Int64, DataType::Int32, time] {
            let schema: SchemaRef = Arc::new(Schema::new(vec![Field::new("n", kind.clone(), true)]));
            let file = |bounds: Option<(i64, i64)>| {
                let mut statistics = ColumnStatistics::new_unknown();
                statistics.min_value = bound(&kind, bounds.map(|(min, _)| min));
                statistics.max_value = bound(&kind, bounds.map(|(_, max)| max));
                let columns = vec![statistics];
                Arc::new(Statistics { num_rows: count(Some(9)), column_statistics: columns, ..Statistics::default() })
            };
            let greater_than = |limit: i64| {
                let Precision::Exact(limit) = bound(&kind, Some(limit)) else { panic!("a bound of {kind}") };
                let filter = binary(col("n", &schema).unwrap(), Operator::Gt, lit(limit), &schema).unwrap();
                PruningPredicateBuilder::new().with_file_schema(Arc::clone(&schema)).build(filter).unwrap()
            };
            let (low, high, unknown) = (file(Some((1, 5))), file(Some((6, 9))), file(None));
            for (files, read) in [
                (vec![low.clone(), high.clone()], vec![1]),
                (vec![unknown.clone(), low.clone(), high.clone()], vec![0, 2]),
                (vec![low.clone(), unknown.clone(), high, low], vec![1, 2]),
                (vec![unknown.clone(), unknown], vec![0, 1]),
                (vec![], vec![]),
            ] {
                assert_eq!(files_to_read(Some(&greater_than(5)), &files, &schema), read, "{kind}: {files:?}");
            }
        }
    }

    #[test]
    fn pages_are_counted_once() {
        assert_eq!(rows_of_pages(&[]), 0);
        assert_eq!(rows_of_pages(&[0..1]), PAGE_ROWS);
        assert_eq!(rows_of_pages(&[3..5, 9..10, PAGE_ROWS - 1..PAGE_ROWS]), PAGE_ROWS);
        assert_eq!(rows_of_pages(&[PAGE_ROWS - 1..PAGE_ROWS + 1, PAGE_ROWS + 5..PAGE_ROWS + 6]), 2 * PAGE_ROWS);
        assert_eq!(rows_of_pages(&[7..8, 3 * PAGE_ROWS + 7..3 * PAGE_ROWS + 8]), 2 * PAGE_ROWS);
    }
}
