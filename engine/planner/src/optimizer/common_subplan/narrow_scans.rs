//! Subplans that read some narrow columns of a table: an edge list that a query joins with itself, hop by hop. Decoding them
//! costs more than keeping their rows, as long as these are few bytes.

use arrow::datatypes::DataType;
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::{LogicalPlan, TableScan};

/// Most bytes of the rows of such a subplan, if its filters pass the whole table.
const MAX_BYTES: usize = 256 << 20;

/// Whether a part picks columns of one table, all of fixed width and together few bytes, with or without a filter.
pub(super) fn is_scan(part: &LogicalPlan) -> bool {
    if !matches!(part, LogicalPlan::Projection(_)) {
        return false;
    }
    let fields = part.schema().fields();
    let width: Option<usize> = fields.iter().map(|field| width(field.data_type())).sum();
    width.zip(scanned(part).and_then(rows)).is_some_and(|(width, rows)| rows.saturating_mul(width) <= MAX_BYTES)
}

/// The table that a part reads, if it does nothing else than to filter and to pick.
fn scanned(part: &LogicalPlan) -> Option<&TableScan> {
    match part {
        LogicalPlan::TableScan(scan) => Some(scan),
        LogicalPlan::Projection(step) => scanned(&step.input),
        LogicalPlan::Filter(step) => scanned(&step.input),
        LogicalPlan::SubqueryAlias(step) => scanned(&step.input),
        _ => None,
    }
}

fn rows(scan: &TableScan) -> Option<usize> {
    let provider = source_as_provider(&scan.source).ok()?;
    provider.statistics()?.num_rows.get_value().copied()
}

/// Bytes of a value, if all of a type have the same.
fn width(kind: &DataType) -> Option<usize> {
    match kind {
        DataType::FixedSizeBinary(bytes) => usize::try_from(*bytes).ok(),
        DataType::Boolean => Some(1),
        kind => kind.primitive_width(),
    }
}
