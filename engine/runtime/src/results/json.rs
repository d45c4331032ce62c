//! JSON: an array with an object for each row. All numbers, also nested ones, are JSON numbers with all digits.

use std::collections::HashSet;

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::record_batch::RecordBatch;
use serde_json::Value;

use quarry_types::cell::value;
use quarry_types::uint256::is_uint256;

/// The names of the members, quoted. Duplicate names get a number.
pub(super) fn names(schema: &Schema) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for field in schema.fields() {
        let mut name = field.name().clone();
        let mut count = 1;
        while !seen.insert(name.clone()) {
            count += 1;
            name = format!("{}_{count}", field.name());
        }
        names.push(Value::String(name).to_string());
    }
    names
}

/// Appends the rows of a batch, separated by commas.
pub(super) fn rows(batch: &RecordBatch, names: &[String], first: &mut bool, out: &mut Vec<u8>) {
    let schema = batch.schema_ref();
    for row in 0..batch.num_rows() {
        out.extend_from_slice(if *first { b"\n{" } else { b",\n{" });
        *first = false;
        for (index, (column, field)) in batch.columns().iter().zip(schema.fields()).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(names[index].as_bytes());
            out.push(b':');
            cell(column, field, row, out);
        }
        out.push(b'}');
    }
}

/// Appends one cell.
pub(super) fn cell(array: &dyn Array, field: &Field, row: usize, out: &mut Vec<u8>) {
    if array.is_null(row) {
        out.extend_from_slice(b"null");
        return;
    }
    match array.data_type() {
        DataType::List(item) => list(&array.as_list::<i32>().value(row), item, out),
        DataType::LargeList(item) => list(&array.as_list::<i64>().value(row), item, out),
        DataType::FixedSizeList(item, _) => list(&array.as_fixed_size_list().value(row), item, out),
        DataType::Map(entries, _) => list(&array.as_map().value(row), entries, out),
        DataType::Struct(fields) => {
            out.push(b'{');
            for (index, (column, field)) in array.as_struct().columns().iter().zip(fields).enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                out.extend_from_slice(Value::from(field.name().as_str()).to_string().as_bytes());
                out.push(b':');
                cell(column, field, row, out);
            }
            out.push(b'}');
        }
        data_type => match value(array, field, row) {
            Value::String(digits) if is_uint256(field) || is_exact_number(data_type) => {
                out.extend_from_slice(digits.as_bytes());
            }
            other => out.extend_from_slice(other.to_string().as_bytes()),
        },
    }
}

fn list(items: &dyn Array, field: &Field, out: &mut Vec<u8>) {
    out.push(b'[');
    for row in 0..items.len() {
        if row > 0 {
            out.push(b',');
        }
        cell(items, field, row, out);
    }
    out.push(b']');
}

/// Whether a value is shown as text with the digits of a number.
fn is_exact_number(data_type: &DataType) -> bool {
    data_type.is_integer() || data_type.is_decimal()
}
