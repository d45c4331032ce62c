//! Columns of a result as Hive prints them: intervals as texts, also within lists, maps and rows, and decimals with all digits of
//! their type; within other values Hive drops their trailing zeros.

use super::{intervals, nested};
use crate::prelude::*;
use quarry_types::cell::ALL_DIGITS;

/// `hive_shown(value)`.
pub(super) fn udf() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "hive_shown",
        1..=1,
        |args| Ok(printed_field(&args.arg_fields[0])),
        |arrays, _| as_printed(&arrays[0])
    ))
}

/// A column as Hive prints it.
pub fn call(column: Expr) -> Expr {
    udf().call(vec![column])
}

/// Whether Hive prints values of a type in another way than the engine.
pub fn is_needed(data_type: &DataType) -> bool {
    data_type.is_decimal() || has_interval(data_type)
}

fn has_interval(data_type: &DataType) -> bool {
    intervals::is_interval(data_type) || children(data_type).into_iter().any(has_interval)
}

/// The types that a list, a map or a row is made of.
fn children(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(item) => vec![item.data_type()],
        DataType::Map(entries, _) => vec![entries.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        _ => Vec::new(),
    }
}

fn printed_field(field: &Field) -> FieldRef {
    let mut notes = field.metadata().clone();
    if field.data_type().is_decimal() {
        notes.insert(ALL_DIGITS.to_string(), String::new());
    }
    Arc::new(field.clone().with_data_type(printed_type(field.data_type())).with_metadata(notes))
}

fn printed_type(data_type: &DataType) -> DataType {
    let inside = |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(printed_type(field.data_type())));
    match data_type {
        interval if intervals::is_interval(interval) => DataType::Utf8,
        DataType::List(item) => DataType::List(inside(item)),
        DataType::Map(entries, sorted) => DataType::Map(inside(entries), *sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inside).collect()),
        other => other.clone(),
    }
}

fn as_printed(array: &ArrayRef) -> Result<ArrayRef> {
    if let Some(texts) = intervals::format(array) {
        return Ok(Arc::new(texts));
    }
    let to = printed_type(array.data_type());
    if to == *array.data_type() {
        return Ok(Arc::clone(array));
    }
    nested::to_type(array, &to, |part, _| as_printed(part))
}
