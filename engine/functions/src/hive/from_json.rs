//! `from_json(text, 'a INT, b STRING')`: a JSON text as values of a type, as Spark reads it. What does not fit the type of
//! its place is null; a text that is no JSON is a struct of nothing but nulls, and no list or map at all.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, ListArray, MapArray, StringArray, StructArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{cast, types};
use crate::bytes::texts_as_bytes::from_base64;
use crate::json::{compact, elements, is_json, members, plain};
use crate::simple::Simple;
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![Simple::udf("from_json", 2..=2, None, returns, |arrays, field| {
        let texts = cast::to_type(&arrays[0], &DataType::Utf8)?;
        let texts: Vec<Option<&str>> = texts.as_string::<i32>().iter().collect();
        read_all(&texts, field)
    })]
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    if !is_text(from) && !from.is_null() {
        return Err(invalid(format!("from_json reads a text, not {}.", types::name(from))));
    }
    let written = match args.scalar_arguments.get(1).copied().flatten() {
        Some(
            ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)) | ScalarValue::LargeUtf8(Some(text)),
        ) => text,
        _ => {
            return Err(invalid("The second argument of from_json is a type written as a text, as 'a INT, b STRING'."));
        }
    };
    let columns = types::field("json", &format!("struct<{written}>"));
    let field = match types::field("json", written).filter(|field| field.data_type().is_nested()) {
        Some(field) => field,
        None => columns.ok_or_else(|| {
            let shown: String = written.chars().take(60).collect();
            invalid(format!(
                "from_json knows no type '{shown}': write 'a INT, b STRING', struct<…>, array<…> or map<…>."
            ))
        })?,
    };
    possible(field.data_type())?;
    Ok(Arc::new(field))
}

/// Refuses maps whose keys are no texts: JSON has no others.
fn possible(to: &DataType) -> Result<()> {
    match to {
        DataType::List(item) => possible(item.data_type()),
        DataType::Struct(fields) => fields.iter().try_for_each(|field| possible(field.data_type())),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 && is_text(fields[0].data_type()) => {
                possible(fields[1].data_type())
            }
            _ => Err(invalid("A map of from_json has texts as its keys, as map<string,int>.")),
        },
        _ => Ok(()),
    }
}

/// Whole texts: here a list stands for its first item where a struct is asked for, and a struct for a list of one.
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
            let offsets = OffsetBuffer::from_lengths(lengths);
            let items = read(&items, item)?;
            Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, Some(NullBuffer::from(known)))?))
        }
        DataType::Map(entries, ordered) => {
            let DataType::Struct(pair) = entries.data_type() else { return Err(invalid("A map is needed here.")) };
            let (mut names, mut items, mut lengths, mut known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for text in starting('{') {
                let of_row = text.and_then(members);
                known.push(of_row.is_some());
                let start = names.len();
                let mut places: HashMap<String, usize> = HashMap::new();
                for (name, item) in of_row.unwrap_or_default() {
                    match places.get(&name) {
                        // Of a key that stands there twice the last value counts.
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
            let names: ArrayRef = Arc::new(StringArray::from(names));
            let items = StructArray::try_new(pair.clone(), vec![names, read(&items, &pair[1])?], None)?;
            let offsets = OffsetBuffer::from_lengths(lengths);
            let nulls = Some(NullBuffer::from(known));
            Ok(Arc::new(MapArray::try_new(Arc::clone(entries), offsets, items, nulls, *ordered)?))
        }
        DataType::Struct(fields) => {
            let mut columns: Vec<Vec<Option<&str>>> = vec![Vec::with_capacity(texts.len()); fields.len()];
            let mut known = Vec::with_capacity(texts.len());
            for text in starting('{') {
                let of_row = text.and_then(members);
                known.push(of_row.is_some());
                let of_row = of_row.unwrap_or_default();
                for (column, field) in columns.iter_mut().zip(fields) {
                    // Names have no letter case here; one that is written as the type has it goes first.
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
            Ok(Arc::new(bytes.collect::<arrow::array::BinaryArray>()))
        }
        data_type => {
            let texts = texts.iter().map(|text| leaf(text.as_ref()?, data_type));
            cast::to_field(&(Arc::new(texts.collect::<StringArray>()) as ArrayRef), to)
        }
    }
}

/// The text in quotes that a value is.
fn quoted(value: &str) -> Option<String> {
    if value.starts_with('"') { plain(value) } else { None }
}

/// A value as a text that the cast to its type reads; `None` where JSON has another kind of value.
fn leaf(value: &str, to: &DataType) -> Option<String> {
    let is_number = value.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit());
    let of_number = || is_number.then(|| value.to_string());
    match to {
        _ if value == "null" => None,
        DataType::Utf8 => plain(value).or_else(|| Some(compact(value))),
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
