//! `hash(…)`, the hash of buckets before Hive 3, and `murmur_hash(…)`, the one since.

use arrow::array::Int32Array;
use arrow::datatypes::{
    Date32Type, Decimal128Type, Float32Type, Int8Type, Int16Type, Int32Type, TimeUnit, TimestampNanosecondType,
};

use super::types::{char_length, varchar_length};
use super::{calendar, cast};
use crate::prelude::*;

const MURMUR_SEED: u32 = 104_729;

#[derive(Debug, PartialEq, Eq, Hash)]
struct HiveHash {
    murmur: bool,
    signature: Signature,
}

pub(super) fn functions() -> [ScalarUDF; 2] {
    [false, true].map(|murmur| {
        let signature = Signature::variadic_any(Volatility::Immutable);
        ScalarUDF::new_from_impl(HiveHash { murmur, signature })
    })
}

impl ScalarUDFImpl for HiveHash {
    fn name(&self) -> &str {
        if self.murmur { "murmur_hash" } else { "hash" }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(self.name(), DataType::Int32, false)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut hashes = vec![0i32; args.number_rows];
        for (value, field) in args.args.iter().zip(&args.arg_fields) {
            let parts = hash_column(&value.to_array(args.number_rows)?, field, self.murmur)?;
            for (hash, part) in hashes.iter_mut().zip(parts) {
                *hash = hash.wrapping_mul(31).wrapping_add(part);
            }
        }
        Ok(ColumnarValue::Array(Arc::new(Int32Array::from(hashes))))
    }
}

/// The hash of each value; of null it is 0.
macro_rules! each {
    ($values:expr, $hash:expr) => {
        Ok($values.iter().map(|value| value.map_or(0, $hash)).collect())
    };
}

fn hash_column(array: &ArrayRef, field: &Field, murmur: bool) -> Result<Vec<i32>> {
    let rows = array.len();
    match array.data_type() {
        single if murmur && !single.is_nested() => murmur_column(array),
        DataType::Null => Ok(vec![0; rows]),
        DataType::Boolean => each!(array.as_boolean(), i32::from),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::UInt8 | DataType::UInt16 => {
            let longs = cast::to_type(array, &DataType::Int64)?;
            each!(longs.as_primitive::<Int64Type>(), |value| value as i32)
        }
        DataType::Int64 | DataType::UInt32 | DataType::UInt64 => {
            let longs = cast::to_type(array, &DataType::Int64)?;
            each!(longs.as_primitive::<Int64Type>(), fold)
        }
        DataType::Float32 => each!(array.as_primitive::<Float32Type>(), |value| value.to_bits() as i32),
        DataType::Float64 => each!(array.as_primitive::<Float64Type>(), |value| fold(value.to_bits() as i64)),
        DataType::Decimal128(_, scale) => {
            let scale = i32::from(*scale);
            each!(array.as_primitive::<Decimal128Type>(), |value| decimal(value, scale))
        }
        DataType::Date32 => each!(array.as_primitive::<Date32Type>(), date),
        DataType::Timestamp(..) => {
            let nanos = cast::to_type(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            each!(nanos.as_primitive::<TimestampNanosecondType>(), |nanos: i64| {
                let second = calendar::SECOND;
                fold(nanos.div_euclid(second) << 30 | nanos.rem_euclid(second))
            })
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            let bytes = cast(array, &DataType::Binary)?;
            each!(bytes.as_binary::<i32>(), |bytes| text(bytes, 0))
        }
        DataType::List(item) => {
            let lists = array.as_list::<i32>();
            let hashes = hash_column(lists.values(), item, murmur)?;
            let offsets = lists.offsets();
            Ok((0..rows)
                .map(|row| {
                    let part = offsets[row] as usize..offsets[row + 1] as usize;
                    if lists.is_null(row) { 0 } else { chain(hashes[part].iter().copied()) }
                })
                .collect())
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let columns =
                columns.map(|(column, field)| hash_column(column, field, murmur)).collect::<Result<Vec<_>>>()?;
            let hash = |row: usize| chain(columns.iter().map(|column| column[row]));
            Ok((0..rows).map(|row| if array.is_null(row) { 0 } else { hash(row) }).collect())
        }
        DataType::Map(_, _) => {
            let maps = array.as_map();
            let fields = maps.entries().fields();
            let (keys, values) =
                (hash_column(maps.keys(), &fields[0], murmur)?, hash_column(maps.values(), &fields[1], murmur)?);
            let offsets = maps.offsets();
            Ok((0..rows)
                .map(|row| {
                    let part = offsets[row] as usize..offsets[row + 1] as usize;
                    if maps.is_null(row) {
                        0
                    } else {
                        part.fold(0i32, |sum, at| sum.wrapping_add(keys[at] ^ values[at]))
                    }
                })
                .collect())
        }
        _ => {
            let texts = cast::to_type(array, &DataType::Utf8)?;
            // Text of a fixed length is hashed as Hadoop's Text is.
            let start = i32::from(char_length(field).or(varchar_length(field)).is_some());
            each!(texts.as_string::<i32>(), |value: &str| text(value.as_bytes(), start))
        }
    }
}

fn chain(parts: impl Iterator<Item = i32>) -> i32 {
    parts.fold(0i32, |hash, part| hash.wrapping_mul(31).wrapping_add(part))
}

fn fold(value: i64) -> i32 {
    (((value as u64) >> 32) as i64 ^ value) as i32
}

fn text(bytes: &[u8], start: i32) -> i32 {
    bytes.iter().fold(start, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(*byte as i8)))
}

/// Java's LocalDate.hashCode of a day counted from 1970-01-01.
fn date(days: i32) -> i32 {
    let calendar::Civil { year, month, day } = calendar::civil(days);
    (year & !0x7ff) ^ ((year << 11) + ((month as i32) << 6) + day as i32)
}

/// Java's BigDecimal.hashCode of the number without trailing zeros.
fn decimal(value: i128, scale: i32) -> i32 {
    let (mut value, mut scale) = (value, scale);
    while scale > 0 && value % 10 == 0 {
        value /= 10;
        scale -= 1;
    }
    if value == 0 {
        return 0;
    }
    let magnitude = value.unsigned_abs();
    let words = (0..4).rev().map(|word| (magnitude >> (32 * word)) as u32).skip_while(|word| *word == 0);
    let hash = words.fold(0i32, |hash, word| hash.wrapping_mul(31).wrapping_add(word as i32));
    let signed = if value < 0 { hash.wrapping_neg() } else { hash };
    signed.wrapping_mul(31).wrapping_add(scale)
}

/// The hash of each value of a column that is not nested.
fn murmur_column(array: &ArrayRef) -> Result<Vec<i32>> {
    match array.data_type() {
        DataType::Null => Ok(vec![0; array.len()]),
        DataType::Boolean => each!(array.as_boolean(), i32::from),
        DataType::Int8 => each!(array.as_primitive::<Int8Type>(), |value: i8| murmur(&value.to_be_bytes())),
        DataType::Int16 => each!(array.as_primitive::<Int16Type>(), |value: i16| murmur(&value.to_be_bytes())),
        DataType::Int32 => each!(array.as_primitive::<Int32Type>(), |value: i32| murmur(&value.to_be_bytes())),
        DataType::Float32 => each!(array.as_primitive::<Float32Type>(), |value: f32| murmur(&value.to_be_bytes())),
        DataType::Float64 => each!(array.as_primitive::<Float64Type>(), |value: f64| murmur(&value.to_be_bytes())),
        DataType::Date32 => each!(array.as_primitive::<Date32Type>(), |days: i32| murmur(&days.to_be_bytes())),
        number if number.is_integer() => {
            let longs = cast::to_type(array, &DataType::Int64)?;
            each!(longs.as_primitive::<Int64Type>(), |value: i64| murmur(&value.to_be_bytes()))
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            let bytes = cast(array, &DataType::Binary)?;
            each!(bytes.as_binary::<i32>(), murmur)
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let texts = cast::to_type(array, &DataType::Utf8)?;
            each!(texts.as_string::<i32>(), |text: &str| murmur(text.as_bytes()))
        }
        _ => Err(invalid("murmur_hash expects strings, bytes, dates, or numbers other than decimals.")),
    }
}

/// Murmur3 of 32 bits (Austin Appleby, public domain).
fn murmur(bytes: &[u8]) -> i32 {
    let mixed = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (words, rest) = bytes.as_chunks::<4>();
    let mut hash = words.iter().fold(MURMUR_SEED, |hash, word| {
        (hash ^ mixed(u32::from_le_bytes(*word))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    if !rest.is_empty() {
        // Java's bytes have a sign, which Hive extends.
        let word = rest.iter().enumerate().fold(0u32, |word, (at, byte)| word ^ ((*byte as i8 as u32) << (8 * at)));
        hash ^= mixed(word);
    }
    hash ^= bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)) as i32
}
