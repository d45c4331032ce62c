//! `to_json(value)`: any value as JSON.

use arrow::datatypes::Float32Type;
use quarry_types::cell::float_word;

use super::column::cast_column;
use crate::json::{is_json_field, json_field};
use crate::prelude::*;

pub const TO_JSON: &str = "to_json";

/// The calls that `object_construct` and `json_object` are rewritten to: names, each with its value as JSON. The first leaves out
/// nulls.
pub const JSON_OF_KNOWN: &str = "json_of_known";
pub const JSON_OF_ALL: &str = "json_of_all";

pub(super) fn udfs() -> [ScalarUDF; 3] {
    [to_json().as_ref().clone(), json_object().as_ref().clone(), object_udf(JSON_OF_KNOWN, false)]
}

pub fn to_json() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "to_json(value)",
            "Any value as JSON: lists as arrays, maps and rows as objects, numbers with all their digits, bytes and timestamps as strings.",
            "select to_json([1, 2]), to_json('a')",
        )
        // The planner leaves JSON as it is, so none comes here.
        .aliases(["to_jsonb", "row_to_json", "array_to_json"])
        .udf(
            1..=1,
            |_| Ok(Arc::new(json_field())),
            |args, _| json_of(&args[0], &Field::new("value", args[0].data_type().clone(), true)),
        )
    )
}

/// Names and JSON as an object.
pub fn json_object() -> Arc<ScalarUDF> {
    shared!(object_udf(JSON_OF_ALL, true))
}

fn object_udf(name: &'static str, with_nulls: bool) -> ScalarUDF {
    let returns = |args: &ReturnFieldArgs<'_>| match args.arg_fields.len() % 2 {
        0 => Ok(Arc::new(json_field())),
        _ => Err(invalid("A JSON object needs alternating names and values.")),
    };
    scalar_udf(name, 2..=MANY, returns, move |args, _| object(args, with_nulls))
}

/// The object of each row, without values that have no name.
fn object(args: &[ArrayRef], with_nulls: bool) -> Result<ArrayRef> {
    let texts = args.iter().map(|arg| cast(arg, &DataType::Utf8)).collect::<Result<Vec<_>, _>>()?;
    let members: Vec<_> =
        texts.chunks_exact(2).map(|pair| (pair[0].as_string::<i32>(), pair[1].as_string::<i32>())).collect();
    let rows = args.first().map_or(0, |first| first.len());
    let object = |row: usize| {
        let named =
            members.iter().filter(|(names, values)| names.is_valid(row) && (with_nulls || values.is_valid(row)));
        let member = |(names, values): &(&StringArray, &StringArray)| {
            let value = if values.is_valid(row) { values.value(row) } else { "null" };
            format!("{}:{value}", quoted(names.value(row)))
        };
        format!("{{{}}}", named.map(member).collect::<Vec<_>>().join(","))
    };
    Ok(Arc::new((0..rows).map(|row| Some(object(row))).collect::<StringArray>()))
}

/// A column as JSON; null where it is.
pub(crate) fn json_of(array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let texts = texts(array, field)?.into_iter().enumerate();
    let known = texts.map(|(row, text)| Some(text).filter(|_| !array.is_null(row) && !array.data_type().is_null()));
    Ok(Arc::new(known.collect::<StringArray>()))
}

/// The JSON of each row, `null` where it is null.
fn texts(array: &ArrayRef, field: &Field) -> Result<Vec<String>> {
    let each = |json: &dyn Fn(usize) -> String| {
        let null_or_json = |row: usize| if array.is_valid(row) { json(row) } else { "null".to_string() };
        (0..array.len()).map(null_or_json).collect::<Vec<String>>()
    };
    Ok(match array.data_type() {
        DataType::Null => vec!["null".to_string(); array.len()],
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            return texts(&cast(array, &DataType::List(item.clone()))?, field);
        }
        DataType::List(item) => {
            let lists = array.as_list::<i32>();
            let items = texts(lists.values(), item)?;
            each(&|row| {
                let (first, last) = (lists.offsets()[row] as usize, lists.offsets()[row + 1] as usize);
                format!("[{}]", items[first..last].join(","))
            })
        }
        DataType::Map(..) => {
            let maps = array.as_map();
            let entries = maps.entries();
            let keys =
                cast_column(maps.keys(), &entries.fields()[0], &Arc::new(Field::new("key", DataType::Utf8, true)))?;
            let keys: Vec<String> = keys.as_string::<i32>().iter().map(|key| quoted(key.unwrap_or_default())).collect();
            let items = texts(maps.values(), &entries.fields()[1])?;
            each(&|row| {
                let (first, last) = (maps.offsets()[row] as usize, maps.offsets()[row + 1] as usize);
                let members = (first..last).map(|index| format!("{}:{}", keys[index], items[index]));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            })
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let columns = columns.map(|(column, field)| texts(column, field)).collect::<Result<Vec<_>>>()?;
            let names: Vec<String> = fields.iter().map(|field| quoted(field.name())).collect();
            each(&|row| {
                let members = names.iter().zip(&columns).map(|(name, column)| format!("{name}:{}", column[row]));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            })
        }
        DataType::Float64 => {
            let doubles = array.as_primitive::<Float64Type>();
            each(&|row| float(doubles.value(row), format!("{:?}", doubles.value(row))))
        }
        DataType::Float32 => {
            let reals = array.as_primitive::<Float32Type>();
            each(&|row| float(reals.value(row).into(), format!("{:?}", reals.value(row))))
        }
        from => {
            let is_bare = from.is_integer()
                || from.is_decimal()
                || *from == DataType::Boolean
                || is_number(from)
                || is_json_field(field);
            let text = match is_text(from) {
                true => array.clone(),
                false => cast_column(array, field, &Arc::new(Field::new("text", DataType::Utf8, true)))?,
            };
            let text = text_of(&text)?;
            let json = |text: Option<&str>| match text {
                Some(text) if is_bare => text.to_string(),
                Some(text) => quoted(text),
                None => "null".to_string(),
            };
            text.into_iter().map(json).collect()
        }
    })
}

/// JSON has no number for infinity and NaN.
fn float(number: f64, digits: String) -> String {
    float_word(number).map_or(digits, quoted)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
