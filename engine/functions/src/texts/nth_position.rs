//! Where a part stands in a text for the n-th time, as `strpos(text, part, n)` of Trino and `instr(text, part, from, n)` of
//! BigQuery and Snowflake ask.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::Simple;
use crate::stock::adapt::{self, Takes};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

/// The call; people write one of the others.
pub const NTH_POSITION: &str = "nth_position";

/// Of a text, a part, the letter to begin at (from the end below zero), and which of the places that are found.
pub(super) fn udf() -> ScalarUDF {
    let simple = Simple::udf(NTH_POSITION, 4..=4, None, returns, |args, _| found(args));
    adapt::adapted(&Arc::new(simple), Takes::Texts, &[])
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let types: Vec<&DataType> = args.arg_fields.iter().map(|field| field.data_type()).collect();
    let texts = types[..2].iter().all(|of| is_text(of) || of.is_null());
    let numbers = types[2..].iter().all(|of| of.is_integer() || is_text(of) || of.is_null());
    match texts && numbers {
        true => Ok(Arc::new(Field::new("position", DataType::Int64, true))),
        false => Err(invalid("A text, a part of it and whole numbers are needed here.")),
    }
}

fn found(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (from, nth) = (cast(&args[2], &DataType::Int64)?, cast(&args[3], &DataType::Int64)?);
    let (from, nth) = (from.as_primitive::<Int64Type>(), nth.as_primitive::<Int64Type>());
    let texts = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).enumerate();
    let rows = texts.map(|(row, texts)| {
        let ((Some(text), Some(part)), true) = (texts, from.is_valid(row) && nth.is_valid(row)) else {
            return Ok(None);
        };
        position(text, part, from.value(row), nth.value(row)).map(Some)
    });
    Ok(Arc::new(rows.collect::<Result<Int64Array>>()?))
}

/// Letters are counted from 1; 0 is nowhere.
fn position(text: &str, part: &str, from: i64, nth: i64) -> Result<i64> {
    if from == 0 || nth <= 0 {
        return Err(invalid("Places in a text and how often a part stands there are counted from 1."));
    }
    // Where each letter begins, and the end of the text.
    let letters: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let here = |letter: &usize| text[letters[*letter]..].starts_with(part);
    let nth = usize::try_from(nth - 1).unwrap_or(usize::MAX);
    let distance = usize::try_from(from.unsigned_abs() - 1).unwrap_or(usize::MAX);
    let found = match from > 0 {
        true => (distance.min(letters.len())..letters.len()).filter(here).nth(nth),
        // The last place at which a part can begin that many letters before the end.
        false => match (letters.len() - 1).checked_sub(distance.saturating_add(1)) {
            Some(last) => (0..=last).rev().filter(here).nth(nth),
            None => None,
        },
    };
    Ok(found.map_or(0, |letter| letter as i64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_from_either_end() {
        for (text, part, from, nth, wanted) in [
            ("a.b.c", ".", 1, 1, 2),
            ("a.b.c", ".", 1, 2, 4),
            ("a.b.c", ".", 1, 3, 0),
            ("a.b.c", ".", 3, 1, 4),
            ("a.b.c", ".", -1, 1, 4),
            ("a.b.c", ".", -1, 2, 2),
            ("a.b.c", "b.c", -1, 1, 3),
            ("äöä", "ä", 2, 1, 3),
            ("aaa", "aa", 1, 2, 2),
            ("abc", "c", 9, 1, 0),
            ("abc", "a", -9, 1, 0),
            ("", "a", 1, 1, 0),
        ] {
            assert_eq!(position(text, part, from, nth).unwrap(), wanted, "{text} {part} {from} {nth}");
        }
        assert!(position("a", "a", 0, 1).is_err() && position("a", "a", 1, 0).is_err());
    }
}
