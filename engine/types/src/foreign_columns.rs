//! Columns of files that other tools wrote in the engine's types: times in microseconds, those with a zone in UTC, and unsigned 64-bit
//! numbers as decimals. Otherwise they would be compared and truncated in their own zone and range.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit, TimestampNanosecondType};
use datafusion::common::Result;

use crate::uint256::{is_number, is_signed, is_unsigned};

/// Digits of the largest 64-bit number without a sign.
const DIGITS: u8 = 20;

/// The columns of a file as those of a table.
pub fn engine_schema(schema: &Schema) -> SchemaRef {
    Arc::new(Schema::new(schema.fields().iter().map(engine_field).collect::<Fields>()))
}

/// Converts a column of a file to a field of [`engine_schema`]. A time out of the range of microseconds is an error.
pub fn engine_column(column: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    match (column.data_type(), to.data_type()) {
        (from, to) if from == to => Ok(Arc::clone(column)),
        // The cast rounds times before 1970 up.
        (DataType::Timestamp(TimeUnit::Nanosecond, _), DataType::Timestamp(_, zone)) => {
            let times = column.as_primitive::<TimestampNanosecondType>();
            let times: TimestampMicrosecondArray = times.unary(|nanos| nanos.div_euclid(1_000));
            Ok(Arc::new(times.with_timezone_opt(zone.clone())))
        }
        (_, to) => Ok(cast_with_options(column, to, &options)?),
    }
}

/// The field of a file as that of a table.
pub fn engine_field(field: &FieldRef) -> FieldRef {
    let to = match field.data_type() {
        DataType::Timestamp(_, zone) => {
            DataType::Timestamp(TimeUnit::Microsecond, zone.as_ref().map(|_| Arc::from("UTC")))
        }
        DataType::UInt64 => DataType::Decimal128(DIGITS, 0),
        // 33 bytes of another tool are no 256-bit number.
        from if is_number(from) && !is_unsigned(field) && !is_signed(field) => DataType::Binary,
        DataType::List(item) => DataType::List(engine_field(item)),
        DataType::LargeList(item) => DataType::LargeList(engine_field(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(engine_field).collect()),
        _ => return Arc::clone(field),
    };
    match to == *field.data_type() {
        true => Arc::clone(field),
        false => Arc::new(field.as_ref().clone().with_data_type(to)),
    }
}
