//! `abi_word`, `abi_words`, `abi_address`, `abi_magnitude`: reading the arguments of events and calls, which are 32-byte
//! words one after the other.

use std::sync::Arc;

use alloy_primitives::U256;
use arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray, ListArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use crate::uint256::{self};
use quarry_types::byte_columns::fixed;
use quarry_types::invalid;
use quarry_types::uint256::{Number, is_number};

const WORD: usize = 32;

const ABI_WORD: Doc = Doc {
    signature: "abi_word(bytes, place)",
    text: "The 32-byte word at a place, from 0; null where the bytes end before it.",
    example: "select uint256(abi_word(data, 0)) from logs where topic3 is null",
};
const ABI_WORDS: Doc = Doc {
    signature: "abi_words(bytes, place)",
    text: "The uint256 array whose offset stands in the word at a place, from 0; null where the bytes hold no such array.",
    example: "select abi_words(data, 0) from logs where topic3 is not null",
};
const ABI_ADDRESS: Doc = Doc {
    signature: "abi_address(word)",
    text: "The address in a 32-byte word: its last 20 bytes; null when the bytes before them are not zero.",
    example: "select abi_address(topic1) from logs where topic1 is not null",
};
const ABI_MAGNITUDE: Doc = Doc {
    signature: "abi_magnitude(word)",
    text: "The size of a signed 256-bit number without its sign, as uint256.",
    example: "select abi_magnitude(abi_word(data, 0)) from logs where topic3 is null",
};

pub(super) fn udfs() -> [ScalarUDF; 4] {
    [
        Simple::udf("abi_word", 2..=2, Some(ABI_WORD), |_| Ok(word_field()), |args, _| words_at(args)),
        Simple::udf("abi_words", 2..=2, Some(ABI_WORDS), |_| Ok(list_field()), |args, _| lists_at(args)),
        Simple::udf(
            "abi_address",
            1..=1,
            Some(ABI_ADDRESS),
            |_| Ok(Arc::new(Field::new("abi_address", DataType::FixedSizeBinary(20), true))),
            |args, _| {
                let words = words(&args[0])?;
                let address = |word: Option<&[u8]>| {
                    word.filter(|word| word[..12].iter().all(|byte| *byte == 0)).map(|word| word[12..].to_vec())
                };
                fixed(20, words.iter().map(address))
            },
        ),
        Simple::udf(
            "abi_magnitude",
            1..=1,
            Some(ABI_MAGNITUDE),
            |_| Ok(quarry_types::uint256::field("abi_magnitude", false)),
            |args, _| uint256::write(words(&args[0])?.iter().map(|word| word.map(magnitude)).collect()),
        ),
    ]
}

fn word_field() -> FieldRef {
    Arc::new(Field::new("abi_word", DataType::FixedSizeBinary(WORD as i32), true))
}

fn list_field() -> FieldRef {
    let item = quarry_types::uint256::field("item", false).as_ref().clone().with_nullable(false);
    Arc::new(Field::new("abi_words", DataType::List(Arc::new(item)), true))
}

fn magnitude(word: &[u8]) -> Number {
    Number::new(false, Number::from_twos_complement(word).magnitude())
}

fn words(array: &ArrayRef) -> Result<FixedSizeBinaryArray> {
    match array.data_type() {
        DataType::FixedSizeBinary(32) => Ok(array.as_fixed_size_binary().clone()),
        number if is_number(number) => {
            let words = uint256::read(array)?.into_iter();
            let bytes = fixed(32, words.map(|word| word.map(|word| word.magnitude().to_be_bytes::<WORD>().to_vec())))?;
            Ok(bytes.as_fixed_size_binary().clone())
        }
        DataType::Null => Ok(FixedSizeBinaryArray::new_null(WORD as i32, array.len())),
        _ => Err(invalid("A word of 32 bytes is needed here.")),
    }
}

/// The bytes of each row and the place asked for.
fn rows<'a>(
    bytes: &'a ArrayRef,
    places: &'a ArrayRef,
) -> Result<impl Iterator<Item = Option<(&'a [u8], usize)>> + use<'a>> {
    if bytes.data_type() != &DataType::Binary {
        return Err(invalid("Bytes are needed here, such as logs.data."));
    }
    if places.data_type() != &DataType::Int64 {
        return Err(invalid("The place of a word is a whole number."));
    }
    let (bytes, places) = (bytes.as_binary::<i32>(), places.as_primitive::<Int64Type>());
    Ok(bytes.iter().zip(places.iter()).map(|(bytes, place)| Some((bytes?, usize::try_from(place?).ok()?))))
}

fn operands(args: &[ArrayRef]) -> Result<(ArrayRef, ArrayRef)> {
    let bytes = match args[0].data_type() {
        DataType::BinaryView | DataType::LargeBinary | DataType::FixedSizeBinary(_) | DataType::Null => {
            cast(&args[0], &DataType::Binary)?
        }
        _ => args[0].clone(),
    };
    let places = if args[1].data_type().is_integer() { cast(&args[1], &DataType::Int64)? } else { args[1].clone() };
    Ok((bytes, places))
}

fn word(bytes: &[u8], place: usize) -> Option<&[u8]> {
    let start = place.checked_mul(WORD)?;
    bytes.get(start..start.checked_add(WORD)?)
}

fn words_at(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (bytes, places) = operands(args)?;
    let found = rows(&bytes, &places)?.map(|row| row.and_then(|(bytes, place)| word(bytes, place)).map(<[u8]>::to_vec));
    fixed(WORD as i32, found)
}

fn lists_at(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (bytes, places) = operands(args)?;
    let (mut items, mut lengths, mut present) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows(&bytes, &places)? {
        let list = row.and_then(|(bytes, place)| list(bytes, place));
        present.push(list.is_some());
        let list = list.unwrap_or_default();
        lengths.push(list.len() / WORD);
        items.extend(list.chunks_exact(WORD).map(|word| Some(Number::from_be_bytes(word))));
    }
    let DataType::List(item) = list_field().data_type().clone() else {
        return Err(invalid("An array is needed here."));
    };
    let values = uint256::write(items)?;
    let nulls = NullBuffer::from(present);
    Ok(Arc::new(ListArray::try_new(item, OffsetBuffer::from_lengths(lengths), values, Some(nulls))?))
}

/// The words of a dynamic array, without its length.
fn list(bytes: &[u8], place: usize) -> Option<&[u8]> {
    let offset = usize::try_from(U256::from_be_slice(word(bytes, place)?)).ok()?;
    let rest = bytes.get(offset..)?;
    let length = usize::try_from(U256::from_be_slice(word(rest, 0)?)).ok()?;
    rest.get(WORD..length.checked_mul(WORD)?.checked_add(WORD)?)
}
