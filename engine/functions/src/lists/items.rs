//! `element_at`, `contains` and `cardinality` of lists and of maps: stock functions have one of the two each.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array};
use arrow::compute::kernels::length::length;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::aggregates::sketches;
use crate::bytes::as_hex::hex_texts;
use crate::shared;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_bytes, text_of};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

const ELEMENT_DOC: Doc = Doc {
    signature: "element_at(list or map, place or key)",
    text: "The item of a list at a place, counted from 1 or from the end below zero, or the value of a key.",
    example: "select element_at([10, 20, 30], -1)",
};
const CONTAINS_DOC: Doc = Doc {
    signature: "contains(list or text, item or part)",
    text: "Whether an item is in a list, or a text within another.",
    example: "select contains([10, 20], 20), contains('ether', 'the')",
};
const CARDINALITY_DOC: Doc = Doc {
    signature: "cardinality(list, map or sketch)",
    text: "The number of items of a list, or of keys of a map; about how many values differ in a sketch of approx_set.",
    example: "select cardinality([10, 20, 30])",
};

const LAST_DOC: Doc = Doc {
    signature: "array_last(list)",
    text: "The last item of a list; null when it has none.",
    example: "select array_last([10, 20, 30])",
};

static ELEMENT_AT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "element_at",
        2..=2,
        Some(ELEMENT_DOC),
        |args| match args.arg_fields[0].data_type() {
            DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_name("element").with_nullable(true))),
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(fields) if fields.len() == 2 => {
                    Ok(Arc::new(fields[1].as_ref().clone().with_name("element").with_nullable(true)))
                }
                _ => Err(invalid("element_at takes a list or a map.")),
            },
            _ => Err(invalid("element_at takes a list or a map.")),
        },
        |args, to| match args[0].data_type() {
            DataType::Map(..) => by_key(args, to.data_type()),
            _ => by_place(args, to.data_type()),
        },
    ))
});

/// The shared function, also used for `map[key]`.
pub fn element_at() -> Arc<ScalarUDF> {
    ELEMENT_AT.clone()
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("array_last", 1..=1, Some(LAST_DOC), item, |args, to| last(&args[0], to)),
        element_at().as_ref().clone(),
        Simple::udf(
            "cardinality",
            1..=1,
            Some(CARDINALITY_DOC),
            |args| match args.arg_fields[0].data_type() {
                DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::Map(..) => {
                    Ok(Arc::new(Field::new("cardinality", DataType::Int64, true)))
                }
                from if from.is_null() || sketches::may_be(from) => {
                    Ok(Arc::new(Field::new("cardinality", DataType::Int64, true)))
                }
                _ => Err(invalid("cardinality takes a list, a map or a sketch of approx_set.")),
            },
            |args, _| match sketches::may_be(args[0].data_type()) {
                true => sketches::cardinality(&args[0]),
                false => cardinality(&args[0]),
            },
        )
        .with_aliases(["array_size"]),
        Simple::udf(
            "contains",
            2..=2,
            Some(CONTAINS_DOC),
            |_| Ok(Arc::new(Field::new("contains", DataType::Boolean, true))),
            |args, _| contains(args),
        ),
    ]
}

/// The field of an item of a list.
fn item(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_name("element").with_nullable(true))),
        DataType::Null => Ok(Arc::new(Field::new("element", DataType::Null, true))),
        _ => Err(invalid("A list is needed here.")),
    }
}

fn last(lists: &ArrayRef, to: &FieldRef) -> Result<ArrayRef> {
    if lists.data_type().is_null() {
        return Ok(Arc::clone(lists));
    }
    by_place(&[Arc::clone(lists), Arc::new(Int64Array::from(vec![-1; lists.len()]))], to.data_type())
}

fn cardinality(array: &ArrayRef) -> Result<ArrayRef> {
    if array.data_type().is_null() {
        return Ok(Arc::new(Int64Array::new_null(array.len())));
    }
    let lengths = match array.as_map_opt() {
        Some(map) => (0..map.len()).map(|row| map.is_valid(row).then(|| map.value_length(row).into())).collect(),
        None => whole(&length(array)?)?,
    };
    Ok(Arc::new(Int64Array::from(lengths)))
}

fn contains(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else {
        // Bytes are the text that they are hex_texts as, as in other functions of texts.
        let is_shown = |data_type: &DataType| is_bytes(data_type) && !is_number(data_type);
        let texts = args.iter().map(|arg| if is_shown(arg.data_type()) { hex_texts(arg) } else { Ok(arg.clone()) });
        let texts = texts.collect::<Result<Vec<ArrayRef>>>()?;
        let rows = text_of(&texts[0])?.into_iter().zip(text_of(&texts[1])?);
        let within = rows.map(|(text, part)| Some(text?.contains(part?)));
        return Ok(Arc::new(within.collect::<BooleanArray>()));
    };
    let mut answers = Vec::with_capacity(lists.len());
    for row in 0..lists.len() {
        let wanted = ScalarValue::try_from_array(&args[1], row)?;
        if lists.is_null(row) || wanted.is_null() {
            answers.push(None);
            continue;
        }
        let items = lists.value(row);
        let wanted = normalize_float_zero_scalar(wanted.cast_to(items.data_type())?);
        let mut found = false;
        for index in 0..items.len() {
            found |= normalize_float_zero_scalar(ScalarValue::try_from_array(&items, index)?) == wanted;
        }
        // Null when the item may be one that nobody knows.
        answers.push((found || items.null_count() == 0).then_some(found));
    }
    Ok(Arc::new(BooleanArray::from(answers)))
}

pub(super) fn whole(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let numbers = cast_with_options(array, &DataType::Int64, &options)
        .map_err(|_| invalid("A place in a list is a whole number."))?;
    Ok(numbers.as_primitive::<Int64Type>().iter().collect())
}

pub(super) fn by_place(args: &[ArrayRef], to: &DataType) -> Result<ArrayRef> {
    let lists = args[0].as_list::<i32>();
    let mut items = Vec::with_capacity(lists.len());
    for (row, place) in whole(&args[1])?.into_iter().enumerate() {
        let place = place.filter(|_| lists.is_valid(row));
        let count = i64::from(lists.value_length(row));
        let index = match place {
            Some(0) => return Err(invalid("Places in a list are counted from 1.")),
            Some(place) if place < 0 => Some(count + place),
            Some(place) => Some(place - 1),
            None => None,
        };
        items.push(match index.filter(|index| (0..count).contains(index)) {
            Some(index) => ScalarValue::try_from_array(&lists.value(row), index as usize)?,
            None => ScalarValue::try_from(to)?,
        });
    }
    array_of(items, to)
}

pub(super) fn by_key(args: &[ArrayRef], to: &DataType) -> Result<ArrayRef> {
    let maps = args[0].as_map();
    let mut items = Vec::with_capacity(maps.len());
    for row in 0..maps.len() {
        let wanted = ScalarValue::try_from_array(&args[1], row)?.cast_to(maps.key_type())?;
        let wanted = normalize_float_zero_scalar(wanted);
        let entries = maps.value(row);
        let (keys, values) = (entries.column(0), entries.column(1));
        let mut found = ScalarValue::try_from(to)?;
        for index in (0..keys.len()).filter(|_| maps.is_valid(row)) {
            if normalize_float_zero_scalar(ScalarValue::try_from_array(keys, index)?) == wanted {
                found = ScalarValue::try_from_array(values, index)?;
                break;
            }
        }
        items.push(found);
    }
    array_of(items, to)
}

fn array_of(items: Vec<ScalarValue>, to: &DataType) -> Result<ArrayRef> {
    if items.is_empty() {
        return Ok(arrow::array::new_empty_array(to));
    }
    ScalarValue::iter_to_array(items)
}
