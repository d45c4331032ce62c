//! `to_char(time, pattern)`: patterns of PostgreSQL and Oracle (`YYYY-MM-DD HH24:MI`), which Trino has too; those with percent signs
//! are strftime's.

use std::fmt::Write;

use super::values::{micros, moment, takes_time};
use crate::prelude::*;

/// Parts of a pattern with those of strftime; longer ones before their prefixes.
const PARTS: [(&str, &str); 23] = [
    ("HH24", "%H"),
    ("HH12", "%I"),
    ("HH", "%I"),
    ("MI", "%M"),
    ("SS", "%S"),
    ("MS", "%3f"),
    ("US", "%6f"),
    ("AM", "%p"),
    ("PM", "%p"),
    ("IYYY", "%G"),
    ("YYYY", "%Y"),
    ("YY", "%y"),
    ("MONTH", "%B"),
    ("MON", "%b"),
    ("MM", "%m"),
    ("IW", "%V"),
    ("DDD", "%j"),
    ("DD", "%d"),
    ("DAY", "%A"),
    ("DY", "%a"),
    ("ID", "%u"),
    ("TZ", "UTC"),
    // There are no blanks behind names that it could leave out.
    ("FM", ""),
];

/// Parts whose letters are written in the case of the pattern: `MON` is JAN, `Mon` is Jan and `mon` is jan.
const NAMES: [&str; 7] = ["AM", "PM", "MONTH", "MON", "DAY", "DY", "TZ"];

/// Numbers that lose their leading zeros behind `FM`.
const NUMBERS: [&str; 10] = ["%H", "%I", "%M", "%S", "%m", "%d", "%j", "%V", "%Y", "%y"];

pub(super) fn udf() -> ScalarUDF {
    doc(
        "to_char(time, pattern)",
        "A timestamp as a string, formatted with a PostgreSQL (YYYY-MM-DD HH24:MI) or strftime (%Y-%m-%d %H:%M) pattern.",
        "select to_char(timestamp '2024-02-29 12:34:56', 'YYYY-MM-DD HH24:MI')",
    )
    .udf(2..=2, takes_time("to_char", DataType::Utf8), |args, _| formatted(&args[0], &args[1]))
}

fn formatted(times: &ArrayRef, patterns: &ArrayRef) -> Result<ArrayRef> {
    let mut last = None;
    zip_rows::<StringArray, _, _, _>(micros(times)?, text_of(patterns)?, |time, pattern| {
        let pieces = reuse_last(&mut last, pattern, |pattern| pieces(pattern))?;
        let time = moment(time)?.and_utc();
        let mut text = String::new();
        for piece in pieces {
            let start = text.len();
            write!(text, "{}", time.format(&piece.strftime)).map_err(|_| no_pattern(pattern))?;
            match piece.case {
                LetterCase::Own => {}
                LetterCase::Upper => text[start..].make_ascii_uppercase(),
                LetterCase::Lower => text[start..].make_ascii_lowercase(),
            }
        }
        Ok(text)
    })
}

/// The letter case of a name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LetterCase {
    Own,
    Upper,
    Lower,
}

impl LetterCase {
    /// The case in which a pattern writes a name.
    fn of_pattern(written: &str) -> LetterCase {
        let is_upper = |index: usize| written.as_bytes().get(index).is_some_and(u8::is_ascii_uppercase);
        match (is_upper(0), is_upper(1)) {
            (false, _) => LetterCase::Lower,
            (true, true) => LetterCase::Upper,
            (true, false) => LetterCase::Own,
        }
    }
}

/// A part of a pattern of strftime.
#[derive(Debug)]
struct Piece {
    strftime: String,
    case: LetterCase,
}

/// A pattern of PostgreSQL as one of strftime.
pub(super) fn postgres(pattern: &str) -> Result<String> {
    Ok(pieces(pattern)?.into_iter().map(|piece| piece.strftime).collect())
}

fn no_pattern(pattern: &str) -> DataFusionError {
    invalid(format!("'{pattern}' is not a valid datetime pattern."))
}

/// A pattern of PostgreSQL as patterns of strftime with the letter case of what they write.
fn pieces(pattern: &str) -> Result<Vec<Piece>> {
    let mut pieces = vec![Piece { strftime: String::new(), case: LetterCase::Own }];
    let mut push = |strftime: &str, case: LetterCase| match pieces.last_mut() {
        Some(last) if last.case == LetterCase::Own && case == LetterCase::Own => last.strftime.push_str(strftime),
        _ => pieces.push(Piece { strftime: strftime.to_string(), case }),
    };
    if pattern.contains('%') {
        push(pattern, LetterCase::Own);
        return Ok(pieces);
    }
    let mut rest = pattern;
    let mut without_zeros = false;
    while let Some(letter) = rest.chars().next() {
        if letter == '"' {
            let (quoted, after) = rest[1..].split_once('"').ok_or_else(|| no_pattern(pattern))?;
            push(quoted, LetterCase::Own);
            rest = after;
            continue;
        }
        if !letter.is_ascii_alphabetic() {
            let (text, after) = rest.split_at(letter.len_utf8());
            push(text, LetterCase::Own);
            rest = after;
            continue;
        }
        let begins_with = |part: &str| rest.get(..part.len()).is_some_and(|start| start.eq_ignore_ascii_case(part));
        let found = PARTS.iter().find(|(part, _)| begins_with(part));
        let (part, strftime) = found.ok_or_else(|| no_pattern(pattern))?;
        let (written, after) = rest.split_at(part.len());
        match (NAMES.contains(part), strftime.strip_prefix('%')) {
            (true, _) => push(strftime, LetterCase::of_pattern(written)),
            (false, Some(field)) if without_zeros && NUMBERS.contains(strftime) => {
                push(&format!("%-{field}"), LetterCase::Own);
            }
            _ => push(strftime, LetterCase::Own),
        }
        without_zeros = *part == "FM";
        rest = after;
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::postgres;

    #[test]
    fn patterns_become_those_of_strftime() {
        for (pattern, wanted) in [
            ("YYYY-MM-DD HH24:MI:SS.MS", "%Y-%m-%d %H:%M:%S.%3f"),
            ("yyyy-mm", "%Y-%m"),
            ("FMMonth DD, YYYY", "%B %d, %Y"),
            ("IYYY\"-W\"IW", "%G-W%V"),
            ("FMDD.FMMM.YY", "%-d.%-m.%y"),
            ("%Y", "%Y"),
        ] {
            assert_eq!(postgres(pattern).unwrap(), wanted);
        }
        for pattern in ["YYYY-Q", "hello", "\"open"] {
            assert!(postgres(pattern).is_err(), "{pattern}");
        }
    }
}
