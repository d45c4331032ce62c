//! Tables from CSV files: separated by commas, semicolons or tabs, whichever the header has most of.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::csv::ReaderBuilder;
use arrow::csv::reader::Format;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::infer::{self, Candidate};
use super::{BATCH, check_count, invalid, names, open, places, unreadable};
use crate::check_stopped;
use crate::user_tables::{UserTable, UserTables, WriteMode};
use quarry_types::type_names::type_name;
use quarry_types::{Error, Result};

/// What may separate two values, the usual one first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// Bytes of a header that are looked at.
const LONGEST_HEADER: u64 = 1 << 20;
/// Bytes of the longest row, which is held in memory several times; results show no longer value.
const LONGEST_ROW: usize = 32 << 20;
/// Bytes of rows that are read at a time.
const AT_ONCE: usize = 32 << 20;

impl UserTables {
    /// `before` are the columns of the table that the rows are added to.
    pub(super) fn upload_csv(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        mode: WriteMode,
        before: Option<SchemaRef>,
    ) -> Result<UserTable> {
        let separator = separator(file)?;
        let batch = rows_at_once(open(file)?)?;
        let format = Format::default().with_header(true).with_delimiter(separator);
        let (header, _) = format.infer_schema(open(file)?, Some(1)).map_err(unreadable)?;
        check_count(header.fields().len())?;
        let names = names(&header);
        let to = match before {
            Some(before) => before,
            None => Arc::new(infer::schema(&names, &candidates(file, &header, separator, batch)?)),
        };
        let places = places(&names, &to)?;
        let read = in_file(&names, &places, &to)?;
        let mut writer = self.writer(schema, table, &to, mode)?;
        let reader = ReaderBuilder::new(Arc::clone(&read)).with_header(true).with_batch_size(batch);
        for batch in reader.with_delimiter(separator).build(open(file)?).map_err(unreadable)? {
            let batch = batch.map_err(|error| no_value(error, &read))?;
            writer.write(&batch.project(&places).map_err(Error::internal)?)?;
        }
        writer.finish()
    }
}

/// The columns of a file in their order, with the types of a table's.
fn in_file(names: &[String], places: &[usize], table: &SchemaRef) -> Result<SchemaRef> {
    let mut fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    for (place, field) in places.iter().zip(table.fields()) {
        if !is_read(field.data_type()) {
            let of = type_name(field.data_type(), false);
            return Err(invalid(format!("The column {} is {of}, which a CSV file has no values of.", field.name())));
        }
        fields[*place] = Field::new(field.name(), field.data_type().clone(), true);
    }
    Ok(Arc::new(Schema::new(fields)))
}

fn is_read(data_type: &DataType) -> bool {
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

/// The separator that is most frequent in the header, outside of quotes.
fn separator(file: &Path) -> Result<u8> {
    let mut header = Vec::new();
    BufReader::new(open(file)?.take(LONGEST_HEADER)).read_until(b'\n', &mut header).map_err(Error::internal)?;
    let mut counts = [0usize; SEPARATORS.len()];
    let mut quoted = false;
    for byte in header {
        quoted ^= byte == b'"';
        if let Some(place) = SEPARATORS.iter().position(|separator| *separator == byte).filter(|_| !quoted) {
            counts[place] += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or_default();
    Ok(counts.iter().position(|count| *count == most).map_or(SEPARATORS[0], |place| SEPARATORS[place]))
}

/// How many rows are read at a time, by the longest one. A quote that is not closed makes one row of all that follows.
fn rows_at_once(file: impl Read) -> Result<usize> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (mut longest, mut length, mut quoted, mut line, mut begun) = (1, 0, false, 1, 1);
    loop {
        let bytes = file.fill_buf().map_err(Error::internal)?;
        if bytes.is_empty() {
            return Ok((AT_ONCE / longest).clamp(1, BATCH));
        }
        for byte in bytes {
            length += 1;
            quoted ^= *byte == b'"';
            if *byte == b'\n' {
                line += 1;
                if !quoted {
                    (length, begun) = (0, line);
                }
            }
            longest = longest.max(length);
        }
        if longest > LONGEST_ROW {
            let size = LONGEST_ROW >> 20;
            return Err(invalid(format!(
                "The row that begins in line {begun} has more than {size} MiB; perhaps a quote is not closed."
            )));
        }
        check_stopped()?;
        let read = bytes.len();
        file.consume(read);
    }
}

/// What the columns can be by all of their values.
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
            (0..texts.len()).filter(|row| texts.is_valid(*row)).for_each(|row| candidate.see(texts.value(row)));
        }
    }
    Ok(candidates)
}

/// A value that its column can't hold, in words: the reader names types as they are called inside, and counts lines without the
/// header.
fn no_value(error: ArrowError, columns: &Schema) -> Error {
    let ArrowError::ParseError(why) = &error else { return unreadable(error) };
    let message = || {
        let (value, rest) = why.strip_prefix("Error while parsing value '")?.rsplit_once("' as type '")?;
        let (_, rest) = rest.split_once("' for column ")?;
        let (column, rest) = rest.split_once(" at line ")?;
        let line: usize = rest.split_once('.')?.0.parse().ok()?;
        let field = columns.fields().get(column.parse::<usize>().ok()?)?;
        let value: String = value.chars().take(60).collect();
        let of = type_name(field.data_type(), false);
        Some(format!("'{value}' in line {} is no {of}, as the column {} is.", line + 1, field.name()))
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
    fn long_rows_are_read_one_by_one_and_endless_ones_not_at_all() {
        assert_eq!(rows_at_once(&b"a,b\n1,2\n"[..]).unwrap(), BATCH);
        let long = format!("a\n\"{}\"\n1\n", "x\n".repeat(LONGEST_ROW / 4));
        assert_eq!(rows_at_once(long.as_bytes()).unwrap(), 1);
        let open = format!("a\n1\n\"{}", "x\n".repeat(LONGEST_ROW / 2));
        let error = rows_at_once(open.as_bytes()).unwrap_err();
        assert_eq!(error.message, "The row that begins in line 3 has more than 32 MiB; perhaps a quote is not closed.");
    }
}
