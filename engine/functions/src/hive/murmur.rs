//! Murmur3 of 32 bits (Austin Appleby, public domain) as `murmur_hash(…)` of Hive 3 takes it of single values.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type};
use datafusion::common::Result;

use super::cast;
use quarry_types::invalid;

const SEED: u32 = 104_729;

/// The hash of each value of a column that holds no others; of null it is 0.
pub(super) fn hash_column(array: &ArrayRef) -> Result<Vec<i32>> {
    macro_rules! each {
        ($values:expr, $hash:expr) => {
            Ok($values.iter().map(|value| value.map_or(0, $hash)).collect())
        };
    }
    match array.data_type() {
        DataType::Null => Ok(vec![0; array.len()]),
        DataType::Boolean => each!(array.as_boolean(), i32::from),
        DataType::Int8 => each!(array.as_primitive::<Int8Type>(), |value: i8| hash(&value.to_be_bytes())),
        DataType::Int16 => each!(array.as_primitive::<Int16Type>(), |value: i16| hash(&value.to_be_bytes())),
        DataType::Int32 => each!(array.as_primitive::<Int32Type>(), |value: i32| hash(&value.to_be_bytes())),
        DataType::Float32 => each!(array.as_primitive::<Float32Type>(), |value: f32| hash(&value.to_be_bytes())),
        DataType::Float64 => each!(array.as_primitive::<Float64Type>(), |value: f64| hash(&value.to_be_bytes())),
        DataType::Date32 => each!(array.as_primitive::<Date32Type>(), |days: i32| hash(&days.to_be_bytes())),
        number if number.is_integer() => {
            let longs = cast::to_type(array, &DataType::Int64)?;
            each!(longs.as_primitive::<Int64Type>(), |value: i64| hash(&value.to_be_bytes()))
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            let bytes = arrow::compute::cast(array, &DataType::Binary)?;
            each!(bytes.as_binary::<i32>(), hash)
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let texts = cast::to_type(array, &DataType::Utf8)?;
            each!(texts.as_string::<i32>(), |text: &str| hash(text.as_bytes()))
        }
        _ => Err(invalid("murmur_hash takes texts, bytes, days, and numbers that are no decimals.")),
    }
}

fn hash(bytes: &[u8]) -> i32 {
    let mixed = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (words, rest) = bytes.as_chunks::<4>();
    let mut hash = words.iter().fold(SEED, |hash, word| {
        (hash ^ mixed(u32::from_le_bytes(*word))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    if !rest.is_empty() {
        // Java's bytes have a sign, and Hive leaves it in.
        let word = rest.iter().enumerate().fold(0u32, |word, (at, byte)| word ^ ((*byte as i8 as u32) << (8 * at)));
        hash ^= mixed(word);
    }
    hash ^= bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)) as i32
}
