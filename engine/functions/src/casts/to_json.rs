//! `to_json(value)`: any value as JSON.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::column::cast_column;
use crate::json::{is_json_field, json_field};
use crate::shared;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::cell::float_word;
use quarry_types::invalid;
use quarry_types::uint256::is_number;

pub const TO_JSON: &str = "to_json";

const DOC: Doc = Doc {
    signature: "to_json(value)",
    text: "Any value as JSON: lists as lists, maps and rows as objects, numbers with every digit, bytes and times as texts.",
    example: "select to_json([1, 2]), to_json('a')",
};

pub(super) fn udf() -> ScalarUDF {
    // What is JSON already never comes here: the planner leaves it as it is.
    Simple::udf(
        TO_JSON,
        1..=1,
        Some(DOC),
        |_| Ok(Arc::new(json_field())),
        |args, _| written(&args[0], &Field::new("value", args[0].data_type().clone(), true)),
    )
    .with_aliases(["to_jsonb", "to_json_string", "row_to_json", "array_to_json"])
}

/// The calls that `object_construct` and `json_object` are made of: names, each with its value as JSON. The first leaves out
/// what is null.
pub const JSON_OF_KNOWN: &str = "json_of_known";
pub const JSON_OF_ALL: &str = "json_of_all";

pub(super) fn objects() -> [ScalarUDF; 2] {
    let returns = |args: &ReturnFieldArgs<'_>| match args.arg_fields.len() % 2 {
        0 => Ok(Arc::new(json_field())),
        _ => Err(invalid("A JSON object is made of names and values in turn.")),
    };
    [
        Simple::udf(JSON_OF_KNOWN, 2..=usize::MAX, None, returns, |args, _| object(args, false)),
        Simple::udf(JSON_OF_ALL, 2..=usize::MAX, None, returns, |args, _| object(args, true)),
    ]
}

static TO: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| shared(udf()));
static OBJECT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let [_, all] = objects();
    shared(all)
});

/// The shared functions, for rewrites: a value as JSON, and names and JSON as an object.
pub fn to_json() -> Arc<ScalarUDF> {
    TO.clone()
}

pub fn json_object() -> Arc<ScalarUDF> {
    OBJECT.clone()
}

/// The object of each row. A value without a name has no place in it.
fn object(args: &[ArrayRef], with_nulls: bool) -> Result<ArrayRef> {
    let texts = args.iter().map(|arg| cast(arg, &DataType::Utf8)).collect::<Result<Vec<_>, _>>()?;
    let members: Vec<_> =
        texts.chunks_exact(2).map(|pair| (pair[0].as_string::<i32>(), pair[1].as_string::<i32>())).collect();
    let rows = args.first().map_or(0, |first| first.len());
    let of = |row: usize| {
        let named =
            members.iter().filter(|(names, values)| names.is_valid(row) && (with_nulls || values.is_valid(row)));
        let member = |(names, values): &(&StringArray, &StringArray)| {
            let value = if values.is_valid(row) { values.value(row) } else { "null" };
            format!("{}:{value}", quoted(names.value(row)))
        };
        format!("{{{}}}", named.map(member).collect::<Vec<_>>().join(","))
    };
    Ok(Arc::new((0..rows).map(|row| Some(of(row))).collect::<StringArray>()))
}

/// A column as JSON; null where it is.
pub(crate) fn written(array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let texts = texts(array, field)?.into_iter().enumerate();
    let known = texts.map(|(row, text)| Some(text).filter(|_| !array.is_null(row) && !array.data_type().is_null()));
    Ok(Arc::new(known.collect::<StringArray>()))
}

/// The JSON of each row, `null` where it is null.
fn texts(array: &ArrayRef, field: &Field) -> Result<Vec<String>> {
    let rows = 0..array.len();
    let known = |row: usize, text: &dyn Fn() -> String| match array.is_valid(row) {
        true => text(),
        false => "null".to_string(),
    };
    Ok(match array.data_type() {
        DataType::Null => vec!["null".to_string(); array.len()],
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            return texts(&cast(array, &DataType::List(item.clone()))?, field);
        }
        DataType::List(item) => {
            let lists = array.as_list::<i32>();
            let items = texts(lists.values(), item)?;
            let of = |row: usize| {
                let (first, last) = (lists.offsets()[row] as usize, lists.offsets()[row + 1] as usize);
                format!("[{}]", items[first..last].join(","))
            };
            rows.map(|row| known(row, &|| of(row))).collect()
        }
        DataType::Map(..) => {
            let maps = array.as_map();
            let entries = maps.entries();
            let keys =
                cast_column(maps.keys(), &entries.fields()[0], &Arc::new(Field::new("key", DataType::Utf8, true)))?;
            let keys: Vec<String> = keys.as_string::<i32>().iter().map(|key| quoted(key.unwrap_or_default())).collect();
            let items = texts(maps.values(), &entries.fields()[1])?;
            let of = |row: usize| {
                let (first, last) = (maps.offsets()[row] as usize, maps.offsets()[row + 1] as usize);
                let members = (first..last).map(|index| format!("{}:{}", keys[index], items[index]));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            };
            rows.map(|row| known(row, &|| of(row))).collect()
        }
        DataType::Struct(fields) => {
            let of_rows = array.as_struct();
            let columns = of_rows.columns().iter().zip(fields);
            let columns = columns.map(|(column, field)| texts(column, field)).collect::<Result<Vec<_>>>()?;
            let names: Vec<String> = fields.iter().map(|field| quoted(field.name())).collect();
            let of = |row: usize| {
                let members = names.iter().zip(&columns).map(|(name, column)| format!("{name}:{}", column[row]));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            };
            rows.map(|row| known(row, &|| of(row))).collect()
        }
        DataType::Float64 => {
            let doubles = array.as_primitive::<Float64Type>();
            rows.map(|row| known(row, &|| float(doubles.value(row), format!("{:?}", doubles.value(row))))).collect()
        }
        DataType::Float32 => {
            let reals = array.as_primitive::<Float32Type>();
            rows.map(|row| known(row, &|| float(reals.value(row).into(), format!("{:?}", reals.value(row))))).collect()
        }
        from => {
            let bare = from.is_integer()
                || from.is_decimal()
                || *from == DataType::Boolean
                || is_number(from)
                || is_json_field(field);
            let text = match is_text(from) {
                true => array.clone(),
                false => cast_column(array, field, &Arc::new(Field::new("text", DataType::Utf8, true)))?,
            };
            let text = text_of(&text)?;
            let of = |row: usize| {
                text[row].map_or_else(|| "null".to_string(), |text| if bare { text.to_string() } else { quoted(text) })
            };
            rows.map(of).collect()
        }
    })
}

/// JSON has no number for what is infinite or none.
fn float(number: f64, digits: String) -> String {
    float_word(number).map_or(digits, quoted)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
