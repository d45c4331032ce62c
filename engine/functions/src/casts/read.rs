//! JSON texts as lists, maps and structs of a type.

use arrow::array::{ListArray, StructArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};

use super::target::{Target, map};
use crate::casts::column::cast_column;
use crate::json::{compact, elements, is_json, members, no_json, unquoted};
use crate::prelude::*;

/// JSON texts as values of a type.
pub(super) fn values(texts: Vec<Option<&str>>, to: &Target) -> Result<ArrayRef> {
    if let Some(text) = texts.iter().flatten().find(|text| !is_json(text)) {
        return Err(no_json(text));
    }
    read(&texts.into_iter().map(|text| text.map(str::trim)).collect::<Vec<_>>(), to)
}

fn read(texts: &[Option<&str>], to: &Target) -> Result<ArrayRef> {
    // JSON has its own null, which is JSON too.
    if *to == Target::Json {
        return Ok(Arc::new(texts.iter().map(|text| text.map(compact)).collect::<StringArray>()));
    }
    let known: Vec<Option<&str>> = texts.iter().map(|text| text.filter(|text| *text != "null")).collect();
    let nulls = || Some(NullBuffer::from_iter(known.iter().map(Option::is_some)));
    match to {
        Target::List(item) => {
            let mut items = Vec::new();
            let mut lengths = Vec::with_capacity(known.len());
            for text in &known {
                let list = match text {
                    Some(text) if text.starts_with('[') => elements(text),
                    Some(text) => return Err(other(text, "array")),
                    None => Vec::new(),
                };
                lengths.push(list.len());
                items.extend(list.into_iter().map(Some));
            }
            let offsets = OffsetBuffer::from_lengths(lengths);
            Ok(Arc::new(ListArray::try_new(item.field("item"), offsets, read(&items, item)?, nulls())?))
        }
        Target::Map(key, item) => {
            let (mut names, mut items) = (Vec::new(), Vec::new());
            let mut lengths = Vec::with_capacity(known.len());
            for text in &known {
                let object = match text {
                    Some(text) => members(text).ok_or_else(|| other(text, "object"))?,
                    None => Vec::new(),
                };
                lengths.push(object.len());
                for (name, item) in object {
                    names.push(Some(name));
                    items.push(Some(item));
                }
            }
            let keys = scalars(names.into_iter().collect(), key)?;
            map(keys, read(&items, item)?, OffsetBuffer::from_lengths(lengths), nulls(), to)
        }
        Target::Row(fields) => {
            let mut columns: Vec<Vec<Option<&str>>> = vec![Vec::with_capacity(known.len()); fields.len()];
            for text in &known {
                let values = match text {
                    Some(text) => row(text, fields)?,
                    None => vec![None; fields.len()],
                };
                columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            }
            let columns = columns.iter().zip(fields).map(|(column, (_, to))| read(column, to));
            let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
            Ok(Arc::new(StructArray::try_new_with_length(Target::fields(fields), columns, nulls(), known.len())?))
        }
        to => {
            let texts = known.iter().map(|text| text.map(|text| unquoted(text).ok_or_else(|| other(text, "scalar"))));
            scalars(texts.map(Option::transpose).collect::<Result<StringArray>>()?, to)
        }
    }
}

/// The values of a struct: of a list by position, of an object by name, null for those that it does not have.
fn row<'a>(text: &'a str, fields: &[(String, Target)]) -> Result<Vec<Option<&'a str>>> {
    if text.starts_with('[') {
        let items = elements(text);
        return match items.len() == fields.len() {
            true => Ok(items.into_iter().map(Some).collect()),
            false => {
                Err(invalid(format!("A list of {} items does not fit a row of {} values.", items.len(), fields.len())))
            }
        };
    }
    let members = members(text).ok_or_else(|| other(text, "object"))?;
    let named = |name: &str| members.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
    Ok(fields.iter().map(|(name, _)| named(name)).collect())
}

fn scalars(texts: StringArray, to: &Target) -> Result<ArrayRef> {
    let texts: ArrayRef = Arc::new(texts);
    cast_column(&texts, &Field::new("text", DataType::Utf8, true), &to.field("value"))
}

fn other(text: &str, wanted: &str) -> DataFusionError {
    invalid(format!("'{text:.60}' is not a JSON {wanted}."))
}
