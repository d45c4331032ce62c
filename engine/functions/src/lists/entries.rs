//! Maps made of lists of entries and of texts.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::maps::item;
use crate::maps::{Found, Maps, Twice, list, map_field, pair};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const ENTRIES_DOC: Doc = Doc {
    signature: "map_from_entries(list)",
    text: "The map of a list of rows of a key and a value; an error for a key that stands there twice.",
    example: "select map_from_entries([('a', 1), ('b', 2)])",
};
const MULTI_ENTRIES_DOC: Doc = Doc {
    signature: "multimap_from_entries(list)",
    text: "The map of each key of a list of rows of a key and a value to the list of its values.",
    example: "select multimap_from_entries([('a', 1), ('b', 2), ('a', 3)])",
};
const SPLIT_DOC: Doc = Doc {
    signature: "split_to_map(text, between entries, between key and value)",
    text: "A map of a text; an error for a key that stands there twice and for an entry without a value.",
    example: "select split_to_map('a=1;b=2', ';', '=')",
};
const MULTI_SPLIT_DOC: Doc = Doc {
    signature: "split_to_multimap(text, between entries, between key and value)",
    text: "A map of each key of a text to the list of its values; an error for an entry without a value.",
    example: "select split_to_multimap('a=1;b=2;a=3', ';', '=')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "map_from_entries",
            1..=1,
            Some(ENTRIES_DOC),
            |args| entries_field(args, false),
            |args, to| of_entries(&args[0], to, Twice::Error),
        ),
        Simple::udf(
            "multimap_from_entries",
            1..=1,
            Some(MULTI_ENTRIES_DOC),
            |args| entries_field(args, true),
            |args, to| of_entries(&args[0], to, Twice::List),
        ),
        Simple::udf(
            "split_to_map",
            3..=3,
            Some(SPLIT_DOC),
            |args| split_field(args, DataType::Utf8),
            |args, to| split(args, to, Twice::Error),
        ),
        Simple::udf(
            "split_to_multimap",
            3..=3,
            Some(MULTI_SPLIT_DOC),
            |args| split_field(args, DataType::new_list(DataType::Utf8, true)),
            |args, to| split(args, to, Twice::List),
        ),
    ]
}

fn entries_field(args: &ReturnFieldArgs, lists: bool) -> Result<FieldRef> {
    match item(&args.arg_fields[0])? {
        DataType::Struct(fields) if fields.len() == 2 => {
            let value = fields[1].data_type().clone();
            let value = if lists { DataType::new_list(value, true) } else { value };
            Ok(map_field(fields[0].data_type(), &value))
        }
        _ => Err(invalid("A list of rows of a key and a value is needed here.")),
    }
}

fn split_field(args: &ReturnFieldArgs, value: DataType) -> Result<FieldRef> {
    match args.arg_fields.iter().all(|field| is_text(field.data_type()) || field.data_type().is_null()) {
        true => Ok(map_field(&DataType::Utf8, &value)),
        false => Err(invalid("A text and two separators are needed here.")),
    }
}

fn of_entries(lists: &ArrayRef, to: &FieldRef, twice: Twice) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    for row in 0..lists.len() {
        let Some(entries) = list(lists, row) else {
            maps.add(None, twice)?;
            continue;
        };
        let entries = entries.as_struct();
        let mut found = Found::default();
        for index in 0..entries.len() {
            let (key, value) = pair(entries.column(0), entries.column(1), index)?;
            if entries.is_null(index) || key.is_null() {
                return Err(invalid("A key of a map can't be null."));
            }
            found.add(key, value, twice)?;
        }
        maps.add(Some(found), twice)?;
    }
    maps.finish()
}

fn split(args: &[ArrayRef], to: &FieldRef, twice: Twice) -> Result<ArrayRef> {
    let mut maps = Maps::new(to);
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(text_of(&args[2])?);
    for ((text, between), within) in rows {
        let (Some(text), Some(between), Some(within)) = (text, between, within) else {
            maps.add(None, twice)?;
            continue;
        };
        if between.is_empty() || within.is_empty() || between == within {
            return Err(invalid("The two separators are texts that differ."));
        }
        let mut found = Found::default();
        for entry in text.split(between).filter(|entry| !entry.is_empty()) {
            let Some((key, value)) = entry.split_once(within) else {
                return Err(invalid(format!("'{}' has no value.", entry.chars().take(60).collect::<String>())));
            };
            found.add(key.into(), value.into(), twice)?;
        }
        maps.add(Some(found), twice)?;
    }
    maps.finish()
}
