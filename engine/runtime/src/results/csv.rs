//! CSV: a header row, RFC 4180 quoting, empty cells for null, and text escaped that a spreadsheet would run as a formula.

use arrow::array::Array;
use arrow::datatypes::{DataType, Schema};
use arrow::record_batch::RecordBatch;
use serde_json::Value;

use super::json;
use quarry_types::cell;

/// Appends the header row.
pub(super) fn header(schema: &Schema, out: &mut Vec<u8>) {
    for (index, field) in schema.fields().iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        text(field.name(), true, out);
    }
    out.extend_from_slice(b"\r\n");
}

/// Appends the rows of a batch.
pub(super) fn rows(batch: &RecordBatch, out: &mut Vec<u8>) {
    let schema = batch.schema_ref();
    for row in 0..batch.num_rows() {
        for (index, (column, field)) in batch.columns().iter().zip(schema.fields()).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            if is_nested(field.data_type()) && !column.is_null(row) {
                let mut cell = Vec::new();
                json::cell(column, field, row, &mut cell);
                text(&String::from_utf8_lossy(&cell), false, out);
                continue;
            }
            match cell::value(column, field, row) {
                Value::Null => {}
                Value::String(cell) => text(&cell, is_text(field.data_type()), out),
                // Numbers and booleans print as they are.
                other => text(&other.to_string(), false, out),
            }
        }
        out.extend_from_slice(b"\r\n");
    }
}

/// Nested values are written as JSON.
fn is_nested(data_type: &DataType) -> bool {
    use DataType::{FixedSizeList, LargeList, List, Map, Struct};
    matches!(data_type, List(_) | LargeList(_) | FixedSizeList(..) | Map(..) | Struct(_))
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_text(values),
        other => matches!(other, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
    }
}

/// Appends a cell. Text that starts like a formula gets an apostrophe in front, since anybody may choose the name of a token;
/// numbers do not, so that negative numbers stay numbers.
fn text(cell: &str, escape_formula: bool, out: &mut Vec<u8>) {
    let formula = escape_formula && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if !formula && !cell.contains([',', '"', '\n', '\r']) {
        out.extend_from_slice(cell.as_bytes());
        return;
    }
    out.push(b'"');
    if formula {
        out.push(b'\'');
    }
    out.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cell: &str, escape_formula: bool) -> String {
        let mut out = Vec::new();
        text(cell, escape_formula, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn formulas_are_escaped_and_numbers_are_not() {
        assert_eq!(written("=1+1", true), "\"'=1+1\"");
        assert_eq!(written("@import", true), "\"'@import\"");
        assert_eq!(written("-5", false), "-5");
        assert_eq!(written("plain", true), "plain");
        assert_eq!(written("a \"b\", c", true), "\"a \"\"b\"\", c\"");
    }
}
