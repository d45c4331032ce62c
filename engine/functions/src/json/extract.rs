//! Values out of JSON texts, by a path such as `$.name[0]`.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, AsArray, BooleanArray, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::path::{Step, at, steps, walk};
use super::text::{compact, elements, is_json, json_field, no_json, plain};
use crate::shared;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const SCALAR_DOC: Doc = Doc {
    signature: "json_extract_scalar(json, path)",
    text: "The text, number or truth value at a path of a JSON text, as text; null when there is none.",
    example: "select json_extract_scalar('{\"a\":{\"b\":[1,2]}}', '$.a.b[1]')",
};
const EXTRACT_DOC: Doc = Doc {
    signature: "json_extract(json, path)",
    text: "Whatever stands at a path of a JSON text, as JSON; null when there is nothing.",
    example: "select json_extract('{\"a\":{\"b\":[1,2]}}', '$.a')",
};
const QUERY_DOC: Doc = Doc {
    signature: "json_query(json, path)",
    text: "The same as json_extract, as a text whose quotes stay when it is cast.",
    example: "select json_query('{\"a\":[\"b\"]}', '$.a')",
};
/// What json_query takes for WITH ARRAY WRAPPER and WITH CONDITIONAL ARRAY WRAPPER.
pub const WRAPPED: &str = "array wrapper";
pub const WRAPPED_UNLESS: &str = "conditional array wrapper";

const PARSE_DOC: Doc = Doc {
    signature: "json_parse(text)",
    text: "The JSON of a text, without blanks between its parts; an error for a text that is no JSON.",
    example: "select json_parse('{\"a\": [1, 2]}')",
};
const LENGTH_DOC: Doc = Doc {
    signature: "json_array_length(json)",
    text: "The number of items of a JSON list; null for anything else.",
    example: "select json_array_length('[1,2,3]')",
};

const FORMAT_DOC: Doc = Doc {
    signature: "json_format(json)",
    text: "JSON as text; the same as json_parse, since JSON is text here.",
    example: "select json_format(json_parse('[1, 2]'))",
};
const GET_DOC: Doc = Doc {
    signature: "json_array_get(json, place)",
    text: "The item of a JSON list at a place, counted from 0 or from the end below zero, as JSON; null when there is none.",
    example: "select json_array_get('[1, 2, 3]', -1)",
};
const SIZE_DOC: Doc = Doc {
    signature: "json_size(json, path)",
    text: "How many items or members the list or object at a path of a JSON text has; 0 for anything else.",
    example: "select json_size('{\"a\":[1,2]}', '$.a')",
};

const EXISTS_DOC: Doc = Doc {
    signature: "json_exists(json, path)",
    text: "Whether anything stands at a path of a JSON text, be it null.",
    example: "select json_exists('{\"a\":{\"b\":[1,2]}}', '$.a.b[1]')",
};
const IS_SCALAR_DOC: Doc = Doc {
    signature: "is_json_scalar(json)",
    text: "Whether a JSON text is a number, a text, true, false or null, and no list or object.",
    example: "select is_json_scalar('1'), is_json_scalar('[1]')",
};
const CONTAINS_DOC: Doc = Doc {
    signature: "json_array_contains(json, value)",
    text: "Whether a JSON list has a text, a number or a truth value among its items; null for what is no list.",
    example: "select json_array_contains('[1, 2, 3]', 2)",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("json_extract_scalar", 2..=2, Some(SCALAR_DOC), text, |args, _| extract(args, scalar))
            .with_aliases(["json_value", "json_extract_string", "get_json_object"]),
        json_extract().as_ref().clone(),
        // The same as a text, which a cast to a text leaves as it is.
        Simple::udf("json_query", 2..=3, Some(QUERY_DOC), text, queried),
        Simple::udf("json_parse", 1..=1, Some(PARSE_DOC), json, |args, _| parse(args)),
        Simple::udf("json_format", 1..=1, Some(FORMAT_DOC), text, |args, _| parse(args)),
        Simple::udf("json_exists", 2..=2, Some(EXISTS_DOC), truth, |args, _| {
            let found = found(args, |_, values| (!values.is_empty()).then(String::new))?;
            let known = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?);
            let rows = known.zip(found.as_string::<i32>());
            let exists = rows.map(|((json, path), found)| json.and(path).map(|_| found.is_some()));
            Ok(Arc::new(exists.collect::<BooleanArray>()))
        }),
        Simple::udf("is_json_scalar", 1..=1, Some(IS_SCALAR_DOC), truth, |args, _| {
            let scalar = |json: &str| match is_json(json) {
                true => Ok(!json.trim_start().starts_with(['[', '{'])),
                false => Err(no_json(json)),
            };
            let rows = text_of(&args[0])?.into_iter().map(|json| json.map(scalar).transpose());
            Ok(Arc::new(rows.collect::<Result<BooleanArray>>()?))
        }),
        Simple::udf("json_array_contains", 2..=2, Some(CONTAINS_DOC), item, |args, _| contains(args)),
        Simple::udf("json_array_get", 2..=2, Some(GET_DOC), place, |args, _| get(args)),
        Simple::udf(
            "json_size",
            2..=2,
            Some(SIZE_DOC),
            |args| text(args).map(|_| Arc::new(Field::new("size", DataType::Int64, true))),
            |args, _| {
                let sizes = extract(args, |value| Some(size(value).to_string()))?;
                Ok(cast(&sizes, &DataType::Int64)?)
            },
        ),
        Simple::udf(
            "json_array_length",
            1..=1,
            Some(LENGTH_DOC),
            |args| text(args).map(|_| Arc::new(Field::new("length", DataType::Int64, true))),
            |args, _| {
                let length = |text: &str| {
                    let list = text.trim_start().starts_with('[') && is_json(text);
                    list.then(|| elements(text).len() as i64)
                };
                Ok(Arc::new(text_of(&args[0])?.into_iter().map(|text| text.and_then(length)).collect::<Int64Array>()))
            },
        ),
    ]
}

fn text(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fits = args.arg_fields.iter().all(|field| is_text(field.data_type()) || field.data_type().is_null());
    if !fits {
        return Err(invalid("A JSON text and a path such as '$.name' are needed here."));
    }
    Ok(Arc::new(Field::new("json", DataType::Utf8, true)))
}

fn json(args: &ReturnFieldArgs) -> Result<FieldRef> {
    text(args).map(|_| Arc::new(json_field()))
}

fn whole(args: &[ArrayRef], _: &FieldRef) -> Result<ArrayRef> {
    extract(args, |value| Some(compact(value)))
}

static JSON_EXTRACT: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| shared(Simple::udf("json_extract", 2..=2, Some(EXTRACT_DOC), json, whole)));

/// The shared function, for rewrites.
pub fn json_extract() -> Arc<ScalarUDF> {
    JSON_EXTRACT.clone()
}

/// The text, number or truth value that JSON is, for casts: a list or an object stays as it is, null is none.
static JSON_PLAIN: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf("json_plain", 1..=1, None, text, |args, _| {
        let shown = |json: &str| match json {
            "null" => None,
            json => plain(json).or_else(|| Some(json.to_string())),
        };
        Ok(Arc::new(text_of(&args[0])?.into_iter().map(|json| json.and_then(shown)).collect::<StringArray>()))
    }))
});

/// The shared function, for rewrites.
pub fn json_plain() -> Arc<ScalarUDF> {
    JSON_PLAIN.clone()
}

fn place(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (json, place) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    match (is_text(json) || json.is_null()) && (place.is_integer() || place.is_null()) {
        true => Ok(Arc::new(json_field())),
        false => Err(invalid("A JSON text and the place of an item are needed here.")),
    }
}

fn truth(args: &ReturnFieldArgs) -> Result<FieldRef> {
    text(args).map(|_| Arc::new(Field::new("truth", DataType::Boolean, true)))
}

fn item(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (json, item) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    let known = is_text(item) || item.is_numeric() || item.is_null() || *item == DataType::Boolean;
    match (is_text(json) || json.is_null()) && known {
        true => Ok(Arc::new(Field::new("truth", DataType::Boolean, true))),
        false => Err(invalid("A JSON text and a text, a number or a truth value are needed here.")),
    }
}

/// A text is the same letter by letter; numbers are the same as doubles are, whichever way they are written.
fn contains(args: &[ArrayRef]) -> Result<ArrayRef> {
    let wanted = &args[1];
    let of_texts = is_text(wanted.data_type());
    let of_numbers = wanted.data_type().is_numeric();
    let words = cast(wanted, &DataType::Utf8)?;
    let rows = text_of(&args[0])?.into_iter().zip(words.as_string::<i32>());
    let within = rows.map(|(json, wanted)| {
        let (json, wanted) = json.filter(|json| json.trim_start().starts_with('[') && is_json(json)).zip(wanted)?;
        let number = wanted.parse::<f64>().ok();
        Some(elements(json).into_iter().any(|item| match item.as_bytes().first() {
            Some(b'"') => of_texts && serde_json::from_str::<String>(item).is_ok_and(|item| item == wanted),
            Some(b't' | b'f') => !of_texts && !of_numbers && item == wanted,
            Some(b'-' | b'0'..=b'9') => of_numbers && (item == wanted || same_number(item, wanted, number)),
            _ => false,
        }))
    });
    Ok(Arc::new(within.collect::<BooleanArray>()))
}

/// Whole numbers are not rounded to doubles before they are compared.
fn same_number(item: &str, wanted: &str, number: Option<f64>) -> bool {
    let whole = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'-');
    !(whole(item) && whole(wanted)) && item.parse::<f64>().ok() == number
}

fn parse(args: &[ArrayRef]) -> Result<ArrayRef> {
    let parse = |json: &str| match is_json(json) {
        true => Ok(compact(json)),
        false => Err(no_json(json)),
    };
    let rows = text_of(&args[0])?.into_iter().map(|json| json.map(parse).transpose());
    Ok(Arc::new(rows.collect::<Result<StringArray>>()?))
}

fn get(args: &[ArrayRef]) -> Result<ArrayRef> {
    let places = cast(&args[1], &DataType::Int64)?;
    let rows = text_of(&args[0])?.into_iter().zip(places.as_primitive::<Int64Type>());
    let found = rows.map(|(json, place)| {
        let (json, place) = json.filter(|json| json.trim_start().starts_with('[') && is_json(json)).zip(place)?;
        at(&elements(json), place).map(compact)
    });
    Ok(Arc::new(found.collect::<StringArray>()))
}

/// How many parts a JSON value has.
fn size(value: &str) -> usize {
    match serde_json::from_str(value) {
        Ok(serde_json::Value::Array(items)) => items.len(),
        Ok(serde_json::Value::Object(members)) => members.len(),
        _ => 0,
    }
}

/// What stands at the path of each row, where it is one value.
fn extract(args: &[ArrayRef], show: fn(&str) -> Option<String>) -> Result<ArrayRef> {
    found(args, |_, values| match values {
        [value] => show(value),
        _ => None,
    })
}

/// What is shown of the values at the path of each row; `[*]` finds any number of them.
fn found(args: &[ArrayRef], show: impl Fn(usize, &[&str]) -> Option<String>) -> Result<ArrayRef> {
    let mut known: Option<(&str, Vec<Step>)> = None;
    let mut shown = Vec::new();
    for (row, (json, path)) in text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).enumerate() {
        let (Some(json), Some(path)) = (json, path) else {
            shown.push(None);
            continue;
        };
        if known.as_ref().is_none_or(|(text, _)| *text != path) {
            known = Some((path, steps(path)?));
        }
        let steps = known.as_ref().map(|(_, steps)| steps.as_slice()).unwrap_or_default();
        let value = Some(json.trim()).filter(|json| is_json(json));
        shown.push(value.and_then(|value| show(row, &walk(value, steps))));
    }
    Ok(Arc::new(StringArray::from(shown)))
}

/// All values at the path of each row as a list where its third argument asks for one: always, or unless it is one list or object.
fn queried(args: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let Some(wrappers) = args.get(2) else { return whole(args, field) };
    let wrappers = text_of(wrappers)?;
    if let Some(other) = wrappers.iter().flatten().find(|wrapper| ![WRAPPED, WRAPPED_UNLESS].contains(wrapper)) {
        return Err(invalid(format!("json_query takes '{WRAPPED}' or '{WRAPPED_UNLESS}', not '{other}'.")));
    }
    found(args, |row, values| match (values, wrappers[row]) {
        ([], _) | (_, None) => None,
        ([value], Some(WRAPPED_UNLESS)) if value.starts_with(['[', '{']) => Some(compact(value)),
        (values, _) => {
            let items: Vec<String> = values.iter().map(|value| compact(value)).collect();
            Some(format!("[{}]", items.join(",")))
        }
    })
}

/// A number is shown as it is written, with every digit.
fn scalar(value: &str) -> Option<String> {
    plain(value).filter(|_| !value.starts_with('n'))
}
