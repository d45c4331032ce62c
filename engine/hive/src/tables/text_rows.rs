//! Lines of text → rows of a table, as Hive's LazySimpleSerDe reads them: a value that is missing or does not have its type is
//! null, surplus values are ignored.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ListArray, MapArray, RecordBatch, StringArray, StructArray, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{filter, is_not_null};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, SchemaRef};
use datafusion::common::{Result, internal_err};

use super::text_format::TextFormat;
use quarry_functions::hive::cast;

/// The rows of lines without their line ends.
pub(super) fn rows_of_lines(lines: &[String], schema: &SchemaRef, format: &TextFormat) -> Result<RecordBatch> {
    let lines: Vec<Option<&str>> = lines.iter().map(|line| Some(line.as_str())).collect();
    let columns = fields(&lines, schema.fields(), format, 0)?;
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

/// Splits each text into the columns of its fields.
fn fields(texts: &[Option<&str>], fields: &Fields, format: &TextFormat, level: usize) -> Result<Vec<ArrayRef>> {
    let mut columns: Vec<Vec<Option<&str>>> = vec![Vec::with_capacity(texts.len()); fields.len()];
    for text in texts {
        let mut parts = text.map(|text| Parts::new(text, format.separator(level), format.escape));
        for column in &mut columns {
            column.push(parts.as_mut().and_then(Iterator::next));
        }
    }
    columns.iter().zip(fields).map(|(texts, field)| values(texts, field, format, level + 1)).collect()
}

/// The values of one column; `level` is that of the separator inside them.
fn values(texts: &[Option<&str>], field: &FieldRef, format: &TextFormat, level: usize) -> Result<ArrayRef> {
    let texts: Vec<Option<&str>> = texts.iter().map(|text| text.filter(|text| *text != format.null)).collect();
    let nulls = || NullBuffer::from_iter(texts.iter().map(Option::is_some));
    match field.data_type() {
        DataType::List(item) => {
            let (parts, offsets) = items(&texts, format, level);
            let parts = values(&parts, item, format, level + 1)?;
            Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, parts, Some(nulls()))?))
        }
        DataType::Struct(inner) => {
            let columns = fields(&texts, inner, format, level)?;
            Ok(Arc::new(StructArray::try_new_with_length(inner.clone(), columns, Some(nulls()), texts.len())?))
        }
        DataType::Map(entries, sorted) => {
            let DataType::Struct(inner) = entries.data_type() else {
                return internal_err!("a map without keys and values: {}", field.name());
            };
            let (parts, offsets) = items(&texts, format, level);
            let (pairs, offsets) = without_null_keys(fields(&parts, inner, format, level + 1)?, offsets)?;
            let pairs = StructArray::try_new(inner.clone(), pairs, None)?;
            Ok(Arc::new(MapArray::try_new(Arc::clone(entries), offsets, pairs, Some(nulls()), *sorted)?))
        }
        _ => scalars(&texts, field, format),
    }
}

/// Keys and values of maps without null keys, which no map may have, and the offsets of the maps.
fn without_null_keys(pairs: Vec<ArrayRef>, offsets: OffsetBuffer<i32>) -> Result<(Vec<ArrayRef>, OffsetBuffer<i32>)> {
    let Some(keys) = pairs.first().filter(|keys| keys.null_count() > 0) else { return Ok((pairs, offsets)) };
    let known = is_not_null(keys)?;
    let lengths = offsets.windows(2).map(|ends| {
        let (start, end) = (ends[0] as usize, ends[1] as usize);
        known.slice(start, end - start).true_count()
    });
    let offsets = OffsetBuffer::from_lengths(lengths);
    let pairs = pairs.iter().map(|column| filter(column, &known)).collect::<Result<_, _>>()?;
    Ok((pairs, offsets))
}

/// The items of all texts, and the offsets of each text. An empty text has no items.
fn items<'a>(
    texts: &[Option<&'a str>],
    format: &TextFormat,
    level: usize,
) -> (Vec<Option<&'a str>>, OffsetBuffer<i32>) {
    let mut parts = Vec::new();
    let mut lengths = Vec::with_capacity(texts.len());
    for text in texts {
        let before = parts.len();
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            parts.extend(Parts::new(text, format.separator(level), format.escape).map(Some));
        }
        lengths.push(parts.len() - before);
    }
    (parts, OffsetBuffer::from_lengths(lengths))
}

/// Values that are not lists, structs or maps.
fn scalars(texts: &[Option<&str>], field: &Field, format: &TextFormat) -> Result<ArrayRef> {
    if texts.is_empty() {
        return Ok(new_empty_array(field.data_type()));
    }
    let texts = texts.iter().map(|text| text.and_then(|text| accepted(text, field.data_type())));
    let texts = texts.map(|text| text.map(|text| unescape(text, format.escape)));
    let texts: ArrayRef = Arc::new(texts.collect::<StringArray>());
    cast::to_field(&texts, field)
}

/// A text that a file may have for a value: unlike in a cast, `1.5` is not an int and `yes` is not a boolean.
fn accepted<'a>(text: &'a str, data_type: &DataType) -> Option<&'a str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match data_type {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            digits(text.strip_prefix(['+', '-']).unwrap_or(text)).then_some(text)
        }
        DataType::Boolean => ["true", "false"].into_iter().find(|word| text.eq_ignore_ascii_case(word)),
        _ => Some(text),
    }
}

fn unescape(text: &str, escape: Option<char>) -> Cow<'_, str> {
    let Some(escape) = escape.filter(|escape| text.contains(*escape)) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let letter = match if letter == escape { letters.next() } else { None } {
            Some('n') => '\n',
            Some('r') => '\r',
            Some(escaped) => escaped,
            None => letter,
        };
        out.push(letter);
    }
    Cow::Owned(out)
}

/// The parts of a text between separators.
struct Parts<'a> {
    rest: Option<&'a str>,
    separator: char,
    escape: Option<char>,
}

impl<'a> Parts<'a> {
    fn new(text: &'a str, separator: char, escape: Option<char>) -> Parts<'a> {
        Parts { rest: Some(text), separator, escape }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let end = match self.escape {
            None => rest.find(self.separator),
            Some(escape) => {
                let mut letters = rest.char_indices();
                std::iter::from_fn(|| {
                    let found = letters.next()?;
                    if found.1 == escape {
                        letters.next();
                    }
                    Some(found)
                })
                .find(|(_, letter)| *letter == self.separator)
                .map(|(at, _)| at)
            }
        };
        self.rest = end.map(|end| &rest[end + self.separator.len_utf8()..]);
        Some(&rest[..end.unwrap_or(rest.len())])
    }
}
