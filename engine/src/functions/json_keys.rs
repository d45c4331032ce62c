//! `object_keys(json)` and `json_array(…)`: what an object has, and lists of values as JSON.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, ListBuilder, StringArray, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::bytes::{is_text, text_of};
use super::json_text::{is_json, json_field, members};
use super::shared;
use super::simple::{Doc, MANY, Simple, invalid};

const KEYS_DOC: Doc = Doc {
    signature: "object_keys(json)",
    text: "The names of the members of a JSON object, in their order; null for anything else.",
    example: "select object_keys('{\"a\":1,\"b\":2}')",
};

/// The call that `json_array` is made of: values as JSON. What is null is left out, as in Trino.
pub(crate) const JSON_OF_ITEMS: &str = "json_of_items";

/// The JSON of a list: what is null is `null` there.
pub(crate) const JSON_LIST: &str = "json_list";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let keys = |args: &ReturnFieldArgs<'_>| {
        let from = args.arg_fields[0].data_type();
        match is_text(from) || from.is_null() {
            true => Ok(Arc::new(Field::new("keys", DataType::new_list(DataType::Utf8, true), true))),
            false => Err(invalid("object_keys takes a JSON object.")),
        }
    };
    vec![
        Simple::udf("object_keys", 1..=1, Some(KEYS_DOC), keys, |args, _| names(&args[0])),
        Simple::udf(JSON_OF_ITEMS, 0..=MANY, None, |_| Ok(Arc::new(json_field())), |args, _| list(args, false)),
        json_list().as_ref().clone(),
    ]
}

static LIST: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(JSON_LIST, 0..=MANY, None, |_| Ok(Arc::new(json_field())), |args, _| list(args, true)))
});

/// The shared function, for rewrites.
pub(crate) fn json_list() -> Arc<ScalarUDF> {
    LIST.clone()
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
