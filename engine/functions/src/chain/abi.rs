//! `abi_word`, `abi_words`, `abi_address`, `abi_magnitude`: reading the arguments of events and calls, which are 32-byte
//! words one after the other.

use alloy_primitives::U256;
use arrow::array::{FixedSizeBinaryArray, ListArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};

use crate::prelude::*;
use crate::uint256;

const WORD: usize = 32;

pub(super) fn udfs() -> [ScalarUDF; 4] {
    [
        doc(
            "abi_word(bytes, place)",
            "The 32-byte word at an index, starting at 0; null if the bytes end before it.",
            "select uint256(abi_word(data, 0)) from logs where topic3 is null",
        )
        .udf(2..=2, returns(DataType::FixedSizeBinary(WORD as i32)), |args, _| {
            let (bytes, places) = operands(args)?;
            fixed(WORD as i32, rows(&bytes, &places)?.map(|row| row.and_then(|(bytes, place)| word(bytes, place))))
        }),
        doc(
            "abi_words(bytes, place)",
            "The uint256 array whose offset is in the word at an index, starting at 0; null if the bytes contain no such array.",
            "select abi_words(data, 0) from logs where topic3 is not null",
        )
        .udf(2..=2, returns(DataType::List(item())), |args, _| arrays(args)),
        doc(
            "abi_address(word)",
            "The address in a 32-byte word, which is its last 20 bytes; null if the preceding bytes are not zero.",
            "select abi_address(topic1) from logs where topic1 is not null",
        )
        .udf(1..=1, returns(DataType::FixedSizeBinary(20)), |args, _| {
            let is_address = |word: &&[u8]| word[..12].iter().all(|byte| *byte == 0);
            fixed(20, words(&args[0])?.iter().map(|word| word.filter(is_address).map(|word| &word[12..])))
        }),
        doc(
            "abi_magnitude(word)",
            "The absolute value of a signed 256-bit integer, as uint256.",
            "select abi_magnitude(abi_word(data, 0)) from logs where topic3 is null",
        )
        .udf(
            1..=1,
            |_| Ok(quarry_types::uint256::field("abi_magnitude", false)),
            |args, _| {
                let magnitude = |word| Number::new(false, Number::from_twos_complement(word).magnitude());
                uint256::write(words(&args[0])?.iter().map(|word| word.map(magnitude)).collect())
            },
        ),
    ]
}

/// The field of the numbers in a list.
fn item() -> FieldRef {
    Arc::new(quarry_types::uint256::field("item", false).as_ref().clone().with_nullable(false))
}

fn words(array: &ArrayRef) -> Result<FixedSizeBinaryArray> {
    match array.data_type() {
        DataType::FixedSizeBinary(32) => Ok(array.as_fixed_size_binary().clone()),
        number if is_number(number) => {
            let words = uint256::read(array)?.into_iter();
            let bytes = fixed(32, words.map(|word| word.map(|word| word.magnitude().to_be_bytes::<WORD>())))?;
            Ok(bytes.as_fixed_size_binary().clone())
        }
        DataType::Null => Ok(FixedSizeBinaryArray::new_null(WORD as i32, array.len())),
        _ => Err(invalid("Expected a 32-byte word here.")),
    }
}

/// The bytes of each row and the place in them.
fn rows<'a>(
    bytes: &'a ArrayRef,
    places: &'a ArrayRef,
) -> Result<impl Iterator<Item = Option<(&'a [u8], usize)>> + use<'a>> {
    if bytes.data_type() != &DataType::Binary {
        return Err(invalid("Expected bytes here, such as logs.data."));
    }
    if places.data_type() != &DataType::Int64 {
        return Err(invalid("The index of a word must be an integer."));
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

fn arrays(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (bytes, places) = operands(args)?;
    let (mut numbers, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows(&bytes, &places)? {
        let array = row.and_then(|(bytes, place)| array(bytes, place));
        valid.push(array.is_some());
        let array = array.unwrap_or_default();
        lengths.push(array.len() / WORD);
        numbers.extend(array.chunks_exact(WORD).map(|word| Some(Number::from_be_bytes(word))));
    }
    let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(item(), offsets, uint256::write(numbers)?, Some(nulls))?))
}

/// The words of a dynamic array, without its length.
fn array(bytes: &[u8], place: usize) -> Option<&[u8]> {
    let offset = usize::try_from(U256::from_be_slice(word(bytes, place)?)).ok()?;
    let rest = bytes.get(offset..)?;
    let length = usize::try_from(U256::from_be_slice(word(rest, 0)?)).ok()?;
    rest.get(WORD..length.checked_mul(WORD)?.checked_add(WORD)?)
}
