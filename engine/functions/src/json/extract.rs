//! Values out of JSON texts, by a path such as `$.name[0]`.

use super::path::{at, parse_path, walk};
use super::text::{compact, elements, is_json, json_field, no_json, unquoted};
use crate::prelude::*;

/// What `json_query` takes for `WITH ARRAY WRAPPER` and `WITH CONDITIONAL ARRAY WRAPPER`.
pub const WRAPPED: &str = "array wrapper";
pub const WRAPPED_UNLESS: &str = "conditional array wrapper";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        json_extract().as_ref().clone(),
        doc(
            "json_extract_scalar(json, path)",
            "The string, number or boolean at a path in JSON, as a string; null if there is none.",
            "select json_extract_scalar('{\"a\":{\"b\":[1,2]}}', '$.a.b[1]')",
        )
        .aliases(["json_value", "json_extract_string", "get_json_object"])
        .udf(2..=2, takes_json(DataType::Utf8), |args, _| {
            // A number is shown as it is written, with every digit.
            extract(args, |value| unquoted(value).filter(|_| !value.starts_with('n')))
        }),
        doc(
            "json_query(json, path)",
            "The same as json_extract, but as a string that keeps its quotes when it is cast.",
            "select json_query('{\"a\":[\"b\"]}', '$.a')",
        )
        .udf(2..=3, takes_json(DataType::Utf8), |args, _| query(args)),
        doc(
            "json_parse(text)",
            "JSON parsed from a string, without whitespace between tokens. Fails if the string is not valid JSON.",
            "select json_parse('{\"a\": [1, 2]}')",
        )
        .fallible()
        .udf(1..=1, returns_json, |args, _| parse(args)),
        doc(
            "json_format(json)",
            "JSON as a string. The same as json_parse, because JSON is a string here.",
            "select json_format(json_parse('[1, 2]'))",
        )
        .fallible()
        .udf(1..=1, takes_json(DataType::Utf8), |args, _| parse(args)),
        doc(
            "json_exists(json, path)",
            "Whether there is a value at a path in JSON, including null.",
            "select json_exists('{\"a\":{\"b\":[1,2]}}', '$.a.b[1]')",
        )
        .udf(2..=2, takes_json(DataType::Boolean), |args, _| {
            Ok(Arc::new(BooleanArray::from(of_paths(args, |_, values| Some(!values.is_empty()), Some(false))?)))
        }),
        doc(
            "is_json_scalar(json)",
            "Whether the JSON value is a number, a string, true, false or null, rather than an array or object.",
            "select is_json_scalar('1'), is_json_scalar('[1]')",
        )
        .fallible()
        .udf(1..=1, takes_json(DataType::Boolean), |args, _| {
            map_rows::<BooleanArray, _, _>(text_of(&args[0])?, |json| match is_json(json) {
                true => Ok(!json.trim_start().starts_with(['[', '{'])),
                false => Err(no_json(json)),
            })
        }),
        doc(
            "json_array_contains(json, value)",
            "Whether a JSON array contains a string, number or boolean; null if the value is not an array.",
            "select json_array_contains('[1, 2, 3]', 2)",
        )
        .udf(
            2..=2,
            takes(
                [is_text, |item| is_text(item) || item.is_numeric() || *item == DataType::Boolean],
                "Expected a JSON value and a string, a number or a boolean here.",
                DataType::Boolean,
            ),
            |args, _| contains(args),
        ),
        doc(
            "json_array_get(json, place)",
            "The element of a JSON array at an index, as JSON; null if there is none. Indexes start at 0; negative ones count from the end.",
            "select json_array_get('[1, 2, 3]', -1)",
        )
        .udf(
            2..=2,
            |args| match passes(args, &[is_text, DataType::is_integer]) {
                true => Ok(Arc::new(json_field())),
                false => Err(invalid("Expected a JSON string and the index of an item.")),
            },
            |args, _| get(args),
        ),
        doc(
            "json_size(json, path)",
            "The number of elements of the JSON array, or members of the JSON object, at a path; 0 for any other value.",
            "select json_size('{\"a\":[1,2]}', '$.a')",
        )
        .udf(2..=2, takes_json(DataType::Int64), |args, _| {
            let sizes = of_paths(args, |_, values| Some(size(only(values)?)), None)?;
            Ok(Arc::new(Int64Array::from(sizes)))
        }),
        doc(
            "json_array_length(json)",
            "The number of elements of a JSON array; null for any other value.",
            "select json_array_length('[1,2,3]')",
        )
        .udf(1..=1, takes_json(DataType::Int64), |args, _| {
            let rows = text_of(&args[0])?.into_iter();
            Ok(Arc::new(rows.map(|json| Some(items(json?)?.len() as i64)).collect::<Int64Array>()))
        }),
    ]
}

pub fn json_extract() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "json_extract(json, path)",
            "The JSON value at a path in JSON; null if there is none.",
            "select json_extract('{\"a\":{\"b\":[1,2]}}', '$.a')",
        )
        .udf(2..=2, returns_json, |args, _| extract(args, |value| Some(compact(value))))
    )
}

/// The text, number or truth value that JSON is, for casts: a list or an object stays as it is, null becomes NULL.
pub fn json_plain() -> Arc<ScalarUDF> {
    shared!(scalar_udf("json_plain", 1..=1, takes_json(DataType::Utf8), |args, _| {
        Ok(Arc::new(text_of(&args[0])?.into_iter().map(|json| without_quotes(json?)).collect::<StringArray>()))
    }))
}

/// The text, number or truth value that JSON is.
pub(super) fn without_quotes(json: &str) -> Option<String> {
    match json {
        "null" => None,
        json => unquoted(json).or_else(|| Some(json.to_string())),
    }
}

fn takes_json(to: DataType) -> impl Returns {
    takes([is_text], "Expected a JSON string and a path such as '$.name'.", to)
}

fn returns_json(args: &ReturnFieldArgs) -> Result<FieldRef> {
    takes_json(DataType::Utf8)(args).map(|_| Arc::new(json_field()))
}

/// A text is the same letter by letter; numbers are the same as doubles are, whichever way they are written.
fn contains(args: &[ArrayRef]) -> Result<ArrayRef> {
    let is_text = is_text(args[1].data_type());
    let is_numeric = args[1].data_type().is_numeric();
    let words = cast(&args[1], &DataType::Utf8)?;
    let rows = text_of(&args[0])?.into_iter().zip(words.as_string::<i32>());
    let contained = rows.map(|(json, wanted)| {
        let (items, wanted) = json.and_then(items).zip(wanted)?;
        let number = wanted.parse::<f64>().ok();
        Some(items.into_iter().any(|item| match item.as_bytes().first() {
            Some(b'"') => is_text && serde_json::from_str::<String>(item).is_ok_and(|item| item == wanted),
            Some(b't' | b'f') => !is_text && !is_numeric && item == wanted,
            Some(b'-' | b'0'..=b'9') => is_numeric && (item == wanted || same_number(item, wanted, number)),
            _ => false,
        }))
    });
    Ok(Arc::new(contained.collect::<BooleanArray>()))
}

/// Whole numbers are not rounded to doubles before they are compared.
fn same_number(item: &str, wanted: &str, number: Option<f64>) -> bool {
    let is_whole = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'-');
    !(is_whole(item) && is_whole(wanted)) && item.parse::<f64>().ok() == number
}

fn parse(args: &[ArrayRef]) -> Result<ArrayRef> {
    map_rows::<StringArray, _, _>(text_of(&args[0])?, |json| match is_json(json) {
        true => Ok(compact(json)),
        false => Err(no_json(json)),
    })
}

/// The items of a JSON list; `None` for anything else.
fn items(json: &str) -> Option<Vec<&str>> {
    (json.trim_start().starts_with('[') && is_json(json)).then(|| elements(json))
}

fn get(args: &[ArrayRef]) -> Result<ArrayRef> {
    let places = cast(&args[1], &DataType::Int64)?;
    let rows = text_of(&args[0])?.into_iter().zip(places.as_primitive::<Int64Type>());
    let items = rows.map(|(json, place)| at(&items(json?)?, place?).map(compact));
    Ok(Arc::new(items.collect::<StringArray>()))
}

/// How many items or members a JSON value has.
fn size(value: &str) -> i64 {
    match serde_json::from_str(value) {
        Ok(serde_json::Value::Array(items)) => items.len() as i64,
        Ok(serde_json::Value::Object(members)) => members.len() as i64,
        _ => 0,
    }
}

/// The only value of a list.
fn only<'a>(values: &[&'a str]) -> Option<&'a str> {
    match values {
        [value] => Some(value),
        _ => None,
    }
}

/// The value at the path of each row, where there is one.
fn extract(args: &[ArrayRef], to_text: fn(&str) -> Option<String>) -> Result<ArrayRef> {
    Ok(Arc::new(StringArray::from(of_paths(args, |_, values| to_text(only(values)?), None)?)))
}

/// What a function makes of the values at the path of each row; `[*]` finds any number of them. A text that is no JSON gives the
/// last argument.
fn of_paths<T: Clone>(
    args: &[ArrayRef],
    make: impl Fn(usize, &[&str]) -> Option<T>,
    no_json: Option<T>,
) -> Result<Vec<Option<T>>> {
    let mut last = None;
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).enumerate();
    let values = rows.map(|(row, (json, path))| {
        let (Some(json), Some(path)) = (json, path) else { return Ok(None) };
        let steps = reuse_last(&mut last, path, |path| parse_path(path))?;
        Ok(match is_json(json.trim()) {
            true => make(row, &walk(json.trim(), steps)),
            false => no_json.clone(),
        })
    });
    values.collect()
}

/// All values at the path of each row as a list where the third argument asks for one: always, or unless it is one list or object.
fn query(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(wrappers) = args.get(2) else { return extract(args, |value| Some(compact(value))) };
    let wrappers = text_of(wrappers)?;
    if let Some(other) = wrappers.iter().flatten().find(|wrapper| ![WRAPPED, WRAPPED_UNLESS].contains(wrapper)) {
        return Err(invalid(format!("json_query expects '{WRAPPED}' or '{WRAPPED_UNLESS}', got '{other}'.")));
    }
    let wrap = |row: usize, values: &[&str]| match (values, wrappers[row]) {
        ([], _) | (_, None) => None,
        ([value], Some(WRAPPED_UNLESS)) if value.starts_with(['[', '{']) => Some(compact(value)),
        (values, _) => {
            let items: Vec<String> = values.iter().map(|value| compact(value)).collect();
            Some(format!("[{}]", items.join(",")))
        }
    };
    Ok(Arc::new(StringArray::from(of_paths(args, wrap, None)?)))
}
