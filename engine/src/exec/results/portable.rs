//! Results as other tools can read them: 256-bit numbers, which have 33 bytes in queries, as the 32 bytes of the lake's
//! files where they are known to be unsigned, and as their digits otherwise.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;

use crate::error::{Error, ErrorCode, Result};
use crate::functions::bytes::fixed;
use crate::functions::uint256::{Number, is_number, is_unsigned};

/// Whether a result has columns that only Quarry reads.
pub(super) fn is_needed(schema: &Schema) -> bool {
    schema.fields().iter().any(|field| is_number(field.data_type()))
}

/// The schema of the converted batches.
pub(super) fn schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| match is_number(field.data_type()) {
        true if is_unsigned(field) => Arc::new(field.as_ref().clone().with_data_type(DataType::FixedSizeBinary(32))),
        true => Arc::new(Field::new(field.name(), DataType::Utf8, field.is_nullable())),
        false => field.clone(),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// A batch under [`schema`].
pub(super) fn batch(batch: &RecordBatch, to: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(to.fields()).map(|(column, field)| match is_number(column.data_type()) {
        true => converted(column, field),
        false => Ok(column.clone()),
    });
    RecordBatch::try_new(to.clone(), columns.collect::<Result<_>>()?).map_err(Error::internal)
}

fn converted(column: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    let numbers = column.as_fixed_size_binary().iter().map(|row| row.map(Number::decode));
    if to.data_type() == &DataType::Utf8 {
        return Ok(Arc::new(numbers.map(|row| row.map(|number| number.to_string())).collect::<StringArray>()));
    }
    let stored = numbers.map(|row| {
        row.map(|number| match number.is_negative() {
            true => Err(Error::new(ErrorCode::Arithmetic, "A uint256 can't be below zero.")),
            false => Ok(number.magnitude().to_be_bytes::<32>().to_vec()),
        })
    });
    let rows: Vec<Option<Vec<u8>>> = stored.map(Option::transpose).collect::<Result<_>>()?;
    fixed(32, rows).map_err(Error::internal)
}
