//! Maps made of lists, of texts and of other maps.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow::array::StructArray;
use datafusion::common::utils::normalize_float_zero_scalar;

use super::build::{list_array, list_field, list_item, struct_fields};
use crate::maps::{DuplicateKeys, build_maps, map_entry, map_field};
use crate::prelude::*;

const FREQUENCY_DOC: Doc = Doc {
    signature: "array_frequency(list)",
    text: "A map of the distinct elements of a list to their counts; nulls are ignored.",
    example: "select array_frequency(['a', 'b', 'a'])",
};
const FIRST_DOC: Doc = Doc {
    signature: "map_of_first(keys, values)",
    text: "A map from a list of keys and a list of values. The first value of a duplicate key is kept; null keys are ignored.",
    example: "select map_of_first(['a', 'b', 'a'], [1, 2, 3])",
};
const MULTI_DOC: Doc = Doc {
    signature: "multimap_of(keys, values)",
    text: "A map of each key to the list of its values; null keys are ignored.",
    example: "select multimap_of(['a', 'b', 'a'], [1, 2, 3])",
};
const CONCAT_DOC: Doc = Doc {
    signature: "map_concat(map, map, …)",
    text: "The union of several maps; if a key is in more than one, the last value is kept.",
    example: "select map_concat(map(['a'], [1]), map(['a', 'b'], [2, 3]))",
};
const UNION_DOC: Doc = Doc {
    signature: "map_union_of(list of maps)",
    text: "The union of a list of maps; if a key is in more than one, the first value is kept.",
    example: "select map_union_of([map(['a'], [1]), map(['a', 'b'], [2, 3])])",
};
const MOST_DOC: Doc = Doc {
    signature: "most_frequent(list, count)",
    text: "The most frequent elements of a list, at most count, as a map to their counts.",
    example: "select most_frequent(['a', 'b', 'a'], 1)",
};
const TOP_DOC: Doc = Doc {
    signature: "top_counts(list, count)",
    text: "The most frequent elements of a list, at most count, as rows of value and count.",
    example: "select top_counts(['a', 'b', 'a'], 1)",
};
const ENTRIES_DOC: Doc = Doc {
    signature: "map_from_entries(list)",
    text: "A map from a list of rows of a key and a value. Fails if a key occurs twice.",
    example: "select map_from_entries([('a', 1), ('b', 2)])",
};
const MULTI_ENTRIES_DOC: Doc = Doc {
    signature: "multimap_from_entries(list)",
    text: "A map of each key in a list of rows of a key and a value to the list of its values.",
    example: "select multimap_from_entries([('a', 1), ('b', 2), ('a', 3)])",
};
const SPLIT_DOC: Doc = Doc {
    signature: "split_to_map(text, between entries, between key and value)",
    text: "A map of the keys and values in a delimited string. Fails if a key occurs twice or an entry has no value.",
    example: "select split_to_map('a=1;b=2', ';', '=')",
};
const MULTI_SPLIT_DOC: Doc = Doc {
    signature: "split_to_multimap(text, between entries, between key and value)",
    text: "A map of each key in a delimited string to the list of its values. Fails if an entry has no value.",
    example: "select split_to_multimap('a=1;b=2;a=3', ';', '=')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        FREQUENCY_DOC
            .udf(1..=1, counts_field, |args, to| count_items(&args[0], to, None))
            .with_aliases(["array_histogram"]),
        MOST_DOC.udf(2..=2, counts_field, |args, to| count_items(&args[0], to, Some(&args[1]))),
        TOP_DOC.udf(2..=2, top_counts_field, top_counts),
        FIRST_DOC.udf(2..=2, lists_field, |args, to| map_of_lists(args, to, DuplicateKeys::KeepFirst)),
        MULTI_DOC.udf(
            2..=2,
            |args| multimap(lists_field(args)?),
            |args, to| map_of_lists(args, to, DuplicateKeys::Collect),
        ),
        UNION_DOC.udf(1..=1, union_field, |args, to| union(&args[0], to)),
        CONCAT_DOC.udf(1..=MANY, concat_field, concat),
        ENTRIES_DOC.udf(1..=1, entries_field, |args, to| map_of_entries(&args[0], to, DuplicateKeys::Error)),
        MULTI_ENTRIES_DOC.udf(
            1..=1,
            |args| multimap(entries_field(args)?),
            |args, to| map_of_entries(&args[0], to, DuplicateKeys::Collect),
        ),
        SPLIT_DOC.udf(3..=3, split_field, |args, to| split(args, to, DuplicateKeys::Error)),
        MULTI_SPLIT_DOC.udf(
            3..=3,
            |args| multimap(split_field(args)?),
            |args, to| split(args, to, DuplicateKeys::Collect),
        ),
    ]
}

fn item_type(list: &FieldRef) -> Result<DataType> {
    match list.data_type() {
        DataType::Null => Ok(DataType::Null),
        list => Ok(list_item(list)?.data_type().clone()),
    }
}

/// The list of one row, if it is not null.
fn list_at(lists: &ArrayRef, row: usize) -> Option<ArrayRef> {
    lists.as_list_opt::<i32>().filter(|lists| lists.is_valid(row)).map(|lists| lists.value(row))
}

/// The same map with lists of values.
fn multimap(map: FieldRef) -> Result<FieldRef> {
    let (key, value) = map_entry(map.data_type()).ok_or_else(|| invalid("Expected a map here."))?;
    Ok(map_field(key.data_type(), &DataType::new_list(value.data_type().clone(), true)))
}

fn lists_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(map_field(&item_type(&args.arg_fields[0])?, &item_type(&args.arg_fields[1])?))
}

fn concat_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let mut types = args.arg_fields.iter().map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    let Some(first @ DataType::Map(..)) = types.next() else { return Err(invalid("map_concat expects maps.")) };
    match types.all(|data_type| data_type.equals_datatype(first)) {
        true => Ok(Arc::new(Field::new("map", first.clone(), true))),
        false => Err(invalid("The maps of map_concat must have the same key and value types; cast them.")),
    }
}

fn union_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match item_type(&args.arg_fields[0])? {
        maps @ DataType::Map(..) => Ok(Arc::new(Field::new("map", maps, true))),
        _ => Err(invalid("Expected a list of maps here.")),
    }
}

fn entries_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match struct_fields(&item_type(&args.arg_fields[0])?).map(|fields| &fields[..]) {
        Some([key, value]) => Ok(map_field(key.data_type(), value.data_type())),
        _ => Err(invalid("Expected a list of rows with a key and a value here.")),
    }
}

fn split_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.iter().all(|field| is_text(field.data_type()) || field.data_type().is_null()) {
        true => Ok(map_field(&DataType::Utf8, &DataType::Utf8)),
        false => Err(invalid("Expected a string and two separators here.")),
    }
}

/// A map of items to counts; the count of items to keep, if any, is a whole number.
fn counts_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.get(1).map(|field| field.data_type()) {
        Some(count) if !count.is_integer() && !count.is_null() => {
            Err(invalid("most_frequent expects a list and an integer."))
        }
        _ => Ok(map_field(&item_type(&args.arg_fields[0])?, &DataType::Int64)),
    }
}

fn top_counts_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let count = args.arg_fields[1].data_type();
    if !count.is_integer() && !count.is_null() {
        return Err(invalid("top_counts expects a list and an integer."));
    }
    let value = Field::new("value", item_type(&args.arg_fields[0])?, true);
    let row = DataType::Struct(vec![value, Field::new("count", DataType::Int64, true)].into());
    Ok(list_field("counts", row))
}

/// The counts of the items of a list; with `most`, only of that many most frequent ones.
fn count_items(lists: &ArrayRef, to: &FieldRef, most: Option<&ArrayRef>) -> Result<ArrayRef> {
    let most = most.map(|most| cast(most, &DataType::Int64)).transpose()?;
    build_maps(to, lists.len(), DuplicateKeys::KeepFirst, |row, entries| {
        let Some(items) = list_at(lists, row) else { return Ok(None) };
        let mut counts: Vec<(ScalarValue, i64)> = Vec::new();
        let mut positions: HashMap<ScalarValue, usize> = HashMap::new();
        // A list of type Null has no validity buffer.
        let nulls = items.logical_nulls();
        for index in (0..items.len()).filter(|index| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*index))) {
            let item = normalize_float_zero_scalar(ScalarValue::try_from_array(&items, index)?);
            let position = *positions.entry(item.clone()).or_insert(counts.len());
            match counts.get_mut(position) {
                Some((_, count)) => *count += 1,
                None => counts.push((item, 1)),
            }
        }
        if let Some(most) = &most {
            if most.is_null(row) {
                return Ok(None);
            }
            counts.sort_by_key(|(_, count)| Reverse(*count));
            counts.truncate(usize::try_from(most.as_primitive::<Int64Type>().value(row)).unwrap_or_default());
        }
        counts.into_iter().try_for_each(|(item, count)| entries.add(item, count.into())).map(Some)
    })
}

fn top_counts(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let row = list_item(to.data_type())?.data_type();
    let fields = struct_fields(row).ok_or_else(|| invalid("Expected a list here."))?;
    let maps = count_items(&args[0], &map_field(fields[0].data_type(), &DataType::Int64), Some(&args[1]))?;
    let maps = maps.as_map();
    let rows = StructArray::try_new(fields.clone(), vec![maps.keys().clone(), maps.values().clone()], None)?;
    list_array(to.data_type(), maps.offsets().clone(), Arc::new(rows), maps.nulls().cloned())
}

fn map_of_lists(args: &[ArrayRef], to: &FieldRef, duplicates: DuplicateKeys) -> Result<ArrayRef> {
    build_maps(to, args[0].len(), duplicates, |row, entries| {
        let (Some(keys), Some(values)) = (list_at(&args[0], row), list_at(&args[1], row)) else { return Ok(None) };
        if keys.len() != values.len() {
            return Err(invalid("A map must have as many keys as values."));
        }
        for index in (0..keys.len()).filter(|index| keys.is_valid(*index)) {
            entries.add(ScalarValue::try_from_array(&keys, index)?, ScalarValue::try_from_array(&values, index)?)?;
        }
        Ok(Some(()))
    })
}

fn map_of_entries(lists: &ArrayRef, to: &FieldRef, duplicates: DuplicateKeys) -> Result<ArrayRef> {
    build_maps(to, lists.len(), duplicates, |row, entries| {
        let Some(rows) = list_at(lists, row) else { return Ok(None) };
        let rows = rows.as_struct();
        if rows.null_count() > 0 || rows.column(0).logical_null_count() > 0 {
            return Err(invalid("A key of a map can't be null."));
        }
        entries.add_all(rows.column(0), rows.column(1)).map(Some)
    })
}

fn union(lists: &ArrayRef, to: &FieldRef) -> Result<ArrayRef> {
    build_maps(to, lists.len(), DuplicateKeys::KeepFirst, |row, entries| {
        let Some(maps) = list_at(lists, row) else { return Ok(None) };
        let mut maps = maps.as_map().iter().flatten();
        maps.try_for_each(|map| entries.add_all(map.column(0), map.column(1))).map(Some)
    })
}

fn concat(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    build_maps(to, args[0].len(), DuplicateKeys::KeepLast, |row, entries| {
        if args.iter().any(|array| array.as_map_opt().is_none_or(|maps| maps.is_null(row))) {
            return Ok(None);
        }
        let mut maps = args.iter().map(|array| array.as_map().value(row));
        maps.try_for_each(|map| entries.add_all(map.column(0), map.column(1))).map(Some)
    })
}

fn split(args: &[ArrayRef], to: &FieldRef, duplicates: DuplicateKeys) -> Result<ArrayRef> {
    let (texts, between, within) = (text_of(&args[0])?, text_of(&args[1])?, text_of(&args[2])?);
    build_maps(to, texts.len(), duplicates, |row, entries| {
        let (Some(text), Some(between), Some(within)) = (texts[row], between[row], within[row]) else {
            return Ok(None);
        };
        if between.is_empty() || within.is_empty() || between == within {
            return Err(invalid("The two separators must be different strings that are not empty."));
        }
        for entry in text.split(between).filter(|entry| !entry.is_empty()) {
            let Some((key, value)) = entry.split_once(within) else {
                return Err(invalid(format!("'{}' has no value.", entry.chars().take(60).collect::<String>())));
            };
            entries.add(key.into(), value.into())?;
        }
        Ok(Some(()))
    })
}
