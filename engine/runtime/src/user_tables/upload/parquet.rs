//! Tables from Parquet files. A small file may unpack to gigabytes: few rows are read at a time where they are wide, and texts
//! that many rows share are not copied.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::pages::{PageSize, page_sizes};
use super::{BATCH, check_count, invalid, names, open, places, unreadable};
use crate::check_stopped;
use crate::user_tables::{UserTable, UserTables, WriteMode};
use quarry_types::foreign_columns::{engine_column, engine_schema};
use quarry_types::type_names::type_name;
use quarry_types::{Error, Result};

/// Bytes of rows that are unpacked at a time.
const AT_ONCE: usize = 32 << 20;
/// How many times its size a column may unpack to, where that is more than [`AT_ONCE`].
const MOST_TIMES: u64 = 50;
/// Bytes of the largest page, which is unpacked as a whole. Writers make pages of a megabyte.
const LARGEST_PAGE: u64 = 128 << 20;
/// Bytes that the lists of a row group may have together.
const LARGEST_LISTS: u64 = 256 << 20;

impl UserTables {
    /// `before` are the columns of the table that the rows are added to.
    pub(super) fn upload_parquet(
        &self,
        schema: &str,
        table: &str,
        file: &Path,
        mode: WriteMode,
        before: Option<SchemaRef>,
    ) -> Result<UserTable> {
        let file = open(file)?;
        let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(unreadable)?;
        check_count(footer.schema().fields().len())?;
        let batch = rows_at_once(&file, footer.metadata())?;
        // What another tool noted about the file is not kept.
        let viewed: SchemaRef = Arc::new(Schema::new(footer.schema().fields().iter().map(viewed).collect::<Fields>()));
        let options = ArrowReaderOptions::new().with_schema(Arc::clone(&viewed));
        let footer = ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), options).map_err(unreadable)?;
        let read = engine_schema(&viewed);
        let to = before.unwrap_or_else(|| Arc::clone(&read));
        let places = places(&names(&read), &to)?;
        for (place, field) in places.iter().zip(to.fields()) {
            check_type(read.field(*place), field)?;
        }
        let mut writer = self.writer(schema, table, &to, mode)?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer).with_batch_size(batch);
        for batch in reader.build().map_err(unreadable)? {
            for rows in parts(batch.map_err(unreadable)?) {
                let column = |(place, field): (&usize, &FieldRef)| engine_column(rows.column(*place), field);
                let columns = places.iter().zip(to.fields()).map(column);
                let columns = columns.collect::<datafusion::common::Result<Vec<ArrayRef>>>().map_err(|error| {
                    invalid("A value of the file is beyond what its column can hold.".to_string()).because(error)
                })?;
                writer.write(&RecordBatch::try_new(Arc::clone(&to), columns).map_err(Error::internal)?)?;
            }
        }
        writer.finish()
    }
}

/// Texts and bytes as views of what the file has once for many rows.
fn viewed(field: &FieldRef) -> FieldRef {
    let to = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::List(item) => DataType::List(viewed(item)),
        DataType::LargeList(item) => DataType::LargeList(viewed(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(viewed).collect()),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(to))
}

/// How many rows are read at a time, by the widest values of each column. Refuses columns and pages that unpack to more than
/// memory may be taken for. The footer counts for nothing here: an upload may have been written to lie.
fn rows_at_once(file: &File, footer: &ParquetMetaData) -> Result<usize> {
    let mut widest = 1;
    for group in footer.row_groups() {
        let (mut width, mut nested) = (0, 0);
        for column in group.columns() {
            check_stopped()?;
            let pages = pages_of(file, column)?;
            let unpacked: u64 = pages.iter().map(|page| page.unpacked).sum();
            if column.column_descr().max_rep_level() > 0 {
                nested += unpacked;
            }
            // Values of a dictionary are not copied.
            let data = pages.iter().filter(|page| page.values > 0);
            width += data.map(|page| page.unpacked / page.values).max().unwrap_or(0);
        }
        // A row has any number of the values of a list, so all of them may come at once.
        if nested > LARGEST_LISTS {
            let size = LARGEST_LISTS >> 20;
            return Err(invalid(format!(
                "The lists of a row group unpack to more than {size} MiB; write the file with fewer rows in a group."
            )));
        }
        widest = widest.max(width);
    }
    Ok((AT_ONCE / usize::try_from(widest).unwrap_or(AT_ONCE)).clamp(1, BATCH))
}

/// The pages of a column of a row group.
fn pages_of(file: &File, column: &ColumnChunkMetaData) -> Result<Vec<PageSize>> {
    let name = column.column_path();
    let pages = page_sizes(file, column)?;
    let pages = pages.ok_or_else(|| unreadable(ArrowError::ParquetError("a page has no header".to_string())))?;
    let unpacked: u64 = pages.iter().map(|page| page.unpacked).sum();
    let packed: u64 = pages.iter().map(|page| page.packed).sum();
    if unpacked > AT_ONCE as u64 && unpacked / MOST_TIMES > packed {
        return Err(invalid(format!(
            "The column {name} unpacks to more than {MOST_TIMES} times its size; write the file with a dictionary, or with fewer \
             rows in a group."
        )));
    }
    if pages.iter().any(|page| page.unpacked > LARGEST_PAGE) {
        let size = LARGEST_PAGE >> 20;
        return Err(invalid(format!(
            "A page of the column {name} unpacks to more than {size} MiB; write the file with smaller pages."
        )));
    }
    Ok(pages)
}

/// Rows with no more than so much text each, as far as rows can be parted: views are copied where a table has plain texts.
fn parts(rows: RecordBatch) -> Vec<RecordBatch> {
    let bytes: usize = rows.columns().iter().map(seen).sum();
    if bytes <= AT_ONCE || rows.num_rows() <= 1 {
        return vec![rows];
    }
    let half = rows.num_rows() / 2;
    let (first, second) = (rows.slice(0, half), rows.slice(half, rows.num_rows() - half));
    parts(first).into_iter().chain(parts(second)).collect()
}

/// Bytes of the texts that a column of views shows.
fn seen(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Utf8View => column.as_string_view().lengths().map(|length| length as usize).sum(),
        DataType::BinaryView => column.as_binary_view().lengths().map(|length| length as usize).sum(),
        _ => 0,
    }
}

/// Whether a column of a file fits one of a table: it has its type, or both hold whole numbers, or texts, or bytes.
fn check_type(read: &Field, to: &Field) -> Result<()> {
    let (from, own) = (read.data_type(), to.data_type());
    let whole = |of: &DataType| of.is_integer();
    let text = |of: &DataType| matches!(of, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let bytes = |of: &DataType| matches!(of, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    if from == own || [whole, text, bytes].iter().any(|kind| kind(from) && kind(own)) {
        return Ok(());
    }
    Err(invalid(format!(
        "The column {} is {} in the file and {} in the table.",
        to.name(),
        type_name(from, false),
        type_name(own, false)
    )))
}
