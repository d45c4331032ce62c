//! The angle between two vectors: lists of numbers, or maps of keys to numbers.

use std::collections::HashMap;

use arrow::compute::cast_with_options;
use datafusion::common::format::DEFAULT_CAST_OPTIONS;

use crate::maps::map_entry;
use crate::prelude::*;

const SIMILARITY_DOC: Doc = Doc {
    signature: "cosine_similarity(vector, vector)",
    text: "The cosine similarity of two lists of numbers, or of two maps of keys to numbers; null if either has zero magnitude.",
    example: "select cosine_similarity([1.0, 2.0], [3.0, 4.0])",
};
const DISTANCE_DOC: Doc = Doc {
    signature: "cosine_distance(vector, vector)",
    text: "The cosine distance, 1 minus the cosine similarity, of two lists of numbers, or of two maps of keys to numbers.",
    example: "select cosine_distance([1.0, 2.0], [3.0, 4.0])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        SIMILARITY_DOC.udf(2..=2, cosine_field, |args, _| cosines(args, |cosine| cosine)),
        DISTANCE_DOC.udf(2..=2, cosine_field, |args, _| cosines(args, |cosine| 1.0 - cosine)),
    ]
}

/// The type of the numbers of a vector type.
fn number_type(data_type: &DataType) -> Option<&DataType> {
    let numbers = match data_type {
        DataType::Null => return Some(data_type),
        DataType::List(item) => item.data_type(),
        map => map_entry(map)?.1.data_type(),
    };
    (numbers.is_numeric() || numbers.is_null()).then_some(numbers)
}

fn cosine_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let [first, second] = [0, 1].map(|index| args.arg_fields[index].data_type());
    let alike = matches!(
        (first, second),
        (DataType::Null, _)
            | (_, DataType::Null)
            | (DataType::List(_), DataType::List(_))
            | (DataType::Map(..), DataType::Map(..))
    );
    match alike && number_type(first).is_some() && number_type(second).is_some() {
        true => Ok(Arc::new(Field::new("cosine", DataType::Float64, true))),
        false => Err(invalid("Expected two lists of numbers here, or two maps of keys to numbers.")),
    }
}

fn cosines(args: &[ArrayRef], answer: fn(f64) -> f64) -> Result<ArrayRef> {
    let (first, second) = (vectors_of(&args[0])?, vectors_of(&args[1])?);
    let answers = first.into_iter().zip(second).map(|rows| match rows {
        (Some(first), Some(second)) => cosine(&first, &second).map(|cosine| cosine.map(answer)),
        _ => Ok(None),
    });
    Ok(Arc::new(answers.collect::<Result<Float64Array>>()?))
}

/// The numbers of one row by their keys, which are positions in a list; `None` is null.
type Vector = Vec<(ScalarValue, Option<f64>)>;

fn vectors_of(array: &ArrayRef) -> Result<Vec<Option<Vector>>> {
    let doubles = |values: &ArrayRef| -> Result<Vec<Option<f64>>> {
        let values = cast_with_options(values, &DataType::Float64, &DEFAULT_CAST_OPTIONS)?;
        Ok(values.as_primitive::<Float64Type>().iter().collect())
    };
    let row = |row: usize| {
        if array.is_null(row) || array.data_type().is_null() {
            return Ok(None);
        }
        if let Some(lists) = array.as_list_opt::<i32>() {
            let numbers = doubles(&lists.value(row))?.into_iter().enumerate();
            return Ok(Some(numbers.map(|(position, number)| (ScalarValue::from(position as u64), number)).collect()));
        }
        let entries = array.as_map().value(row);
        let keys = (0..entries.len()).map(|index| ScalarValue::try_from_array(entries.column(0), index));
        let keys = keys.collect::<Result<Vec<ScalarValue>>>()?;
        Ok(Some(keys.into_iter().zip(doubles(entries.column(1))?).collect()))
    };
    (0..array.len()).map(row).collect()
}

fn cosine(first: &Vector, second: &Vector) -> Result<Option<f64>> {
    let is_list = |vector: &Vector| vector.iter().all(|(key, _)| matches!(key, ScalarValue::UInt64(_)));
    if is_list(first) && is_list(second) && first.len() != second.len() {
        return Err(invalid("The two vectors must have the same number of items."));
    }
    let has_null = first.iter().chain(second).any(|(_, number)| number.is_none());
    let length =
        |vector: &Vector| vector.iter().map(|(_, number)| number.unwrap_or_default().powi(2)).sum::<f64>().sqrt();
    let lengths = length(first) * length(second);
    if has_null || lengths == 0.0 {
        return Ok(None);
    }
    let by_key: HashMap<&ScalarValue, f64> =
        second.iter().map(|(key, number)| (key, number.unwrap_or_default())).collect();
    let product = first.iter().map(|(key, number)| number.unwrap_or_default() * by_key.get(key).unwrap_or(&0.0));
    Ok(Some(product.sum::<f64>() / lengths))
}
