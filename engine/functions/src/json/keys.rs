//! `object_keys(json)`, `json_keys(json)` and `json_array(…)`: what an object has, and lists of values as JSON.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListBuilder, StringArray, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::text::{is_json, json_field, members};
use crate::shared;
use crate::simple::{Doc, MANY, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const KEYS_DOC: Doc = Doc {
    signature: "object_keys(json)",
    text: "The names of the members of a JSON object, in their order; null for anything else.",
    example: "select object_keys('{\"a\":1,\"b\":2}')",
};

const ALL_KEYS_DOC: Doc = Doc {
    signature: "json_keys(json, depth)",
    text: "The names of the members of a JSON object and of the objects in it, as paths in the order of the alphabet, those within lists left out; so deep at most where a depth is given.",
    example: "select json_keys('{\"b\":{\"c\":1},\"a\":2}')",
};

/// The call that `json_array` is made of: values as JSON. What is null is left out, as in Trino.
pub const JSON_OF_ITEMS: &str = "json_of_items";

/// The JSON of a list: what is null is `null` there.
pub const JSON_LIST: &str = "json_list";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let keys = |args: &ReturnFieldArgs<'_>| {
        let from = args.arg_fields[0].data_type();
        match is_text(from) || from.is_null() {
            true => Ok(Arc::new(Field::new("keys", DataType::new_list(DataType::Utf8, true), true))),
            false => Err(invalid("object_keys takes a JSON object.")),
        }
    };
    vec![
        Simple::udf("object_keys", 1..=1, Some(KEYS_DOC), keys, |args, _| names(&args[0]))
            .with_aliases(["json_object_keys"]),
        Simple::udf("json_keys", 1..=2, Some(ALL_KEYS_DOC), paths_field, |args, _| paths(args)),
        Simple::udf(JSON_OF_ITEMS, 0..=MANY, None, |_| Ok(Arc::new(json_field())), |args, _| list(args, false)),
        json_list().as_ref().clone(),
    ]
}

static LIST: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(JSON_LIST, 0..=MANY, None, |_| Ok(Arc::new(json_field())), |args, _| list(args, true)))
});

/// The shared function, for rewrites.
pub fn json_list() -> Arc<ScalarUDF> {
    LIST.clone()
}

static OF_LIST: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf("json_of_list", 1..=1, None, |_| Ok(Arc::new(json_field())), |args, _| of_list(&args[0])))
});

/// The shared function, for rewrites: a list of JSON as JSON.
pub fn json_of_list() -> Arc<ScalarUDF> {
    OF_LIST.clone()
}

fn of_list(lists: &ArrayRef) -> Result<ArrayRef> {
    let json = |items: ArrayRef| {
        let items = text_of(&items)?.into_iter().map(|item| item.unwrap_or("null")).collect::<Vec<_>>().join(",");
        Ok(format!("[{items}]"))
    };
    let rows = lists.as_list::<i32>().iter().map(|items| items.map(json).transpose());
    Ok(Arc::new(rows.collect::<Result<StringArray>>()?))
}

fn names(column: &ArrayRef) -> Result<ArrayRef> {
    let column = cast(column, &DataType::Utf8)?;
    let mut lists = ListBuilder::new(StringBuilder::new());
    for json in text_of(&column)? {
        let members = json.filter(|json| is_json(json)).and_then(members);
        let known = members.is_some();
        for (name, _) in members.into_iter().flatten() {
            lists.values().append_value(name);
        }
        lists.append(known);
    }
    Ok(Arc::new(lists.finish()))
}

fn paths_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    let depth =
        args.arg_fields.get(1).is_none_or(|depth| depth.data_type().is_integer() || depth.data_type().is_null());
    match (is_text(from) || from.is_null()) && depth {
        true => Ok(Arc::new(Field::new("keys", DataType::new_list(DataType::Utf8, true), true))),
        false => Err(invalid("json_keys takes JSON and perhaps a depth.")),
    }
}

fn paths(args: &[ArrayRef]) -> Result<ArrayRef> {
    // Without a depth there is no end.
    let depths: ArrayRef = match args.get(1) {
        Some(depths) => cast(depths, &DataType::Int64)?,
        None => Arc::new(Int64Array::new_null(args[0].len())),
    };
    let mut lists = ListBuilder::new(StringBuilder::new());
    for (json, depth) in text_of(&args[0])?.into_iter().zip(depths.as_primitive::<Int64Type>()) {
        if depth.is_some_and(|depth| depth < 1) {
            return Err(invalid("The depth of json_keys is one or more."));
        }
        let mut found = BTreeSet::new();
        let json = json.filter(|json| is_json(json));
        json.into_iter().for_each(|json| add_paths(json, "", depth.unwrap_or(i64::MAX), &mut found));
        found.into_iter().for_each(|path| lists.values().append_value(path));
        lists.append(json.is_some());
    }
    Ok(Arc::new(lists.finish()))
}

/// The paths of an object's members below another one.
fn add_paths(json: &str, above: &str, depth: i64, found: &mut BTreeSet<String>) {
    for (name, value) in members(json).into_iter().flatten().filter(|_| depth > 0) {
        let plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !name.is_empty();
        let name = if plain { name } else { serde_json::Value::from(name).to_string() };
        let path = if above.is_empty() { name } else { format!("{above}.{name}") };
        add_paths(value, &path, depth - 1, found);
        found.insert(path);
    }
}

/// The list of each row.
fn list(args: &[ArrayRef], with_nulls: bool) -> Result<ArrayRef> {
    let items = args.iter().map(|arg| cast(arg, &DataType::Utf8)).collect::<Result<Vec<_>, _>>()?;
    let items: Vec<&StringArray> = items.iter().map(|item| item.as_string::<i32>()).collect();
    let rows = args.first().map_or(1, |first| first.len());
    let of = |row: usize| {
        let shown = items.iter().filter_map(|items| match items.is_valid(row) {
            true => Some(items.value(row)),
            false => with_nulls.then_some("null"),
        });
        format!("[{}]", shown.collect::<Vec<_>>().join(","))
    };
    Ok(Arc::new((0..rows).map(|row| Some(of(row))).collect::<StringArray>()))
}
