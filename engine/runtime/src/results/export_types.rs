//! Conversion of results to types that other tools read, also inside lists, structs and maps: unsigned 256-bit numbers (33 bytes in
//! queries) become 32 bytes as in the lake's files, signed ones decimal digits; intervals become text, since Parquet has no matching
//! type.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StringArray, StructArray};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, IntervalUnit, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;

use quarry_types::byte_columns::fixed;
use quarry_types::interval_text::length_text;
use quarry_types::uint256::{Number, is_number, is_unsigned};
use quarry_types::{Error, ErrorCode, Result};

/// Whether a result has types that only Quarry reads.
pub(super) fn needs_conversion(schema: &Schema) -> bool {
    schema.fields().iter().any(|field| export_field(field) != *field)
}

/// The schema of converted batches.
pub(super) fn export_schema(schema: &Schema) -> SchemaRef {
    Arc::new(Schema::new(schema.fields().iter().map(export_field).collect::<Fields>()))
}

/// Converts a batch to [`export_schema`].
pub(super) fn export_batch(batch: &RecordBatch, to: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(to.fields()).map(|(column, field)| convert(column, field));
    RecordBatch::try_new(to.clone(), columns.collect::<Result<_>>()?).map_err(Error::internal)
}

fn export_field(field: &FieldRef) -> FieldRef {
    let to = match field.data_type() {
        from if is_number(from) && is_unsigned(field) => DataType::FixedSizeBinary(32),
        from if is_number(from) => {
            // The meaning of the number does not apply to text.
            return Arc::new(Field::new(field.name(), DataType::Utf8, field.is_nullable()));
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => DataType::Utf8,
        DataType::List(item) => DataType::List(export_field(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(export_field).collect()),
        DataType::Map(entries, sorted) => DataType::Map(export_field(entries), *sorted),
        _ => return field.clone(),
    };
    match to == *field.data_type() {
        true => field.clone(),
        false => Arc::new(field.as_ref().clone().with_data_type(to)),
    }
}

fn convert(column: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    match (column.data_type(), to.data_type()) {
        (from, to) if from == to => Ok(column.clone()),
        (from, DataType::Utf8) if is_number(from) => {
            let numbers = column.as_fixed_size_binary().iter().map(|row| row.map(Number::decode));
            Ok(Arc::new(numbers.map(|row| row.map(|number| number.to_string())).collect::<StringArray>()))
        }
        (from, _) if is_number(from) => unsigned_bytes(column),
        (DataType::Interval(_), _) => {
            let texts = (0..column.len()).map(|row| column.is_valid(row).then(|| length_text(column, row)).flatten());
            Ok(Arc::new(texts.collect::<StringArray>()))
        }
        (DataType::List(_), DataType::List(item)) => {
            let lists = column.as_list::<i32>();
            let items = convert(lists.values(), item)?;
            let lists = ListArray::try_new(item.clone(), lists.offsets().clone(), items, lists.nulls().cloned());
            Ok(Arc::new(lists?))
        }
        (DataType::Struct(_), DataType::Struct(fields)) => Ok(Arc::new(convert_struct(column.as_struct(), fields)?)),
        (DataType::Map(..), DataType::Map(entries, sorted)) => {
            let maps = column.as_map();
            let DataType::Struct(fields) = entries.data_type() else { return Ok(column.clone()) };
            let structs = convert_struct(maps.entries(), fields)?;
            let (offsets, nulls) = (maps.offsets().clone(), maps.nulls().cloned());
            let maps = MapArray::try_new(entries.clone(), offsets, structs, nulls, *sorted);
            Ok(Arc::new(maps?))
        }
        _ => Ok(column.clone()),
    }
}

fn convert_struct(array: &StructArray, fields: &Fields) -> Result<StructArray> {
    let columns = array.columns().iter().zip(fields).map(|(column, field)| convert(column, field));
    let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
    StructArray::try_new(fields.clone(), columns, array.nulls().cloned()).map_err(Error::internal)
}

/// 256-bit numbers as 32 bytes.
fn unsigned_bytes(column: &ArrayRef) -> Result<ArrayRef> {
    let numbers = column.as_fixed_size_binary().iter().map(|row| {
        row.map(Number::decode).map(|number| match number.is_negative() {
            true => Err(Error::new(ErrorCode::Arithmetic, "A uint256 can't be negative.")),
            false => Ok(number.magnitude().to_be_bytes::<32>().to_vec()),
        })
    });
    let rows: Vec<Option<Vec<u8>>> = numbers.map(Option::transpose).collect::<Result<_>>()?;
    fixed(32, rows).map_err(Error::internal)
}
