//! The position of the n-th occurrence of a part in a text: `strpos(text, part, n)` of Trino, `instr(text, part, from, n)` of
//! BigQuery and Snowflake.

use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, adapted};

/// The call; people write one of the others.
pub const NTH_POSITION: &str = "nth_position";

/// Of a text, a part, the letter to begin at (from the end below zero), and the number of the occurrence.
pub(super) fn udf() -> ScalarUDF {
    let is_number = |from: &DataType| from.is_integer() || is_text(from);
    let returns =
        takes([is_text, is_text, is_number], "Expected a string, a substring and integers here.", DataType::Int64);
    adapted(&Arc::new(scalar_udf(NTH_POSITION, 4..=4, returns, |args, _| positions(args))), Coercion::Texts, &[])
}

fn positions(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (from, nth) = (cast(&args[2], &DataType::Int64)?, cast(&args[3], &DataType::Int64)?);
    let numbers = from.as_primitive::<Int64Type>().iter().zip(nth.as_primitive::<Int64Type>());
    let texts = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).map(|(text, part)| text.zip(part));
    zip_rows::<Int64Array, _, _, _>(texts, numbers.map(|(from, nth)| from.zip(nth)), |(text, part), (from, nth)| {
        position(text, part, from, nth)
    })
}

/// Letters are counted from 1; 0 means that there is none.
fn position(text: &str, part: &str, from: i64, nth: i64) -> Result<i64> {
    if from == 0 || nth <= 0 {
        return Err(invalid("Positions in a string and occurrences of a substring are counted from 1."));
    }
    // Where each letter begins, and the end of the text.
    let letters: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let here = |letter: &usize| text[letters[*letter]..].starts_with(part);
    let nth = usize::try_from(nth - 1).unwrap_or(usize::MAX);
    let distance = usize::try_from(from.unsigned_abs() - 1).unwrap_or(usize::MAX);
    let letter = match from > 0 {
        true => (distance.min(letters.len())..letters.len()).filter(here).nth(nth),
        // The last place at which a part can begin that many letters before the end.
        false => match (letters.len() - 1).checked_sub(distance.saturating_add(1)) {
            Some(last) => (0..=last).rev().filter(here).nth(nth),
            None => None,
        },
    };
    Ok(letter.map_or(0, |letter| letter as i64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_from_either_end() {
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
