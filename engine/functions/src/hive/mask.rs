//! `mask` and its relatives: letters and digits of texts, digits of whole numbers, and days are masked. Values of other types are
//! null, as in Hive.

use arrow::array::{Date32Array, new_null_array};
use arrow::datatypes::Date32Type;

use super::calendar::{self, Civil};
use super::cast;
use crate::prelude::*;

/// How many letters are masked by default.
const DEFAULT_COUNT: i64 = 4;

/// The range of masked letters, by the length of a text and the count of the call.
type Range = fn(usize, usize) -> (usize, usize);

pub(super) fn functions() -> Vec<ScalarUDF> {
    let part = |name: &'static str, range: Range| {
        scalar_udf(name, 1..=7, same_type, move |arrays, to| mask(arrays, to, 2, range))
    };
    vec![
        scalar_udf("mask", 1..=9, same_type, |arrays, to| mask(arrays, to, 1, |all, _| (0, all))),
        part("mask_first_n", |_, count| (0, count)),
        part("mask_last_n", |all, count| (all.saturating_sub(count), all)),
        part("mask_show_first_n", |all, count| (count, all)),
        part("mask_show_last_n", |all, count| (0, all.saturating_sub(count))),
    ]
}

fn same_type(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = args.arg_fields[0].data_type();
    let data_type = if is_text(data_type) { &DataType::Utf8 } else { data_type };
    Ok(Arc::new(Field::new("masked", data_type.clone(), true)))
}

/// The arguments, row by row: the count if `signs` is 2, and from `signs` on the signs for capitals, small letters, digits and the
/// rest, then a digit for numbers and the parts of a day.
struct Arguments {
    counts: Option<ArrayRef>,
    signs: Vec<Option<Signs>>,
    numbers: Vec<Option<ArrayRef>>,
}

/// A sign by its text or its code; -1 keeps the letters.
enum Signs {
    Codes(ArrayRef),
    Texts(ArrayRef),
}

impl Arguments {
    fn new(arrays: &[ArrayRef], signs: usize) -> Result<Arguments> {
        let long = |at: usize| arrays.get(at).map(|array| cast::to_type(array, &DataType::Int64)).transpose();
        let sign = |at: usize| {
            let Some(array) = arrays.get(at) else { return Ok(None) };
            Ok(Some(match array.data_type().is_integer() {
                true => Signs::Codes(cast::to_type(array, &DataType::Int64)?),
                false => Signs::Texts(cast::to_type(array, &DataType::Utf8)?),
            }))
        };
        Ok(Arguments {
            counts: if signs == 2 { long(1)? } else { None },
            signs: (signs..signs + 4).map(sign).collect::<Result<_>>()?,
            numbers: (signs + 4..signs + 8).map(long).collect::<Result<_>>()?,
        })
    }

    fn count(&self, row: usize) -> usize {
        let count = self.counts.as_ref().filter(|counts| counts.is_valid(row));
        let count = count.map_or(DEFAULT_COUNT, |counts| counts.as_primitive::<Int64Type>().value(row));
        usize::try_from(count).unwrap_or(0)
    }

    fn sign(&self, at: usize, row: usize, default: Option<char>) -> Option<char> {
        match &self.signs[at] {
            Some(Signs::Codes(codes)) if codes.is_valid(row) => {
                u32::try_from(codes.as_primitive::<Int64Type>().value(row)).ok().and_then(char::from_u32)
            }
            Some(Signs::Texts(texts)) if texts.is_valid(row) => match texts.as_string::<i32>().value(row) {
                "-1" => None,
                text => text.chars().next().or(default),
            },
            _ => default,
        }
    }

    /// A number after the signs; `None` for -1, which keeps the original.
    fn number(&self, at: usize, row: usize, default: i64) -> Option<i64> {
        let number = self.numbers[at].as_ref().filter(|numbers| numbers.is_valid(row));
        Some(number.map_or(default, |numbers| numbers.as_primitive::<Int64Type>().value(row)))
            .filter(|value| *value != -1)
    }
}

fn mask(arrays: &[ArrayRef], to: &FieldRef, signs: usize, range: Range) -> Result<ArrayRef> {
    let args = Arguments::new(arrays, signs)?;
    let values = &arrays[0];
    match to.data_type() {
        DataType::Utf8 => {
            let texts = cast::to_type(values, &DataType::Utf8)?;
            let masked = |(row, text): (usize, Option<&str>)| text.map(|text| mask_text(text, &args, row, range));
            Ok(Arc::new(texts.as_string::<i32>().iter().enumerate().map(masked).collect::<StringArray>()))
        }
        whole if whole.is_integer() => {
            let longs = cast::to_type(values, &DataType::Int64)?;
            let masked = |(row, value): (usize, Option<i64>)| value.map(|value| mask_number(value, &args, row, range));
            let numbers: Int64Array = longs.as_primitive::<Int64Type>().iter().enumerate().map(masked).collect();
            cast::to_type(&(Arc::new(numbers) as ArrayRef), whole)
        }
        // `mask` alone takes days.
        DataType::Date32 if signs == 1 => {
            let days = values.as_primitive::<Date32Type>().iter().enumerate();
            Ok(Arc::new(days.map(|(row, day)| mask_day(day?, &args, row)).collect::<Date32Array>()))
        }
        other => Ok(new_null_array(other, values.len())),
    }
}

fn mask_text(text: &str, args: &Arguments, row: usize, range: Range) -> String {
    let (from, to) = range(text.chars().count(), args.count(row));
    let (capital, small) = (args.sign(0, row, Some('X')), args.sign(1, row, Some('x')));
    let (digit, other) = (args.sign(2, row, Some('n')), args.sign(3, row, None));
    let one = |(at, letter): (usize, char)| match letter {
        _ if at < from || at >= to => letter,
        letter if letter.is_uppercase() => capital.unwrap_or(letter),
        letter if letter.is_lowercase() => small.unwrap_or(letter),
        letter if letter.is_numeric() => digit.unwrap_or(letter),
        _ => other.unwrap_or(letter),
    };
    text.chars().enumerate().map(one).collect()
}

fn mask_number(value: i64, args: &Arguments, row: usize, range: Range) -> i64 {
    let Some(digit) = args.number(0, row, 1).and_then(|digit| u32::try_from(digit).ok()) else { return value };
    let digit = char::from_digit(digit % 10, 10).unwrap_or('1');
    let digits = value.unsigned_abs().to_string();
    let (from, to) = range(digits.len(), args.count(row));
    let masked = digits.chars().enumerate().map(|(at, old)| if (from..to).contains(&at) { digit } else { old });
    let masked: i128 = masked.collect::<String>().parse().unwrap_or(0);
    // Wraps as Java's numbers do.
    (if value < 0 { -masked } else { masked }) as i64
}

fn mask_day(days: i32, args: &Arguments, row: usize) -> Option<i32> {
    let own = calendar::civil(days);
    let part = |at, default, own: i64| args.number(at, row, default).unwrap_or(own);
    // Months are counted from 0 in the call.
    let month = args.number(2, row, 0).map_or(own.month.into(), |month| month + 1);
    let (day, year) = (part(1, 1, own.day.into()), part(3, 1, own.year.into()));
    let (year, month) =
        (i32::try_from(year).ok()?, u32::try_from(month).ok().filter(|month| (1..=12).contains(month))?);
    let day = u32::try_from(day).ok().filter(|day| (1..=calendar::days_in_month(year, month)).contains(day))?;
    Some(calendar::days(Civil { year, month, day }))
}
