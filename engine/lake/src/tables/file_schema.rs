//! The schema of files, where it differs from the schema in memory: lists have items of variable length in place of fixed-size
//! bytes, because pandas can't read those (apache/arrow#37517: "Not implemented type for Arrow list to pandas"). The test
//! `pandas_reads_no_lists_of_fixed_size_bytes` fails once it can. Files of older versions have the types in memory.

use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow::error::ArrowError;
use parquet::basic::Type as PhysicalType;
use parquet::file::metadata::ParquetMetaData;

use super::Table;

impl Table {
    /// Schema of newly written files.
    pub(crate) fn file_schema(self) -> SchemaRef {
        Arc::new(Schema::new(self.schema().fields().iter().map(file_field).collect::<Fields>()))
    }

    /// Casts rows of a file to the schema in memory. Columns that the file lacks are null.
    ///
    /// # Errors
    /// The rows can't be converted to the columns of this table.
    pub fn read_rows(self, stored: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        conform(stored, &self.schema())
    }
}

/// Casts rows to a schema. Missing columns are null.
pub(crate) fn conform(rows: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let exact = CastOptions { safe: false, ..CastOptions::default() };
    let column = |field: &FieldRef| match rows.column_by_name(field.name()) {
        Some(column) => cast_with_options(column, field.data_type(), &exact),
        None => Ok(new_null_array(field.data_type(), rows.num_rows())),
    };
    let columns = schema.fields().iter().map(column).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), columns)
}

/// Whether a file has lists of fixed-size bytes, as in older versions.
pub(crate) fn has_fixed_items(footer: &ParquetMetaData) -> bool {
    footer.file_metadata().schema_descr().columns().iter().any(|leaf| {
        let is_item = leaf.path().parts().iter().rev().nth(1).is_some_and(|parent| parent == "list");
        is_item && leaf.physical_type() == PhysicalType::FIXED_LEN_BYTE_ARRAY
    })
}

/// The field of a column in new files.
fn file_field(field: &FieldRef) -> FieldRef {
    let to = match field.data_type() {
        DataType::List(item) => DataType::List(file_item_field(&file_field(item))),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(file_field).collect()),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(to))
}

/// The field of list items in new files.
fn file_item_field(item: &FieldRef) -> FieldRef {
    match item.data_type() {
        DataType::FixedSizeBinary(_) => Arc::new(Field::clone(item).with_data_type(DataType::Binary)),
        _ => Arc::clone(item),
    }
}
