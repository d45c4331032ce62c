//! Columns of a batch as JavaScript reads them: a value at a time, or a whole column as a typed array.
//!
//! Whole numbers of 64 bits and more are BigInts, smaller ones and fractions Numbers; decimals with a fraction are text, so
//! that no digit is lost; addresses, hashes and bytes are `0x…`; times are milliseconds since 1970.

use std::sync::Arc;

use alloy_primitives::U256;
use alloy_primitives::aliases::U512;
use arrow::array::{Array as _, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Decimal128Type, Decimal256Type, Field, Fields, Float64Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType,
};
use rquickjs::{Array, Atom, Ctx, Object, TypedArray, Value};

use super::codec::Codec;
use quarry_types::cell::trim_decimal;
use quarry_types::uint256::{Number, is_number, is_stored};
use quarry_types::{Error, Result};

/// A batch whose columns are of the few types that [`cell`] knows. It holds nothing of JavaScript.
pub(super) struct Columns {
    pub fields: Fields,
    pub arrays: Vec<ArrayRef>,
    pub rows: usize,
}

/// Brings a column to one of these types; on any thread.
fn to_simple_type(array: &ArrayRef) -> Result<ArrayRef> {
    let to = match array.data_type() {
        DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 => DataType::Int32,
        DataType::UInt32 | DataType::Float16 | DataType::Float32 => DataType::Float64,
        DataType::UInt64 => DataType::Decimal128(20, 0),
        DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale) => {
            DataType::Decimal128(*precision, *scale)
        }
        DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => {
            DataType::Timestamp(TimeUnit::Microsecond, None)
        }
        DataType::LargeBinary | DataType::BinaryView => DataType::Binary,
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => DataType::List(Arc::clone(item)),
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::Null
        | DataType::Boolean
        | DataType::Int32
        | DataType::Int64
        | DataType::Float64
        | DataType::Decimal128(..)
        | DataType::Decimal256(..)
        | DataType::Utf8
        | DataType::Binary
        | DataType::FixedSizeBinary(_)
        | DataType::List(_)
        | DataType::Struct(_) => return Ok(Arc::clone(array)),
        _ => DataType::Utf8,
    };
    cast(array, &to).map_err(Error::internal)
}

impl Columns {
    /// The columns of a batch; fails for a type that can't be brought to one of the few.
    pub fn new(batch: &RecordBatch) -> Result<Columns> {
        let arrays = batch.columns().iter().map(to_simple_type).collect::<Result<_>>()?;
        Ok(Columns { fields: batch.schema_ref().fields().clone(), arrays, rows: batch.num_rows() })
    }

    /// The names of the columns as a scope knows them.
    pub fn names<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Vec<Atom<'js>>> {
        self.fields.iter().map(|field| Atom::from_str(ctx.clone(), field.name())).collect()
    }

    /// One row as an object without a prototype, so that a column may have any name.
    pub fn row<'js>(&self, codec: &Codec<'js>, names: &[Atom<'js>], row: usize) -> rquickjs::Result<Object<'js>> {
        let object = Object::new_proto(codec.ctx().clone(), None)?;
        for ((name, array), field) in names.iter().zip(&self.arrays).zip(&self.fields) {
            object.set(name.clone(), cell(codec, array, field, row)?)?;
        }
        Ok(object)
    }

    /// A column as an array: of 32 and 64 bits, doubles and times without a null as a typed one.
    pub fn column<'js>(&self, codec: &Codec<'js>, at: usize) -> rquickjs::Result<Value<'js>> {
        let (array, field) = (&self.arrays[at], &self.fields[at]);
        let ctx = codec.ctx().clone();
        if array.null_count() == 0 {
            match array.data_type() {
                DataType::Int32 => {
                    let numbers = array.as_primitive::<Int32Type>().values();
                    return Ok(TypedArray::new_copy(ctx, numbers)?.into_value());
                }
                DataType::Int64 => {
                    let numbers = array.as_primitive::<Int64Type>().values();
                    return Ok(TypedArray::new_copy(ctx, numbers)?.into_value());
                }
                DataType::Float64 => {
                    let numbers = array.as_primitive::<Float64Type>().values();
                    return Ok(TypedArray::new_copy(ctx, numbers)?.into_value());
                }
                DataType::Timestamp(..) => {
                    let times = array.as_primitive::<TimestampMicrosecondType>().values();
                    let times: Vec<f64> = times.iter().map(|time| milliseconds(*time)).collect();
                    return Ok(TypedArray::new(ctx, times)?.into_value());
                }
                _ => {}
            }
        }
        let list = Array::new(ctx)?;
        for row in 0..self.rows {
            list.set(row, cell(codec, array, field, row)?)?;
        }
        Ok(list.into_value())
    }
}

/// One value of a column of [`Columns`].
pub(super) fn cell<'js>(
    codec: &Codec<'js>,
    array: &ArrayRef,
    field: &Field,
    row: usize,
) -> rquickjs::Result<Value<'js>> {
    let ctx = || codec.ctx().clone();
    if array.is_null(row) {
        return Ok(Value::new_null(ctx()));
    }
    match array.data_type() {
        DataType::Boolean => Ok(Value::new_bool(ctx(), array.as_boolean().value(row))),
        DataType::Int32 => Ok(Value::new_int(ctx(), array.as_primitive::<Int32Type>().value(row))),
        DataType::Int64 => Value::new_big_int(ctx(), array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => Ok(Value::new_number(ctx(), array.as_primitive::<Float64Type>().value(row))),
        DataType::Decimal128(_, 0) => {
            let value = array.as_primitive::<Decimal128Type>().value(row);
            codec.big_int(value < 0, U512::from(value.unsigned_abs()))
        }
        DataType::Decimal128(..) => {
            codec.text(trim_decimal(&array.as_primitive::<Decimal128Type>().value_as_string(row)))
        }
        DataType::Decimal256(_, scale) => {
            let text = array.as_primitive::<Decimal256Type>().value_as_string(row);
            if *scale != 0 {
                return codec.text(trim_decimal(&text));
            }
            let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
            codec.big_int(negative, U512::from_str_radix(digits, 10).unwrap_or_default())
        }
        DataType::Timestamp(..) => {
            let time = array.as_primitive::<TimestampMicrosecondType>().value(row);
            Ok(Value::new_number(ctx(), milliseconds(time)))
        }
        DataType::Utf8 => codec.text(array.as_string::<i32>().value(row)),
        number if is_number(number) => {
            let number = Number::decode(array.as_fixed_size_binary().value(row));
            codec.big_int(number.is_negative(), U512::from(number.magnitude()))
        }
        DataType::FixedSizeBinary(_) if is_stored(field) => {
            codec.big_int(false, U512::from(U256::from_be_slice(array.as_fixed_size_binary().value(row))))
        }
        DataType::FixedSizeBinary(_) => hex(codec, array.as_fixed_size_binary().value(row)),
        DataType::Binary => hex(codec, array.as_binary::<i32>().value(row)),
        DataType::List(item) => {
            let items = inside(codec, &array.as_list::<i32>().value(row))?;
            let list = Array::new(ctx())?;
            for at in 0..items.len() {
                list.set(at, cell(codec, &items, item, at)?)?;
            }
            Ok(list.into_value())
        }
        DataType::Struct(fields) => {
            let object = Object::new_proto(ctx(), None)?;
            for (column, field) in array.as_struct().columns().iter().zip(fields) {
                let column = inside(codec, &column.slice(row, 1))?;
                object.set(field.name().as_str(), cell(codec, &column, field, 0)?)?;
            }
            Ok(object.into_value())
        }
        _ => Ok(Value::new_null(ctx())),
    }
}

fn inside(codec: &Codec<'_>, array: &ArrayRef) -> rquickjs::Result<ArrayRef> {
    to_simple_type(array).map_err(|_| codec.refuse("a column has a type that is not supported"))
}

fn milliseconds(microseconds: i64) -> f64 {
    // Whole milliseconds first: a double can't hold the microseconds of later centuries exactly.
    (microseconds.div_euclid(1000)) as f64 + microseconds.rem_euclid(1000) as f64 / 1000.0
}

fn hex<'js>(codec: &Codec<'js>, bytes: &[u8]) -> rquickjs::Result<Value<'js>> {
    // Long enough for a hash; call data goes to the heap.
    let mut short = [0; 66];
    if let Some(room) = short.get_mut(..2 + 2 * bytes.len()) {
        room[..2].copy_from_slice(b"0x");
        if hex::encode_to_slice(bytes, &mut room[2..]).is_ok()
            && let Ok(text) = std::str::from_utf8(room)
        {
            return codec.text(text);
        }
    }
    codec.text(&format!("0x{}", hex::encode(bytes)))
}
