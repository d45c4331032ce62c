//! A table from a file that somebody uploads: CSV with a header row, or Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::csv::ReaderBuilder;
use arrow::csv::reader::Format;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::infer::{self, Candidate};
use super::{UserTable, UserTables, WriteMode};
use crate::error::{Error, ErrorCode, Result};

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
    /// Makes a table of a file. Reads the whole file on the calling thread.
    pub fn upload(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        format: UploadFormat,
        mode: WriteMode,
    ) -> Result<UserTable> {
        match format {
            UploadFormat::Csv => self.upload_csv(schema, table, file, mode),
            UploadFormat::Parquet => self.upload_parquet(schema, table, file, mode),
        }
    }

    fn upload_csv(&self, schema: &str, table: &str, file: &Path, mode: WriteMode) -> Result<UserTable> {
        let arrow = csv_schema(file)?;
        let mut writer = self.writer(schema, table, &arrow, mode)?;
        let reader = ReaderBuilder::new(Arc::clone(&arrow)).with_header(true).with_batch_size(BATCH);
        for batch in reader.build(open(file)?).map_err(unreadable)? {
            writer.write(&batch.map_err(unreadable)?)?;
        }
        writer.finish()
    }

    fn upload_parquet(&self, schema: &str, table: &str, file: &Path, mode: WriteMode) -> Result<UserTable> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(open(file)?).map_err(unreadable)?;
        let fields = reader.schema().fields().clone();
        check_count(fields.len())?;
        // What another tool noted about the file is not kept.
        let arrow: SchemaRef = Arc::new(Schema::new(fields));
        let mut writer = self.writer(schema, table, &arrow, mode)?;
        for batch in reader.with_batch_size(BATCH).build().map_err(unreadable)? {
            writer.write(&batch.map_err(unreadable)?)?;
        }
        writer.finish()
    }
}

/// Names from the header row, types from every value.
fn csv_schema(file: &Path) -> Result<SchemaRef> {
    let (header, _) = Format::default().with_header(true).infer_schema(open(file)?, Some(1)).map_err(unreadable)?;
    check_count(header.fields().len())?;
    let names: Vec<String> =
        header.fields().iter().map(|field| field.name().trim_start_matches('\u{feff}').trim().to_string()).collect();
    let texts = header.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
    let texts: SchemaRef = Arc::new(Schema::new(texts.collect::<Vec<_>>()));
    let mut candidates = vec![Candidate::default(); names.len()];
    let reader = ReaderBuilder::new(texts).with_header(true).with_batch_size(BATCH);
    for batch in reader.build(open(file)?).map_err(unreadable)? {
        let batch = batch.map_err(unreadable)?;
        for (column, candidate) in batch.columns().iter().zip(&mut candidates) {
            let texts = column.as_string::<i32>();
            (0..texts.len()).filter(|row| texts.is_valid(*row)).for_each(|row| candidate.see(texts.value(row)));
        }
    }
    Ok(Arc::new(infer::schema(&names, &candidates)))
}

fn check_count(columns: usize) -> Result<()> {
    if columns > MAX_COLUMNS {
        return Err(Error::new(ErrorCode::InvalidInput, format!("The file has more than {MAX_COLUMNS} columns.")));
    }
    Ok(())
}

fn open(file: &Path) -> Result<File> {
    File::open(file).map_err(Error::internal)
}

fn unreadable<E: Into<ArrowError>>(error: E) -> Error {
    let error: ArrowError = error.into();
    let why = match &error {
        ArrowError::CsvError(why) | ArrowError::ParseError(why) => why.clone(),
        _ => "it is damaged or of another format".to_string(),
    };
    Error::new(ErrorCode::InvalidInput, format!("The file can't be read: {why}.")).because(error)
}
