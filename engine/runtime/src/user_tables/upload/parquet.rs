//! Tables from Parquet files. A small file may decompress to gigabytes, so wide rows are read in small batches, and shared strings
//! are not copied.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::page_headers::{PageSize, page_sizes};
use super::{BATCH, check_count, column_indices, column_names, invalid, open, unreadable};
use crate::check_stopped;
use crate::user_tables::{UserTable, UserTables, WriteMode};
use quarry_types::Result;
use quarry_types::foreign_columns::{engine_column, engine_schema};
use quarry_types::type_names::type_name;

/// Decompressed bytes of a batch.
const BATCH_BYTES: usize = 32 << 20;
/// Largest compression ratio of columns above [`BATCH_BYTES`].
const MAX_RATIO: u64 = 50;
/// Bytes of a page, which is decompressed as a whole. Writers make pages of a megabyte.
const MAX_PAGE: u64 = 128 << 20;
/// Bytes of all lists of a row group.
const MAX_LISTS: u64 = 256 << 20;

impl UserTables {
    /// `existing` are the columns of the table that the rows are appended to.
    pub(super) fn upload_parquet(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        mode: WriteMode,
        existing: Option<SchemaRef>,
    ) -> Result<UserTable> {
        let file = open(file)?;
        let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(unreadable)?;
        check_count(footer.schema().fields().len())?;
        let batch = batch_rows(&file, footer.metadata())?;
        // Drops the metadata of other tools.
        let view_schema = Schema::new(footer.schema().fields().iter().map(with_views).collect::<Fields>());
        let view_schema: SchemaRef = Arc::new(view_schema);
        let options = ArrowReaderOptions::new().with_schema(Arc::clone(&view_schema));
        let footer = ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), options).map_err(unreadable)?;
        let read = engine_schema(&view_schema);
        let to = existing.unwrap_or_else(|| Arc::clone(&read));
        let indices = column_indices(&column_names(&read), &to)?;
        for (index, field) in indices.iter().zip(to.fields()) {
            check_type(read.field(*index), field)?;
        }
        let mut writer = self.writer(schema, table, &to, mode)?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer).with_batch_size(batch);
        for batch in reader.build().map_err(unreadable)? {
            for rows in split_batch(batch.map_err(unreadable)?) {
                let column = |(index, field): (&usize, &FieldRef)| engine_column(rows.column(*index), field);
                let columns = indices.iter().zip(to.fields()).map(column);
                let columns = columns.collect::<datafusion::common::Result<Vec<ArrayRef>>>().map_err(|error| {
                    invalid("A value in the file is out of range for its column.".to_string()).because(error)
                })?;
                writer.write(&RecordBatch::try_new(Arc::clone(&to), columns)?)?;
            }
        }
        writer.finish()
    }
}

/// Reads strings and bytes as views, which many rows may share.
fn with_views(field: &FieldRef) -> FieldRef {
    let to = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::List(item) => DataType::List(with_views(item)),
        DataType::LargeList(item) => DataType::LargeList(with_views(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(with_views).collect()),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(to))
}

/// Rows of a batch, by the widest values of each column. Refuses columns and pages that decompress to too much memory. The footer is
/// not used: an upload may be malicious.
fn batch_rows(file: &File, footer: &ParquetMetaData) -> Result<usize> {
    let mut widest = 1;
    for group in footer.row_groups() {
        let (mut width, mut nested) = (0, 0);
        for column in group.columns() {
            check_stopped()?;
            let pages = pages_of(file, column)?;
            let uncompressed: u64 = pages.iter().map(|page| page.uncompressed).sum();
            if column.column_descr().max_rep_level() > 0 {
                nested += uncompressed;
            }
            // Values of dictionaries are not copied.
            let data = pages.iter().filter(|page| page.values > 0);
            width += data.map(|page| page.uncompressed / page.values).max().unwrap_or(0);
        }
        // A single row may have all the items of a list.
        if nested > MAX_LISTS {
            let size = MAX_LISTS >> 20;
            return Err(invalid(format!(
                "The lists of a row group decompress to more than {size} MiB; write the file with fewer rows per row \
                 group."
            )));
        }
        widest = widest.max(width);
    }
    Ok((BATCH_BYTES / usize::try_from(widest).unwrap_or(BATCH_BYTES)).clamp(1, BATCH))
}

/// The pages of a column of a row group.
fn pages_of(file: &File, column: &ColumnChunkMetaData) -> Result<Vec<PageSize>> {
    let name = column.column_path();
    let pages = page_sizes(file, column)?;
    let pages = pages.ok_or_else(|| unreadable(ArrowError::ParquetError("a page has no header".to_string())))?;
    let uncompressed: u64 = pages.iter().map(|page| page.uncompressed).sum();
    let compressed: u64 = pages.iter().map(|page| page.compressed).sum();
    if uncompressed > BATCH_BYTES as u64 && uncompressed / MAX_RATIO > compressed {
        return Err(invalid(format!(
            "The column {name} decompresses to more than {MAX_RATIO} times its size; write the file with a \
             dictionary, or with fewer rows per row group."
        )));
    }
    if pages.iter().any(|page| page.uncompressed > MAX_PAGE) {
        let size = MAX_PAGE >> 20;
        return Err(invalid(format!(
            "A page of the column {name} decompresses to more than {size} MiB; write the file with smaller pages."
        )));
    }
    Ok(pages)
}

/// Splits a batch until its strings fit into [`BATCH_BYTES`]: views are copied to tables without views.
fn split_batch(rows: RecordBatch) -> Vec<RecordBatch> {
    let bytes: usize = rows.columns().iter().map(view_bytes).sum();
    if bytes <= BATCH_BYTES || rows.num_rows() <= 1 {
        return vec![rows];
    }
    let half = rows.num_rows() / 2;
    let (first, second) = (rows.slice(0, half), rows.slice(half, rows.num_rows() - half));
    split_batch(first).into_iter().chain(split_batch(second)).collect()
}

/// Bytes of the values of a column of views.
fn view_bytes(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Utf8View => column.as_string_view().lengths().map(|length| length as usize).sum(),
        DataType::BinaryView => column.as_binary_view().lengths().map(|length| length as usize).sum(),
        _ => 0,
    }
}

/// Checks that a column of a file fits one of a table: the same type, or both integers, strings or bytes.
fn check_type(read: &Field, to: &Field) -> Result<()> {
    let (from, expected) = (read.data_type(), to.data_type());
    let whole = |data_type: &DataType| data_type.is_integer();
    let text = |data_type: &DataType| matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let bytes =
        |data_type: &DataType| matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    if from == expected || [whole, text, bytes].iter().any(|kind| kind(from) && kind(expected)) {
        return Ok(());
    }
    Err(invalid(format!(
        "The column {} is {} in the file and {} in the table.",
        to.name(),
        type_name(from, false),
        type_name(expected, false)
    )))
}
