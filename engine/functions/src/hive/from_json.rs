//! `from_json(text, 'a INT, b STRING')`: a JSON text as values of a type, as Spark reads it. Values of other types are null; a text
//! that is no JSON is a struct of nulls, or null instead of a list or a map.

use std::collections::HashMap;

use arrow::array::{StructArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};

use super::{cast, types};
use crate::bytes::encodings::from_base64;
use crate::json::{compact, elements, is_json, members, unquoted};
use crate::lists::build::list_array;
use crate::maps::{map_array, map_entry};
use crate::prelude::*;

pub(super) fn udf() -> ScalarUDF {
    scalar_udf("from_json", 2..=2, type_field, |arrays, field| {
        let texts = cast::to_type(&arrays[0], &DataType::Utf8)?;
        let texts: Vec<Option<&str>> = texts.as_string::<i32>().iter().collect();
        read_all(&texts, field)
    })
}

fn type_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    if !is_text(from) && !from.is_null() {
        return Err(invalid(format!("from_json expects a string, got {}.", types::name(from))));
    }
    let name = args.scalar_arguments.get(1).copied().flatten().and_then(|name| name.try_as_str().flatten());
    let Some(name) = name else {
        return Err(invalid(
            "The second argument of from_json must be a type as a string literal, such as 'a INT, b STRING'.",
        ));
    };
    let nested = types::field("json", name).filter(|field| field.data_type().is_nested());
    let field = nested.or_else(|| types::field("json", &format!("struct<{name}>"))).ok_or_else(|| {
        let start: String = name.chars().take(60).collect();
        invalid(format!(
            "from_json does not support the type '{start}'; write 'a INT, b STRING', struct<…>, array<…> or map<…>."
        ))
    })?;
    check_keys(field.data_type())?;
    Ok(Arc::new(field))
}

/// Refuses maps whose keys are not texts: JSON has no other keys.
fn check_keys(to: &DataType) -> Result<()> {
    match to {
        DataType::List(item) => check_keys(item.data_type()),
        DataType::Struct(fields) => fields.iter().try_for_each(|field| check_keys(field.data_type())),
        DataType::Map(..) => match map_entry(to) {
            Some((key, value)) if is_text(key.data_type()) => check_keys(value.data_type()),
            _ => Err(invalid("The keys of a map in from_json must be strings, such as map<string,int>.")),
        },
        _ => Ok(()),
    }
}

/// Reads whole texts: a list is read as its first item where the type is a struct, and a struct as a list of one.
fn read_all(texts: &[Option<&str>], to: &Field) -> Result<ArrayRef> {
    let is_row = matches!(to.data_type(), DataType::Struct(_));
    let rows: Vec<Option<String>> = texts
        .iter()
        .map(|text| {
            let text = text.map(str::trim).filter(|text| !text.is_empty())?;
            let broken = || is_row.then(|| "{}".to_string());
            if !is_json(text) {
                return broken();
            }
            match (to.data_type(), text.as_bytes().first()) {
                (DataType::Struct(_), Some(b'[')) => elements(text).first().map(|first| (*first).to_string()),
                (DataType::Struct(_), Some(b'{')) => Some(text.to_string()),
                (DataType::Struct(_), _) => broken(),
                (DataType::List(item), Some(b'{')) if matches!(item.data_type(), DataType::Struct(_)) => {
                    Some(format!("[{text}]"))
                }
                _ => Some(text.to_string()),
            }
        })
        .collect();
    read(&rows.iter().map(Option::as_deref).collect::<Vec<_>>(), to)
}

fn read(texts: &[Option<&str>], to: &Field) -> Result<ArrayRef> {
    let starting = |sign: char| texts.iter().map(move |text| text.filter(|text| text.starts_with(sign)));
    match to.data_type() {
        DataType::List(item) => {
            let (mut items, mut lengths, mut known) = (Vec::new(), Vec::new(), Vec::new());
            for text in starting('[') {
                let of_row = text.map(elements).unwrap_or_default();
                known.push(text.is_some());
                lengths.push(of_row.len());
                items.extend(of_row.into_iter().map(Some));
            }
            let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), Some(NullBuffer::from(known)));
            list_array(to.data_type(), offsets, read(&items, item)?, nulls)
        }
        DataType::Map(..) => {
            let (_, value) = map_entry(to.data_type()).ok_or_else(|| invalid("Expected a map here."))?;
            let (mut names, mut items, mut lengths, mut known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for text in starting('{') {
                let of_row = text.and_then(members);
                known.push(of_row.is_some());
                let start = names.len();
                let mut places: HashMap<String, usize> = HashMap::new();
                for (name, item) in of_row.unwrap_or_default() {
                    match places.get(&name) {
                        // Of equal keys the last value counts.
                        Some(place) => items[*place] = Some(item),
                        None => {
                            places.insert(name.clone(), items.len());
                            names.push(name);
                            items.push(Some(item));
                        }
                    }
                }
                lengths.push(names.len() - start);
            }
            let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), Some(NullBuffer::from(known)));
            map_array(to.data_type(), offsets, Arc::new(StringArray::from(names)), read(&items, value)?, nulls)
        }
        DataType::Struct(fields) => {
            let mut columns: Vec<Vec<Option<&str>>> = vec![Vec::with_capacity(texts.len()); fields.len()];
            let mut known = Vec::with_capacity(texts.len());
            for text in starting('{') {
                let of_row = text.and_then(members);
                known.push(of_row.is_some());
                let of_row = of_row.unwrap_or_default();
                for (column, field) in columns.iter_mut().zip(fields) {
                    // Names are compared without letter case; an exact match goes first.
                    let exact = of_row.iter().rfind(|(name, _)| name == field.name());
                    let found =
                        exact.or_else(|| of_row.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(field.name())));
                    column.push(found.map(|(_, value)| *value));
                }
            }
            let columns = columns.iter().zip(fields).map(|(column, field)| read(column, field));
            let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
            let nulls = Some(NullBuffer::from(known));
            Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, texts.len())?))
        }
        DataType::Null => Ok(new_null_array(&DataType::Null, texts.len())),
        DataType::Binary => {
            let bytes = texts.iter().map(|text| quoted(text.as_ref()?).and_then(|text| from_base64(&text)));
            Ok(Arc::new(bytes.collect::<BinaryArray>()))
        }
        data_type => {
            let texts = texts.iter().map(|text| scalar_text(text.as_ref()?, data_type));
            cast::to_field(&(Arc::new(texts.collect::<StringArray>()) as ArrayRef), to)
        }
    }
}

/// The text of a value in quotes.
fn quoted(value: &str) -> Option<String> {
    if value.starts_with('"') { unquoted(value) } else { None }
}

/// A value as a text that can be cast to its type; `None` for another kind of value.
fn scalar_text(value: &str, to: &DataType) -> Option<String> {
    let is_number = value.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit());
    let of_number = || is_number.then(|| value.to_string());
    match to {
        _ if value == "null" => None,
        DataType::Utf8 => unquoted(value).or_else(|| Some(compact(value))),
        DataType::Boolean => ["true", "false"].contains(&value).then(|| value.to_string()),
        to if to.is_integer() => of_number().filter(|digits| !digits.contains(['.', 'e', 'E'])),
        DataType::Float32 | DataType::Float64 => match quoted(value) {
            Some(text) => ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()).then_some(text),
            None => of_number(),
        },
        DataType::Decimal128(..) => quoted(value).or_else(of_number),
        // Days and times, and what else is written as a text.
        _ => quoted(value),
    }
}
