//! Tables from CSV files. The separator is a comma, semicolon or tab, whichever is most frequent in the header.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::csv::ReaderBuilder;
use arrow::csv::reader::Format;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::infer::{self, Candidate};
use super::{BATCH, check_count, column_indices, column_names, invalid, open, unreadable};
use crate::check_stopped;
use crate::user_tables::{UserTable, UserTables, WriteMode};
use quarry_types::type_names::type_name;
use quarry_types::{Error, Result};

/// Possible separators, the default first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// Bytes of a header that are searched for the separator.
const MAX_HEADER: u64 = 1 << 20;
/// Bytes of a row, of which memory has several copies. Results have the same limit.
const MAX_ROW: usize = 32 << 20;
/// Bytes of a batch.
const BATCH_BYTES: usize = 32 << 20;

impl UserTables {
    /// `existing` are the columns of the table that the rows are appended to.
    pub(super) fn upload_csv(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        mode: WriteMode,
        existing: Option<SchemaRef>,
    ) -> Result<UserTable> {
        let separator = separator(file)?;
        let batch = batch_rows(open(file)?)?;
        let format = Format::default().with_header(true).with_delimiter(separator);
        let (header, _) = format.infer_schema(open(file)?, Some(1)).map_err(unreadable)?;
        check_count(header.fields().len())?;
        let names = column_names(&header);
        let to = match existing {
            Some(existing) => existing,
            None => Arc::new(infer::schema(&names, &candidates(file, &header, separator, batch)?)),
        };
        let indices = column_indices(&names, &to)?;
        let file_schema = file_schema(&names, &indices, &to)?;
        let mut writer = self.writer(schema, table, &to, mode)?;
        let reader = ReaderBuilder::new(Arc::clone(&file_schema)).with_header(true).with_batch_size(batch);
        for batch in reader.with_delimiter(separator).build(open(file)?).map_err(unreadable)? {
            let batch = batch.map_err(|error| invalid_value(error, &file_schema))?;
            writer.write(&batch.project(&indices)?)?;
        }
        writer.finish()
    }
}

/// The columns of a file in their order, with the types of a table.
fn file_schema(names: &[String], indices: &[usize], table: &SchemaRef) -> Result<SchemaRef> {
    let mut fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    for (index, field) in indices.iter().zip(table.fields()) {
        if !is_supported(field.data_type()) {
            let name = type_name(field.data_type(), false);
            return Err(invalid(format!(
                "The column {} has type {name}, which is not supported in CSV files.",
                field.name()
            )));
        }
        fields[*index] = Field::new(field.name(), field.data_type().clone(), true);
    }
    Ok(Arc::new(Schema::new(fields)))
}

fn is_supported(data_type: &DataType) -> bool {
    data_type.is_numeric()
        || matches!(
            data_type,
            DataType::Boolean
                | DataType::Utf8
                | DataType::Utf8View
                | DataType::LargeUtf8
                | DataType::Date32
                | DataType::Timestamp(..)
        )
}

/// The most frequent separator in the header, outside quotes.
fn separator(file: &Path) -> Result<u8> {
    let mut header = Vec::new();
    BufReader::new(open(file)?.take(MAX_HEADER)).read_until(b'\n', &mut header)?;
    let mut counts = [0usize; SEPARATORS.len()];
    let mut quoted = false;
    for byte in header {
        quoted ^= byte == b'"';
        if let Some(index) = SEPARATORS.iter().position(|separator| *separator == byte).filter(|_| !quoted) {
            counts[index] += 1;
        }
    }
    let max = counts.iter().max().copied().unwrap_or_default();
    Ok(counts.iter().position(|count| *count == max).map_or(SEPARATORS[0], |index| SEPARATORS[index]))
}

/// Rows of a batch, by the longest row. After an unclosed quote, the rest of the file is one row.
fn batch_rows(file: impl Read) -> Result<usize> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (mut longest, mut length, mut quoted, mut line, mut start_line) = (1, 0, false, 1, 1);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok((BATCH_BYTES / longest).clamp(1, BATCH));
        }
        for byte in bytes {
            length += 1;
            quoted ^= *byte == b'"';
            if *byte == b'\n' {
                line += 1;
                if !quoted {
                    (length, start_line) = (0, line);
                }
            }
            longest = longest.max(length);
        }
        if longest > MAX_ROW {
            let size = MAX_ROW >> 20;
            return Err(invalid(format!(
                "The row that starts on line {start_line} is larger than {size} MiB; a closing quote may be missing."
            )));
        }
        check_stopped()?;
        let read = bytes.len();
        file.consume(read);
    }
}

/// The possible types of the columns, from all values.
fn candidates(file: &Path, header: &Schema, separator: u8, batch: usize) -> Result<Vec<Candidate>> {
    let texts = header.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
    let texts: SchemaRef = Arc::new(Schema::new(texts.collect::<Vec<_>>()));
    let mut candidates = vec![Candidate::default(); texts.fields().len()];
    let reader = ReaderBuilder::new(texts).with_header(true).with_batch_size(batch).with_delimiter(separator);
    for batch in reader.build(open(file)?).map_err(unreadable)? {
        let batch = batch.map_err(unreadable)?;
        check_stopped()?;
        for (column, candidate) in batch.columns().iter().zip(&mut candidates) {
            let texts = column.as_string::<i32>();
            (0..texts.len()).filter(|row| texts.is_valid(*row)).for_each(|row| candidate.add(texts.value(row)));
        }
    }
    Ok(candidates)
}

/// The error of a value that does not fit its column. The message of the reader has Arrow types, and line numbers without the header.
fn invalid_value(error: ArrowError, columns: &Schema) -> Error {
    let ArrowError::ParseError(why) = &error else { return unreadable(error) };
    let message = || {
        let (value, rest) = why.strip_prefix("Error while parsing value '")?.rsplit_once("' as type '")?;
        let (_, rest) = rest.split_once("' for column ")?;
        let (column, rest) = rest.split_once(" at line ")?;
        let line: usize = rest.split_once('.')?.0.parse().ok()?;
        let field = columns.fields().get(column.parse::<usize>().ok()?)?;
        let value: String = value.chars().take(60).collect();
        let name = type_name(field.data_type(), false);
        Some(format!("'{value}' on line {} is not a valid {name} for the column {}.", line + 1, field.name()))
    };
    match message() {
        Some(message) => invalid(message).because(error),
        None => unreadable(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_make_small_batches_and_too_long_ones_fail() {
        assert_eq!(batch_rows(&b"a,b\n1,2\n"[..]).unwrap(), BATCH);
        let long = format!("a\n\"{}\"\n1\n", "x\n".repeat(MAX_ROW / 4));
        assert_eq!(batch_rows(long.as_bytes()).unwrap(), 1);
        let open = format!("a\n1\n\"{}", "x\n".repeat(MAX_ROW / 2));
        let error = batch_rows(open.as_bytes()).unwrap_err();
        assert_eq!(
            error.message,
            "The row that starts on line 3 is larger than 32 MiB; a closing quote may be missing."
        );
    }
}
