//! Compares rows of the lake with expected rows.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use quarry_lake::tables::Table;

use crate::proofs::{Check, Mismatch};

/// Maximum characters of a value in a message.
const LENGTH: usize = 80;

/// Columns that only some sources have: an expected null matches any value.
const OPTIONAL_COLUMNS: [&str; 4] = ["total_difficulty", "symbol", "name", "decimals"];

/// The first difference of each table. Both sides have at most one batch of a table.
pub(super) fn differences(
    tables: &[Table],
    stored: &[(Table, RecordBatch)],
    expected: &[(Table, RecordBatch)],
) -> Vec<Mismatch> {
    let of = |batches: &[(Table, RecordBatch)], table: Table| {
        let found = batches.iter().find(|(of, _)| *of == table).map(|(_, batch)| batch.clone());
        found.unwrap_or_else(|| RecordBatch::new_empty(table.schema()))
    };
    tables.iter().filter_map(|&table| difference(table, &of(stored, table), &of(expected, table))).collect()
}

fn difference(table: Table, stored: &RecordBatch, expected: &RecordBatch) -> Option<Mismatch> {
    let rows = stored.num_rows().min(expected.num_rows());
    let first = (0..stored.num_columns())
        .filter_map(|column| first_difference(stored, expected, column, rows).map(|row| (row, column)))
        .min();
    let name = table.name();
    if let Some((row, column)) = first {
        let field = stored.schema_ref().field(column).name().clone();
        let what = format!(
            "{name}, row {}, column {field}: the lake has {}, it should be {}",
            place(table, stored, row),
            shown(stored.column(column), row),
            shown(expected.column(column), row)
        );
        return Some(Mismatch { block: number(table, expected, row), check: Check::Rows, what });
    }
    let (more, what) = match stored.num_rows().cmp(&expected.num_rows()) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => (expected, "is missing"),
        std::cmp::Ordering::Greater => (stored, "is too many"),
    };
    let what = format!("{name}, row {}: it {what}", place(table, more, rows));
    Some(Mismatch { block: number(table, more, rows), check: Check::Rows, what })
}

/// The first row in which the column differs.
fn first_difference(stored: &RecordBatch, expected: &RecordBatch, column: usize, rows: usize) -> Option<usize> {
    let name = stored.schema_ref().field(column).name().as_str();
    let (stored, expected) = (stored.column(column).slice(0, rows), expected.column(column).slice(0, rows));
    if stored.as_ref() == expected.as_ref() {
        return None;
    }
    let has_value = |row: usize| expected.is_valid(row) || !OPTIONAL_COLUMNS.contains(&name);
    (0..rows).find(|&row| stored.slice(row, 1).as_ref() != expected.slice(row, 1).as_ref() && has_value(row))
}

fn number(table: Table, batch: &RecordBatch, row: usize) -> u64 {
    let blocks = batch.column_by_name(table.def().sort[0]).and_then(|column| column.as_primitive_opt::<Int64Type>());
    blocks.map_or(0, |blocks| blocks.value(row).unsigned_abs())
}

/// Identifies a row within its block by the rest of the sort order.
fn place(table: Table, batch: &RecordBatch, row: usize) -> String {
    let names = table.def().sort.iter().skip(1);
    let values: Vec<String> =
        names.filter_map(|name| batch.column_by_name(name)).map(|column| shown(column, row)).collect();
    if values.is_empty() { "0".to_string() } else { values.join(".") }
}

fn shown(column: &dyn Array, row: usize) -> String {
    let options = FormatOptions::default().with_null("null");
    let text = match ArrayFormatter::try_new(column, &options) {
        Ok(formatter) => formatter.value(row).to_string(),
        Err(_) => "a value".to_string(),
    };
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}
