//! Creates tables from uploaded files: CSV with a header row, or Parquet.

mod csv;
mod infer;
mod page_headers;
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
    /// Creates a table from a file, or appends its rows to a table with the same columns, by name in any order. Blocks until the
    /// whole file is read.
    pub fn upload(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        format: UploadFormat,
        mode: WriteMode,
    ) -> Result<UserTable> {
        let existing = match mode {
            WriteMode::Append => Some(self.get(schema, table)?.arrow),
            WriteMode::Create | WriteMode::Replace => None,
        };
        match format {
            UploadFormat::Csv => self.upload_csv(schema, table, file, mode, existing),
            UploadFormat::Parquet => self.upload_parquet(schema, table, file, mode, existing),
        }
    }
}

/// For each column of a table its index in a file.
fn column_indices(names: &[String], table: &SchemaRef) -> Result<Vec<usize>> {
    let same = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
    if let Some(name) = names.iter().find(|name| !table.fields().iter().any(|field| same(name, field.name()))) {
        return Err(invalid(format!("The table has no column {name}.")));
    }
    let index = |field: &str| {
        let mut all = names.iter().enumerate().filter(|(_, name)| same(name, field));
        match (all.next(), all.next()) {
            (Some((index, _)), None) => Ok(index),
            (None, _) => Err(invalid(format!("The file has no column {field}."))),
            (Some(_), Some(_)) => Err(invalid(format!("The file has the column {field} twice."))),
        }
    };
    table.fields().iter().map(|field| index(field.name())).collect()
}

/// The column names of a file.
fn column_names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().trim_start_matches('\u{feff}').trim().to_string()).collect()
}

fn check_count(columns: usize) -> Result<()> {
    if columns > MAX_COLUMNS {
        return Err(invalid(format!("The file has more than {MAX_COLUMNS} columns.")));
    }
    Ok(())
}

fn open(file: &Path) -> Result<File> {
    Ok(File::open(file)?)
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}

fn unreadable<E: Into<ArrowError>>(error: E) -> Error {
    let error: ArrowError = error.into();
    let why = match &error {
        ArrowError::CsvError(why) | ArrowError::ParseError(why) => why.clone(),
        _ => "it is damaged or has a different format".to_string(),
    };
    invalid(format!("The file can't be read: {why}.")).because(error)
}
