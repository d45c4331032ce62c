//! Items of lists and values of maps: `element_at`, `get`, `contains` and `cardinality`. The built-in functions take either
//! lists or maps.

use arrow::array::{UInt32Array, new_null_array};
use arrow::compute::kernels::length::length;
use arrow::compute::take;
use datafusion::common::utils::normalize_float_zero_scalar;

use super::build::item_range;
use crate::aggregates::sketches;
use crate::bytes::hex::hex_texts;
use crate::json::{compact, elements, is_json, json_field, member};
use crate::maps::map_entry;
use crate::prelude::*;

const ELEMENT_DOC: Doc = Doc {
    signature: "element_at(list or map, place or key)",
    text: "The element of a list at an index, or the value of a key in a map. Indexes start at 1; negative ones count from the end.",
    example: "select element_at([10, 20, 30], -1)",
};
const CONTAINS_DOC: Doc = Doc {
    signature: "contains(list or text, item or part)",
    text: "Whether a list contains an element, or a string contains a substring.",
    example: "select contains([10, 20], 20), contains('ether', 'the')",
};
const CARDINALITY_DOC: Doc = Doc {
    signature: "cardinality(list, map or sketch)",
    text: "The number of elements of a list or of keys of a map; for a sketch from approx_set, the approximate number of distinct values.",
    example: "select cardinality([10, 20, 30])",
};
const LAST_DOC: Doc = Doc {
    signature: "array_last(list)",
    text: "The last element of a list; null if the list is empty.",
    example: "select array_last([10, 20, 30])",
};
const GET_DOC: Doc = Doc {
    signature: "get(list, json or map, place or key)",
    text: "The element of a list or JSON array at an index, starting at 0, or the value of a key in a map or JSON object; null if there is none.",
    example: "select get([10, 20], 0), get(json_parse('{\"a\":1}'), 'a')",
};

/// The shared function, also used for `map[key]`.
pub fn element_at() -> Arc<ScalarUDF> {
    shared!(ELEMENT_DOC.udf(2..=2, element_field, |args, _| match args[0].data_type() {
        DataType::Map(..) => values_of_keys(args),
        _ => items_at(&args[0], &places(&args[1])?),
    }))
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        element_at().as_ref().clone(),
        LAST_DOC.udf(1..=1, last_field, |args, _| match args[0].data_type() {
            DataType::Null => Ok(Arc::clone(&args[0])),
            _ => items_at(&args[0], &Int64Array::from(vec![-1; args[0].len()])),
        }),
        GET_DOC.udf(2..=2, get_field, |args, to| match args[0].data_type() {
            DataType::List(_) => {
                // Negative places have no item, while other functions count them from the end.
                let places = places(&args[1])?;
                let from_one = places.iter().map(|place| place?.checked_add(1).filter(|place| *place > 0));
                items_at(&args[0], &from_one.collect())
            }
            DataType::Map(..) => values_of_keys(args),
            DataType::Null => Ok(new_null_array(to.data_type(), args[0].len())),
            _ => json_items(&args[0], &args[1]),
        }),
        CARDINALITY_DOC
            .udf(1..=1, cardinality_field, |args, _| match sketches::may_hold_sketches(args[0].data_type()) {
                true => sketches::cardinality(&args[0]),
                false => cardinality(&args[0]),
            })
            .with_aliases(["array_size"]),
        CONTAINS_DOC.udf(
            2..=2,
            |_| Ok(Arc::new(Field::new("contains", DataType::Boolean, true))),
            |args, _| contains(args),
        ),
    ]
}

fn named(field: &FieldRef, name: &str) -> FieldRef {
    Arc::new(field.as_ref().clone().with_name(name).with_nullable(true))
}

fn element_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        DataType::List(item) => Ok(named(item, "element")),
        map => match map_entry(map) {
            Some((_, value)) => Ok(named(value, "element")),
            None => Err(invalid("element_at expects a list or a map.")),
        },
    }
}

fn last_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        DataType::List(item) => Ok(named(item, "element")),
        DataType::Null => Ok(Arc::new(Field::new("element", DataType::Null, true))),
        _ => Err(invalid("Expected a list here.")),
    }
}

fn get_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (from, key) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    let is_place = key.is_integer() || key.is_null();
    match from {
        DataType::Null => Ok(Arc::clone(&args.arg_fields[0])),
        DataType::List(item) if is_place => Ok(named(item, "item")),
        DataType::List(_) => Err(invalid("The list index of get must be an integer, counted from 0.")),
        from if is_text(from) && (is_place || is_text(key)) => Ok(Arc::new(json_field())),
        from if is_text(from) => Err(invalid("get expects the index of an item, counted from 0, or a JSON key.")),
        other => match map_entry(other) {
            Some((_, value)) => Ok(named(value, "item")),
            None => {
                Err(invalid(format!("get expects a list, a JSON value or a map, got {}.", type_name(other, false))))
            }
        },
    }
}

fn cardinality_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        from if !from.is_null()
            && !sketches::may_hold_sketches(from)
            && !matches!(
                from,
                DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::Map(..)
            ) =>
        {
            Err(invalid("cardinality expects a list, a map or an approx_set sketch."))
        }
        _ => Ok(Arc::new(Field::new("cardinality", DataType::Int64, true))),
    }
}

fn cardinality(array: &ArrayRef) -> Result<ArrayRef> {
    if array.data_type().is_null() {
        return Ok(Arc::new(Int64Array::new_null(array.len())));
    }
    let lengths: Int64Array = match array.as_map_opt() {
        Some(map) => (0..map.len()).map(|row| map.is_valid(row).then(|| i64::from(map.value_length(row)))).collect(),
        None => int64s(&length(array)?)?,
    };
    Ok(Arc::new(lengths))
}

/// An item as it is compared: the two zeros of doubles are equal.
fn comparable(array: &ArrayRef, index: usize) -> Result<ScalarValue> {
    ScalarValue::try_from_array(array, index).map(normalize_float_zero_scalar)
}

fn contains(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else {
        // Bytes are searched as hex, as by other functions of texts.
        let is_hex = |data_type: &DataType| is_bytes(data_type) && !is_number(data_type);
        let texts = args.iter().map(|arg| if is_hex(arg.data_type()) { hex_texts(arg) } else { Ok(arg.clone()) });
        let texts = texts.collect::<Result<Vec<ArrayRef>>>()?;
        let rows = text_of(&texts[0])?.into_iter().zip(text_of(&texts[1])?);
        return Ok(Arc::new(rows.map(|(text, part)| Some(text?.contains(part?))).collect::<BooleanArray>()));
    };
    let contains = |row: usize| {
        let key = ScalarValue::try_from_array(&args[1], row)?;
        if lists.is_null(row) || key.is_null() {
            return Ok(None);
        }
        let items = lists.value(row);
        let key = normalize_float_zero_scalar(key.cast_to(items.data_type())?);
        for index in 0..items.len() {
            if comparable(&items, index)? == key {
                return Ok(Some(true));
            }
        }
        // A null may be the item.
        Ok((items.null_count() == 0).then_some(false))
    };
    Ok(Arc::new((0..lists.len()).map(contains).collect::<Result<BooleanArray>>()?))
}

fn places(array: &ArrayRef) -> Result<Int64Array> {
    int64s(array).map_err(|_| invalid("A list index must be an integer."))
}

/// The items at places that are counted from 1, or from the end below zero.
fn items_at(array: &ArrayRef, places: &Int64Array) -> Result<ArrayRef> {
    let lists = array.as_list::<i32>();
    let item = |(row, place): (usize, Option<i64>)| {
        let items = item_range(lists, row);
        Ok(match place.filter(|_| lists.is_valid(row)) {
            None => None,
            Some(0) => return Err(invalid("List indexes start at 1.")),
            Some(place) => {
                let (start, end) = (i64::from(items.start), i64::from(items.end));
                let item = if place < 0 { end.saturating_add(place) } else { start.saturating_add(place - 1) };
                u32::try_from(item).ok().filter(|item| items.contains(item))
            }
        })
    };
    let items = places.iter().enumerate().map(item).collect::<Result<UInt32Array>>()?;
    Ok(take(lists.values(), &items, None)?)
}

fn values_of_keys(args: &[ArrayRef]) -> Result<ArrayRef> {
    let maps = args[0].as_map();
    let value = |row: usize| {
        let key = normalize_float_zero_scalar(ScalarValue::try_from_array(&args[1], row)?.cast_to(maps.key_type())?);
        let offsets = maps.value_offsets();
        for entry in (offsets[row]..offsets[row + 1]).filter(|_| maps.is_valid(row)) {
            if comparable(maps.keys(), entry as usize)? == key {
                return Ok(Some(entry as u32));
            }
        }
        Ok(None)
    };
    let values = (0..maps.len()).map(value).collect::<Result<UInt32Array>>()?;
    Ok(take(maps.values(), &values, None)?)
}

fn json_items(json: &ArrayRef, keys: &ArrayRef) -> Result<ArrayRef> {
    let rows = text_of(json)?.into_iter().map(|json| json.filter(|json| is_json(json)));
    if is_text(keys.data_type()) {
        let items = rows.zip(text_of(keys)?).map(|(json, key)| member(json?, key?).map(compact));
        return Ok(Arc::new(items.collect::<StringArray>()));
    }
    let places = places(keys)?;
    let items = rows.zip(&places).map(|(json, place)| {
        let place = usize::try_from(place?).ok()?;
        elements(json?).get(place).copied().map(compact)
    });
    Ok(Arc::new(items.collect::<StringArray>()))
}
