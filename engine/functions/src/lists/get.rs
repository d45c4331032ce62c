//! `get(list, place)` and `get(json or map, key)` as Snowflake and Spark write it: places are counted from 0.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Int64Array, StringArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::items::{by_key, by_place, whole};
use crate::json::{compact, elements, is_json, json_field, member};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

const DOC: Doc = Doc {
    signature: "get(list, json or map, place or key)",
    text: "The item of a list or of JSON at a place, counted from 0, or the value of a key of JSON or of a map; null when there is none.",
    example: "select get([10, 20], 0), get(json_parse('{\"a\":1}'), 'a')",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf("get", 2..=2, Some(DOC), returns, |args, to| match args[0].data_type() {
        DataType::List(_) => {
            // Below zero there is none, where other functions count from the end.
            let places = whole(&args[1])?.into_iter().map(|place| place?.checked_add(1).filter(|place| *place > 0));
            let places: ArrayRef = Arc::new(places.collect::<Int64Array>());
            by_place(&[Arc::clone(&args[0]), places], to.data_type())
        }
        DataType::Map(..) => by_key(args, to.data_type()),
        DataType::Null => Ok(new_null_array(to.data_type(), args[0].len())),
        _ => of_json(&args[0], &args[1]),
    })
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (from, key) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    let place = key.is_integer() || key.is_null();
    let named = |field: &FieldRef| Arc::new(field.as_ref().clone().with_name("item").with_nullable(true));
    match from {
        DataType::Null => Ok(Arc::clone(&args.arg_fields[0])),
        DataType::List(item) if place => Ok(named(item)),
        DataType::List(_) => Err(invalid("The place of an item in a list is a whole number, from 0 for get.")),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => Ok(named(&fields[1])),
            _ => Err(invalid("get takes a list, JSON or a map.")),
        },
        from if is_text(from) && (place || is_text(key)) => Ok(Arc::new(json_field())),
        from if is_text(from) => Err(invalid("get takes the place of an item, from 0, or a key of JSON.")),
        other => Err(invalid(format!("get takes a list, JSON or a map, not {}.", type_name(other, false)))),
    }
}

fn of_json(json: &ArrayRef, keys: &ArrayRef) -> Result<ArrayRef> {
    let rows = text_of(json)?.into_iter().map(|json| json.filter(|json| is_json(json)));
    let shown = |found: Option<&str>| found.map(compact);
    if is_text(keys.data_type()) {
        let found = rows.zip(text_of(keys)?).map(|(json, key)| shown(member(json?, key?)));
        return Ok(Arc::new(found.collect::<StringArray>()));
    }
    let places = whole(&cast(keys, &DataType::Int64)?)?;
    let found = rows.zip(places).map(|(json, place)| {
        let place = usize::try_from(place?).ok()?;
        shown(elements(json?).get(place).copied())
    });
    Ok(Arc::new(found.collect::<StringArray>()))
}
