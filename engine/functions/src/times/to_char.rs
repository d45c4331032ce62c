//! `to_char(time, pattern)`: patterns of PostgreSQL and Oracle (`YYYY-MM-DD HH24:MI`), which Trino has too; those with percent signs
//! are strftime's.

use super::format::formatted;
use super::values::takes_time;
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
    // No blanks behind names: there are none.
    ("FM", ""),
];

pub(super) fn udf() -> ScalarUDF {
    doc(
        "to_char(time, pattern)",
        "A timestamp as a string, formatted with a PostgreSQL (YYYY-MM-DD HH24:MI) or strftime (%Y-%m-%d %H:%M) pattern.",
        "select to_char(timestamp '2024-02-29 12:34:56', 'YYYY-MM-DD HH24:MI')",
    )
    .udf(2..=2, takes_time("to_char", DataType::Utf8), |args, _| formatted(&args[0], &args[1], postgres))
}

/// A pattern of PostgreSQL as one of strftime.
pub(super) fn postgres(pattern: &str) -> Result<String> {
    if pattern.contains('%') {
        return Ok(pattern.to_string());
    }
    let unknown = || invalid(format!("'{pattern}' is not a valid datetime pattern."));
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        if letter == '"' {
            let (quoted, after) = rest[1..].split_once('"').ok_or_else(unknown)?;
            out.push_str(quoted);
            rest = after;
            continue;
        }
        if !letter.is_ascii_alphabetic() {
            out.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let begins_with = |part: &str| rest.get(..part.len()).is_some_and(|start| start.eq_ignore_ascii_case(part));
        let (part, strftime) = PARTS.iter().find(|(part, _)| begins_with(part)).ok_or_else(unknown)?;
        out.push_str(strftime);
        rest = &rest[part.len()..];
    }
    Ok(out)
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
            ("%Y", "%Y"),
        ] {
            assert_eq!(postgres(pattern).unwrap(), wanted);
        }
        for pattern in ["YYYY-Q", "hello", "\"open"] {
            assert!(postgres(pattern).is_err(), "{pattern}");
        }
    }
}
