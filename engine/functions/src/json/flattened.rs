//! What Snowflake's `FLATTEN` shows of a list or of JSON: its items, their keys and their paths.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, ListBuilder, StringBuilder};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::text::{compact, elements, is_json, json_field, members};
use crate::shared;
use crate::simple::Simple;
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// The calls of which `FLATTEN` shows the items.
pub const JSON_ITEMS: &str = "flattened";
pub const JSON_KEYS: &str = "flattened_keys";
pub const JSON_PATHS: &str = "flattened_paths";

/// The text that is said to be JSON.
static AS_JSON: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let returns = |_: &ReturnFieldArgs<'_>| Ok(Arc::new(json_field()));
    shared(Simple::udf("as_json", 1..=1, None, returns, |args, to| Ok(arrow::compute::cast(&args[0], to.data_type())?)))
});

/// The shared function, for rewrites.
pub fn as_json() -> Arc<ScalarUDF> {
    AS_JSON.clone()
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let items = |args: &ReturnFieldArgs<'_>| match args.arg_fields[0].data_type() {
        DataType::List(_) => Ok(args.arg_fields[0].clone()),
        from => texts(from),
    };
    let names = |args: &ReturnFieldArgs<'_>| match args.arg_fields[0].data_type() {
        DataType::List(_) => texts(&DataType::Utf8),
        from => texts(from),
    };
    vec![
        Simple::udf(JSON_ITEMS, 1..=1, None, items, |args, _| match args[0].data_type() {
            DataType::List(_) => Ok(args[0].clone()),
            _ => parts(&args[0], |part| Some(compact(part.value))),
        }),
        Simple::udf(JSON_KEYS, 1..=1, None, names, |args, _| parts(&args[0], |part| part.key.map(str::to_string))),
        Simple::udf(JSON_PATHS, 1..=1, None, names, |args, _| {
            parts(&args[0], |part| Some(part.key.map_or_else(|| format!("[{}]", part.place), str::to_string)))
        }),
    ]
}

fn texts(from: &DataType) -> Result<Arc<Field>> {
    match is_text(from) || from.is_null() {
        true => Ok(Arc::new(Field::new("parts", DataType::new_list(DataType::Utf8, true), true))),
        false => Err(invalid(format!("FLATTEN takes a list or JSON, not {}.", type_name(from, false)))),
    }
}

/// A part of a list or of an object.
struct Part<'a> {
    place: usize,
    key: Option<&'a str>,
    value: &'a str,
}

/// What is shown of each part; of what has no parts there is no list.
fn parts(column: &ArrayRef, shown: impl Fn(Part) -> Option<String>) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    if let DataType::List(_) = column.data_type() {
        for list in column.as_list::<i32>().iter() {
            let count = list.as_ref().map_or(0, |list| list.len());
            (0..count).for_each(|place| lists.values().append_option(shown(Part { place, key: None, value: "" })));
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
            lists.values().append_option(shown(Part { place, key: Some(key), value }));
        }
        for (place, value) in items.iter().flatten().enumerate() {
            lists.values().append_option(shown(Part { place, key: None, value }));
        }
        lists.append(json.is_some());
    }
    Ok(Arc::new(lists.finish()))
}
