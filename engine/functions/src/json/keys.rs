//! `object_keys(json)`, `json_keys(json)` and `json_array(…)`: what an object has, and lists of values as JSON.

use std::collections::BTreeSet;

use arrow::array::{ListBuilder, StringBuilder};

use super::text::{is_json, json_field, members};
use crate::prelude::*;

/// The call that `json_array` is rewritten to: values as JSON, without nulls, as in Trino.
pub const JSON_OF_ITEMS: &str = "json_of_items";

/// The JSON of a list, with `null` for nulls.
pub const JSON_LIST: &str = "json_list";

pub(super) fn udfs() -> [ScalarUDF; 4] {
    let texts = || DataType::new_list(DataType::Utf8, true);
    [
        doc(
            "object_keys(json)",
            "The keys of a JSON object, in their order; null for any other value.",
            "select object_keys('{\"a\":1,\"b\":2}')",
        )
        .aliases(["json_object_keys"])
        .udf(1..=1, takes([is_text], "object_keys expects a JSON object.", texts()), |args, _| names(&args[0])),
        doc(
            "json_keys(json, depth)",
            "The keys of a JSON object and of the objects nested in it, as alphabetically sorted paths; objects in arrays are left out. An optional depth limits the nesting.",
            "select json_keys('{\"b\":{\"c\":1},\"a\":2}')",
        )
        .udf(
            1..=2,
            takes([is_text, DataType::is_integer], "json_keys expects a JSON value and optionally a depth.", texts()),
            |args, _| paths(args),
        ),
        scalar_udf(JSON_OF_ITEMS, 0..=MANY, |_| Ok(Arc::new(json_field())), |args, _| list(args, false)),
        json_list().as_ref().clone(),
    ]
}

pub fn json_list() -> Arc<ScalarUDF> {
    shared!(scalar_udf(JSON_LIST, 0..=MANY, |_| Ok(Arc::new(json_field())), |args, _| list(args, true)))
}

/// A list of JSON as JSON.
pub fn json_of_list() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "json_of_list",
        1..=1,
        |_| Ok(Arc::new(json_field())),
        |args, _| map_rows::<StringArray, _, _>(args[0].as_list::<i32>().iter(), |items| {
            let items = text_of(&items)?.into_iter().map(|item| item.unwrap_or("null")).collect::<Vec<_>>();
            Ok(format!("[{}]", items.join(",")))
        })
    ))
}

fn names(column: &ArrayRef) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for json in text_of(column)? {
        let members = json.filter(|json| is_json(json)).and_then(members);
        let known = members.is_some();
        for (name, _) in members.into_iter().flatten() {
            lists.values().append_value(name);
        }
        lists.append(known);
    }
    Ok(Arc::new(lists.finish()))
}

fn paths(args: &[ArrayRef]) -> Result<ArrayRef> {
    // Without a depth there is no end.
    let depths = match args.get(1) {
        Some(depths) => cast(depths, &DataType::Int64)?.as_primitive::<Int64Type>().clone(),
        None => Int64Array::new_null(args[0].len()),
    };
    let mut lists = ListBuilder::new(StringBuilder::new());
    for (json, depth) in text_of(&args[0])?.into_iter().zip(&depths) {
        if depth.is_some_and(|depth| depth < 1) {
            return Err(invalid("The depth of json_keys must be at least 1."));
        }
        let mut paths = BTreeSet::new();
        let json = json.filter(|json| is_json(json));
        json.into_iter().for_each(|json| add_paths(json, "", depth.unwrap_or(i64::MAX), &mut paths));
        paths.into_iter().for_each(|path| lists.values().append_value(path));
        lists.append(json.is_some());
    }
    Ok(Arc::new(lists.finish()))
}

/// Adds the paths of an object's members.
fn add_paths(json: &str, above: &str, depth: i64, paths: &mut BTreeSet<String>) {
    for (name, value) in members(json).into_iter().flatten().filter(|_| depth > 0) {
        let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !name.is_empty();
        let name = if is_plain { name } else { serde_json::Value::from(name).to_string() };
        let path = if above.is_empty() { name } else { format!("{above}.{name}") };
        add_paths(value, &path, depth - 1, paths);
        paths.insert(path);
    }
}

/// The arguments of each row as a list.
fn list(args: &[ArrayRef], with_nulls: bool) -> Result<ArrayRef> {
    let items = args.iter().map(|arg| cast(arg, &DataType::Utf8)).collect::<Result<Vec<_>, _>>()?;
    let items: Vec<&StringArray> = items.iter().map(|item| item.as_string::<i32>()).collect();
    let rows = args.first().map_or(1, |first| first.len());
    let list = |row: usize| {
        let texts = items.iter().filter_map(|items| match items.is_valid(row) {
            true => Some(items.value(row)),
            false => with_nulls.then_some("null"),
        });
        format!("[{}]", texts.collect::<Vec<_>>().join(","))
    };
    Ok(Arc::new((0..rows).map(|row| Some(list(row))).collect::<StringArray>()))
}
