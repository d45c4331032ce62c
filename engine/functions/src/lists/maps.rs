//! Maps made of lists and of other maps.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, StructArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::maps::{Found, Maps, Twice, list, map_field, pair};
use crate::simple::{Doc, MANY, Simple};
use quarry_types::invalid;

const FREQUENCY_DOC: Doc = Doc {
    signature: "array_frequency(list)",
    text: "How often each item stands in a list, as a map; nulls are not counted.",
    example: "select array_frequency(['a', 'b', 'a'])",
};
const FIRST_DOC: Doc = Doc {
    signature: "map_of_first(keys, values)",
    text: "A map of two lists; of a key that stands there twice the first value counts, and null is no key.",
    example: "select map_of_first(['a', 'b', 'a'], [1, 2, 3])",
};
const MULTI_DOC: Doc = Doc {
    signature: "multimap_of(keys, values)",
    text: "A map of each key to the list of its values; null is no key.",
    example: "select multimap_of(['a', 'b', 'a'], [1, 2, 3])",
};
const CONCAT_DOC: Doc = Doc {
    signature: "map_concat(map, map, …)",
    text: "One map of several; of a key in more than one the last value counts.",
    example: "select map_concat(map(['a'], [1]), map(['a', 'b'], [2, 3]))",
};
const UNION_DOC: Doc = Doc {
    signature: "map_union_of(list of maps)",
    text: "One map of the maps of a list; of a key in more than one the first value counts.",
    example: "select map_union_of([map(['a'], [1]), map(['a', 'b'], [2, 3])])",
};
const MOST_DOC: Doc = Doc {
    signature: "most_frequent(list, count)",
    text: "The items that stand in a list most often, so many at most, as a map to how often each does.",
    example: "select most_frequent(['a', 'b', 'a'], 1)",
};
const TOP_DOC: Doc = Doc {
    signature: "top_counts(list, count)",
    text: "The items that stand in a list most often, so many at most, as rows of value and count.",
    example: "select top_counts(['a', 'b', 'a'], 1)",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "array_frequency",
            1..=1,
            Some(FREQUENCY_DOC),
            |args| Ok(map_field(&item(&args.arg_fields[0])?, &DataType::Int64)),
            |args, to| frequency(&args[0], to, None),
        )
        .with_aliases(["array_histogram"]),
        Simple::udf("map_of_first", 2..=2, Some(FIRST_DOC), lists_field, |args, to| of_lists(args, to, Twice::First)),
        Simple::udf("multimap_of", 2..=2, Some(MULTI_DOC), multi_field, |args, to| of_lists(args, to, Twice::List)),
        Simple::udf("map_union_of", 1..=1, Some(UNION_DOC), union_field, |args, to| union(&args[0], to)),
        Simple::udf(
            "most_frequent",
            2..=2,
            Some(MOST_DOC),
            |args| match args.arg_fields[1].data_type() {
                count if count.is_integer() || count.is_null() => {
                    Ok(map_field(&item(&args.arg_fields[0])?, &DataType::Int64))
                }
                _ => Err(invalid("most_frequent takes a list and a whole number.")),
            },
            |args, to| frequency(&args[0], to, Some(&cast(&args[1], &DataType::Int64)?)),
        ),
        Simple::udf(
            "top_counts",
            2..=2,
            Some(TOP_DOC),
            |args| match args.arg_fields[1].data_type() {
                count if count.is_integer() || count.is_null() => {
                    let value = Field::new("value", item(&args.arg_fields[0])?, true);
                    let row = DataType::Struct(vec![value, Field::new("count", DataType::Int64, true)].into());
                    Ok(Arc::new(Field::new("counts", DataType::new_list(row, true), true)))
                }
                _ => Err(invalid("top_counts takes a list and a whole number.")),
            },
            top_counts,
        ),
        Simple::udf("map_concat", 1..=MANY, Some(CONCAT_DOC), concat_field, of_maps),
    ]
}
pub(super) fn item(list: &FieldRef) -> Result<DataType> {
    match list.data_type() {
        DataType::List(item) => Ok(item.data_type().clone()),
        DataType::Null => Ok(DataType::Null),
        _ => Err(invalid("A list is needed here.")),
    }
}

fn lists_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(map_field(&item(&args.arg_fields[0])?, &item(&args.arg_fields[1])?))
}

fn multi_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(map_field(&item(&args.arg_fields[0])?, &DataType::new_list(item(&args.arg_fields[1])?, true)))
}

fn concat_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let mut types = args.arg_fields.iter().map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    let Some(first @ DataType::Map(..)) = types.next() else { return Err(invalid("map_concat takes maps.")) };
    match types.all(|data_type| data_type.equals_datatype(first)) {
        true => Ok(Arc::new(Field::new("map", first.clone(), true))),
        false => Err(invalid("The maps of map_concat must have keys and values of the same types; cast them.")),
    }
}

fn union_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match item(&args.arg_fields[0])? {
        maps @ DataType::Map(..) => Ok(Arc::new(Field::new("map", maps, true))),
        _ => Err(invalid("A list of maps is needed here.")),
    }
}

/// How often each item stands in a list; those that do most often alone, where that many are asked for.
fn frequency(lists: &ArrayRef, to: &FieldRef, most: Option<&ArrayRef>) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    for row in 0..lists.len() {
        let Some(items) = list(lists, row) else {
            maps.add(None, Twice::First)?;
            continue;
        };
        let mut counts: Vec<(ScalarValue, i64)> = Vec::new();
        let mut places: HashMap<ScalarValue, usize> = HashMap::new();
        // A list of nothing but null has no mask that says so.
        let nulls = items.logical_nulls();
        let is_known = |index: &usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*index));
        for index in (0..items.len()).filter(is_known) {
            let item = normalize_float_zero_scalar(ScalarValue::try_from_array(&items, index)?);
            let place = *places.entry(item.clone()).or_insert(counts.len());
            match counts.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => counts.push((item, 1)),
            }
        }
        if let Some(most) = most {
            if most.is_null(row) {
                maps.add(None, Twice::First)?;
                continue;
            }
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            counts.truncate(usize::try_from(most.as_primitive::<Int64Type>().value(row)).unwrap_or_default());
        }
        let mut found = Found::default();
        for (item, count) in counts {
            found.add(item, count.into(), Twice::First)?;
        }
        maps.add(Some(found), Twice::First)?;
    }
    maps.finish()
}

fn top_counts(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let DataType::List(row) = to.data_type() else { return Err(invalid("A list is needed here.")) };
    let DataType::Struct(fields) = row.data_type() else { return Err(invalid("A list is needed here.")) };
    let of = map_field(fields[0].data_type(), &DataType::Int64);
    let maps = frequency(&args[0], &of, Some(&cast(&args[1], &DataType::Int64)?))?;
    let maps = maps.as_map();
    let columns = vec![maps.keys().clone(), maps.values().clone()];
    let rows = StructArray::try_new(fields.clone(), columns, None)?;
    Ok(Arc::new(ListArray::try_new(row.clone(), maps.offsets().clone(), Arc::new(rows), maps.nulls().cloned())?))
}

fn of_lists(args: &[ArrayRef], to: &FieldRef, twice: Twice) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    for row in 0..args[0].len() {
        let (Some(keys), Some(values)) = (list(&args[0], row), list(&args[1], row)) else {
            maps.add(None, twice)?;
            continue;
        };
        if keys.len() != values.len() {
            return Err(invalid("A map has as many keys as values."));
        }
        let mut found = Found::default();
        for index in (0..keys.len()).filter(|index| keys.is_valid(*index)) {
            let (key, value) = pair(&keys, &values, index)?;
            found.add(key, value, twice)?;
        }
        maps.add(Some(found), twice)?;
    }
    maps.finish()
}

fn union(lists: &ArrayRef, to: &FieldRef) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    for row in 0..lists.len() {
        let Some(listed) = list(lists, row) else {
            maps.add(None, Twice::First)?;
            continue;
        };
        let mut found = Found::default();
        for entries in listed.as_map().iter().flatten() {
            for index in 0..entries.len() {
                let (key, value) = pair(entries.column(0), entries.column(1), index)?;
                found.add(key, value, Twice::First)?;
            }
        }
        maps.add(Some(found), Twice::First)?;
    }
    maps.finish()
}

fn of_maps(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    for row in 0..args[0].len() {
        if args.iter().any(|array| array.as_map_opt().is_none_or(|maps| maps.is_null(row))) {
            maps.add(None, Twice::Last)?;
            continue;
        }
        let mut found = Found::default();
        for array in args {
            let entries = array.as_map().value(row);
            for index in 0..entries.len() {
                let (key, value) = pair(entries.column(0), entries.column(1), index)?;
                found.add(key, value, Twice::Last)?;
            }
        }
        maps.add(Some(found), Twice::Last)?;
    }
    maps.finish()
}
