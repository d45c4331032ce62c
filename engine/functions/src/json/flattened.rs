//! What Snowflake's `FLATTEN` shows of a list or of JSON: its items, their keys and their paths.

use arrow::array::{ListBuilder, StringBuilder};

use super::text::{compact, elements, is_json, json_field, members};
use crate::prelude::*;

/// The calls that `FLATTEN` is rewritten to.
pub const JSON_ITEMS: &str = "flattened";
pub const JSON_KEYS: &str = "flattened_keys";
pub const JSON_PATHS: &str = "flattened_paths";

/// Marks a text as JSON.
pub fn as_json() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "as_json",
        1..=1,
        |_| Ok(Arc::new(json_field())),
        |args, to| Ok(cast(&args[0], to.data_type())?)
    ))
}

pub(super) fn udfs() -> [ScalarUDF; 3] {
    let items = |args: &ReturnFieldArgs<'_>| match args.arg_fields[0].data_type() {
        DataType::List(_) => returns_first(args),
        _ => texts(args),
    };
    [
        scalar_udf(JSON_ITEMS, 1..=1, items, |args, _| match args[0].data_type() {
            DataType::List(_) => Ok(args[0].clone()),
            _ => entries(&args[0], |entry| Some(compact(entry.value))),
        }),
        scalar_udf(JSON_KEYS, 1..=1, texts, |args, _| entries(&args[0], |entry| entry.key.map(str::to_string))),
        scalar_udf(JSON_PATHS, 1..=1, texts, |args, _| {
            entries(&args[0], |entry| Some(entry.key.map_or_else(|| format!("[{}]", entry.place), str::to_string)))
        }),
    ]
}

fn texts(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        from if is_text(from) || from.is_null() || matches!(from, DataType::List(_)) => {
            returns(DataType::new_list(DataType::Utf8, true))(args)
        }
        other => Err(invalid(format!("FLATTEN expects a list or JSON, got {}.", type_name(other, false)))),
    }
}

/// An item of a list or a member of an object.
struct Entry<'a> {
    place: usize,
    key: Option<&'a str>,
    value: &'a str,
}

/// The list of what a function makes of each entry; null for what is neither a list nor an object.
fn entries(column: &ArrayRef, make: impl Fn(Entry) -> Option<String>) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    if let DataType::List(_) = column.data_type() {
        for list in column.as_list::<i32>().iter() {
            let count = list.as_ref().map_or(0, |list| list.len());
            (0..count).for_each(|place| lists.values().append_option(make(Entry { place, key: None, value: "" })));
            lists.append(list.is_some());
        }
        return Ok(Arc::new(lists.finish()));
    }
    if column.data_type().is_null() {
        (0..column.len()).for_each(|_| lists.append(false));
        return Ok(Arc::new(lists.finish()));
    }
    for json in text_of(column)? {
        let json = json.map(str::trim).filter(|json| json.starts_with(['[', '{']) && is_json(json));
        let members = json.and_then(members);
        let items = json.filter(|json| json.starts_with('[')).map(elements);
        for (place, (key, value)) in members.iter().flatten().enumerate() {
            lists.values().append_option(make(Entry { place, key: Some(key), value }));
        }
        for (place, value) in items.iter().flatten().enumerate() {
            lists.values().append_option(make(Entry { place, key: None, value }));
        }
        lists.append(json.is_some());
    }
    Ok(Arc::new(lists.finish()))
}
