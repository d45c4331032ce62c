//! Whole numbers as digits of another base, and as bytes: `to_base(255, 16)`, `to_big_endian_64(1)`, and back.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, fixed, is_bytes, is_text, text_of};
use quarry_types::{invalid, out_of_range};

const FROM_DOC: Doc = Doc {
    signature: "from_base(text, base)",
    text: "The whole number that a text spells in a base from 2 to 36.",
    example: "select from_base('ff', 16)",
};
const TO_DOC: Doc = Doc {
    signature: "to_base(number, base)",
    text: "A whole number as text in a base from 2 to 36.",
    example: "select to_base(255, 16)",
};

macro_rules! bytes {
    ($to:literal, $from:literal, $count:literal, $kind:ty, $words:literal) => {
        [
            Simple::udf(
                $to,
                1..=1,
                Some(Doc {
                    signature: concat!($to, "(number)"),
                    text: concat!("A whole number as ", $words, " bytes in two's complement, the highest first."),
                    example: concat!("select ", $to, "(258)"),
                }),
                |args| numbers(args, DataType::FixedSizeBinary($count)),
                |args, _| {
                    let bytes = |number: i64| {
                        let narrow = <$kind>::try_from(number).map(|number| number.to_be_bytes().to_vec());
                        narrow.map_err(|_| out_of_range(concat!("The number does not fit ", $words, " bytes.")))
                    };
                    let rows = whole(&args[0])?
                        .iter()
                        .map(|number| number.map(bytes).transpose())
                        .collect::<Result<Vec<_>>>()?;
                    fixed($count, rows)
                },
            ),
            Simple::udf(
                $from,
                1..=1,
                Some(Doc {
                    signature: concat!($from, "(bytes)"),
                    text: concat!(
                        "The whole number that ",
                        $words,
                        " bytes are in two's complement, the highest first."
                    ),
                    example: concat!("select ", $from, "(", $to, "(258))"),
                }),
                |args| match args.arg_fields[0].data_type() {
                    from if is_bytes(from) || from.is_null() => {
                        Ok(Arc::new(Field::new("number", DataType::Int64, true)))
                    }
                    _ => Err(invalid(concat!("Bytes are needed here: ", $words, " of them."))),
                },
                |args, _| {
                    let read = |bytes: &[u8]| {
                        let number = bytes.try_into().map(<$kind>::from_be_bytes).map(i64::from);
                        number.map_err(|_| invalid(concat!("Bytes are needed here: ", $words, " of them.")))
                    };
                    let rows = bytes_of(&args[0])?.into_iter().map(|bytes| bytes.map(read).transpose());
                    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
                },
            ),
        ]
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![
        Simple::udf(
            "from_base",
            2..=2,
            Some(FROM_DOC),
            |args| match args.arg_fields[0].data_type() {
                from if is_text(from) || from.is_null() => numbers(args, DataType::Int64),
                _ => Err(invalid("A text and a base are needed here.")),
            },
            |args, _| {
                let bases = whole(&args[1])?;
                let rows = text_of(&args[0])?.into_iter().zip(&bases);
                let numbers = rows.map(|(text, base)| match (text, base) {
                    (Some(text), Some(base)) => read(text, base).map(Some),
                    _ => Ok(None),
                });
                Ok(Arc::new(numbers.collect::<Result<Int64Array>>()?))
            },
        ),
        Simple::udf(
            "to_base",
            2..=2,
            Some(TO_DOC),
            |args| numbers(args, DataType::Utf8),
            |args, _| {
                let (numbers, bases) = (whole(&args[0])?, whole(&args[1])?);
                let texts = numbers.iter().zip(bases.iter()).map(|(number, base)| match (number, base) {
                    (Some(number), Some(base)) => written(number, base).map(Some),
                    _ => Ok(None),
                });
                Ok(Arc::new(texts.collect::<Result<StringArray>>()?))
            },
        ),
    ];
    all.extend(bytes!("to_big_endian_32", "from_big_endian_32", 4, i32, "four"));
    all.extend(bytes!("to_big_endian_64", "from_big_endian_64", 8, i64, "eight"));
    all
}

/// A field, where every argument but a first text is a whole number.
fn numbers(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let known = |field: &FieldRef| field.data_type().is_integer() || field.data_type().is_null();
    let first =
        args.arg_fields.iter().take(1).all(|field| known(field) || is_text(field.data_type()) && to == DataType::Int64);
    match first && args.arg_fields.iter().skip(1).all(known) {
        true => Ok(Arc::new(Field::new("number", to, true))),
        false => Err(invalid("A whole number is needed here.")),
    }
}

fn whole(array: &ArrayRef) -> Result<Int64Array> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    Ok(cast_with_options(array, &DataType::Int64, &options)?.as_primitive::<Int64Type>().clone())
}

fn base_of(base: i64) -> Result<u32> {
    let known = u32::try_from(base).ok().filter(|base| (2..=36).contains(base));
    known.ok_or_else(|| invalid("A base is a number from 2 to 36."))
}

fn read(text: &str, base: i64) -> Result<i64> {
    let shown: String = text.chars().take(90).collect();
    let read = i64::from_str_radix(text, base_of(base)?);
    read.map_err(|_| invalid(format!("'{shown}' is no whole number of 64 bits in the base {base}.")))
}

fn written(number: i64, base: i64) -> Result<String> {
    let base = base_of(base)?;
    let mut digits = Vec::new();
    let mut left = number.unsigned_abs();
    while left > 0 || digits.is_empty() {
        digits.extend(char::from_digit((left % u64::from(base)) as u32, base));
        left /= u64::from(base);
    }
    if number < 0 {
        digits.push('-');
    }
    Ok(digits.into_iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_other_bases() {
        for (number, base, text) in [
            (255, 16, "ff"),
            (0, 2, "0"),
            (-35, 36, "-z"),
            (i64::MIN, 10, "-9223372036854775808"),
            (i64::MAX, 16, "7fffffffffffffff"),
        ] {
            assert_eq!(written(number, base).unwrap(), text);
            assert_eq!(read(text, base).unwrap(), number);
        }
        assert!(written(1, 1).is_err() && written(1, 37).is_err() && read("2", 2).is_err() && read("", 10).is_err());
    }
}
