//! How alike two vectors are: lists of numbers, or maps of what is not zero.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::invalid;

const SIMILARITY_DOC: Doc = Doc {
    signature: "cosine_similarity(vector, vector)",
    text: "The cosine of the angle between two lists of numbers, or two maps of keys to numbers; null where one has no length.",
    example: "select cosine_similarity([1.0, 2.0], [3.0, 4.0])",
};
const DISTANCE_DOC: Doc = Doc {
    signature: "cosine_distance(vector, vector)",
    text: "One less the cosine of the angle between two lists of numbers, or two maps of keys to numbers.",
    example: "select cosine_distance([1.0, 2.0], [3.0, 4.0])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("cosine_similarity", 2..=2, Some(SIMILARITY_DOC), vectors, |args, _| each(args, |cosine| cosine)),
        Simple::udf("cosine_distance", 2..=2, Some(DISTANCE_DOC), vectors, |args, _| each(args, |cosine| 1.0 - cosine)),
    ]
}

/// The numbers of a vector type, when it is one.
fn numbers(data_type: &DataType) -> Option<&DataType> {
    let numbers = match data_type {
        DataType::Null => return Some(data_type),
        DataType::List(item) => item.data_type(),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => fields[1].data_type(),
            _ => return None,
        },
        _ => return None,
    };
    (numbers.is_numeric() || numbers.is_null()).then_some(numbers)
}

fn vectors(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let [first, second] = [0, 1].map(|index| args.arg_fields[index].data_type());
    let alike = matches!(
        (first, second),
        (DataType::Null, _)
            | (_, DataType::Null)
            | (DataType::List(_), DataType::List(_))
            | (DataType::Map(..), DataType::Map(..))
    );
    match alike && numbers(first).is_some() && numbers(second).is_some() {
        true => Ok(Arc::new(Field::new("cosine", DataType::Float64, true))),
        false => Err(invalid("Two lists of numbers are needed here, or two maps of keys to numbers.")),
    }
}

fn each(args: &[ArrayRef], show: fn(f64) -> f64) -> Result<ArrayRef> {
    let (first, second) = (vectors_of(&args[0])?, vectors_of(&args[1])?);
    let cosines = first.into_iter().zip(second).map(|rows| match rows {
        (Some(first), Some(second)) => cosine(&first, &second).map(|cosine| cosine.map(show)),
        _ => Ok(None),
    });
    Ok(Arc::new(cosines.collect::<Result<Float64Array>>()?))
}

/// The numbers of one row by their keys; those of a list have their place for a key. `None` stands for an unknown one.
type Vector = Vec<(ScalarValue, Option<f64>)>;

fn vectors_of(array: &ArrayRef) -> Result<Vec<Option<Vector>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let doubles = |values: &ArrayRef| -> Result<Vec<Option<f64>>> {
        let values = cast_with_options(values, &DataType::Float64, &options)?;
        Ok(values.as_primitive::<Float64Type>().iter().collect())
    };
    let row = |row: usize| {
        if array.is_null(row) || array.data_type().is_null() {
            return Ok(None);
        }
        if let Some(lists) = array.as_list_opt::<i32>() {
            let numbers = doubles(&lists.value(row))?.into_iter().enumerate();
            return Ok(Some(numbers.map(|(place, number)| (ScalarValue::from(place as u64), number)).collect()));
        }
        let entries = array.as_map().value(row);
        let keys = (0..entries.len()).map(|index| ScalarValue::try_from_array(entries.column(0), index));
        let keys = keys.collect::<Result<Vec<ScalarValue>>>()?;
        Ok(Some(keys.into_iter().zip(doubles(entries.column(1))?).collect()))
    };
    (0..array.len()).map(row).collect()
}

fn cosine(first: &Vector, second: &Vector) -> Result<Option<f64>> {
    let lists = |vector: &Vector| vector.iter().all(|(key, _)| matches!(key, ScalarValue::UInt64(_)));
    if lists(first) && lists(second) && first.len() != second.len() {
        return Err(invalid("The two vectors have the same number of items."));
    }
    let unknown = first.iter().chain(second).any(|(_, number)| number.is_none());
    let length =
        |vector: &Vector| vector.iter().map(|(_, number)| number.unwrap_or_default().powi(2)).sum::<f64>().sqrt();
    let lengths = length(first) * length(second);
    if unknown || lengths == 0.0 {
        return Ok(None);
    }
    let places: HashMap<&ScalarValue, f64> =
        second.iter().map(|(key, number)| (key, number.unwrap_or_default())).collect();
    let product = first.iter().map(|(key, number)| number.unwrap_or_default() * places.get(key).unwrap_or(&0.0));
    Ok(Some(product.sum::<f64>() / lengths))
}
