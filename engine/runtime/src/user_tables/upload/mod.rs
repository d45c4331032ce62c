//! A table from a file that somebody uploads: CSV with a header row, or Parquet.

mod csv;
mod infer;
mod pages;
mod parquet;

use std::fs::File;
use std::path::Path;

use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;

use super::{UserTable, UserTables, WriteMode};
use quarry_types::{Error, ErrorCode, Result};

/// Rows that are read and written at a time.
const BATCH: usize = 8_192;
/// Columns that a file may have.
const MAX_COLUMNS: usize = 1_000;

/// Format of an uploaded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadFormat {
    Csv,
    Parquet,
}

impl UserTables {
    /// Makes a table of a file, or adds its rows to one, whose columns it has by name in any order. Reads the whole file on the
    /// calling thread.
    pub fn upload(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        format: UploadFormat,
        mode: WriteMode,
    ) -> Result<UserTable> {
        let before = match mode {
            WriteMode::Append => Some(self.get(schema, table)?.arrow),
            WriteMode::Create | WriteMode::Replace => None,
        };
        match format {
            UploadFormat::Csv => self.upload_csv(schema, table, file, mode, before),
            UploadFormat::Parquet => self.upload_parquet(schema, table, file, mode, before),
        }
    }
}

/// For each column of a table its place in a file.
fn places(names: &[String], table: &SchemaRef) -> Result<Vec<usize>> {
    let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
    if let Some(name) = names.iter().find(|name| !table.fields().iter().any(|field| is(name, field.name()))) {
        return Err(invalid(format!("The table has no column {name}.")));
    }
    let place = |field: &str| {
        let mut all = names.iter().enumerate().filter(|(_, name)| is(name, field));
        match (all.next(), all.next()) {
            (Some((place, _)), None) => Ok(place),
            (None, _) => Err(invalid(format!("The file has no column {field}."))),
            (Some(_), Some(_)) => Err(invalid(format!("The file has the column {field} twice."))),
        }
    };
    table.fields().iter().map(|field| place(field.name())).collect()
}

/// The names of the columns of a file.
fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().trim_start_matches('\u{feff}').trim().to_string()).collect()
}

fn check_count(columns: usize) -> Result<()> {
    if columns > MAX_COLUMNS {
        return Err(invalid(format!("The file has more than {MAX_COLUMNS} columns.")));
    }
    Ok(())
}

fn open(file: &Path) -> Result<File> {
    File::open(file).map_err(Error::internal)
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}

fn unreadable<E: Into<ArrowError>>(error: E) -> Error {
    let error: ArrowError = error.into();
    let why = match &error {
        ArrowError::CsvError(why) | ArrowError::ParseError(why) => why.clone(),
        _ => "it is damaged or of another format".to_string(),
    };
    invalid(format!("The file can't be read: {why}.")).because(error)
}
