//! CSV: one header row, RFC 4180 quoting, null empty, and text that a spreadsheet would run as a formula made harmless.

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

/// Lists and structs are JSON inside the cell.
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

/// One cell. Text chosen by strangers (a token's name) that starts like a formula gets an apostrophe before it; numbers
/// never do, so a negative number stays a number.
fn text(cell: &str, guard: bool, out: &mut Vec<u8>) {
    let formula = guard && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
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

    fn one(cell: &str, guard: bool) -> String {
        let mut out = Vec::new();
        text(cell, guard, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn formulas_are_made_harmless_and_numbers_stay() {
        assert_eq!(one("=1+1", true), "\"'=1+1\"");
        assert_eq!(one("@import", true), "\"'@import\"");
        assert_eq!(one("-5", false), "-5");
        assert_eq!(one("plain", true), "plain");
        assert_eq!(one("a \"b\", c", true), "\"a \"\"b\"\", c\"");
    }
}
