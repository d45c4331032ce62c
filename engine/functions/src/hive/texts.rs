//! Functions of texts.

use data_encoding::BASE64;
use strsim::levenshtein;

use super::java_regex::{self, Replacement};
use super::row_functions::Kind::{Bool, Bytes, Int, Long, Text, Texts};
use super::row_functions::{MAX_TEXT, Row, Value, optional_udf, udf, variadic_udf};
use crate::bytes::bytearray::{bytearray_lpad, bytearray_rpad};
use crate::bytes::encodings::from_base64;
use crate::prelude::*;
use crate::wrappers::overload::{When, overloaded};

/// The name of a function that changes a text, and the function.
type OfText = (&'static str, fn(&str) -> String);

const OF_TEXTS: [OfText; 10] = [
    ("lower", str::to_lowercase),
    ("lcase", str::to_lowercase),
    ("upper", str::to_uppercase),
    ("ucase", str::to_uppercase),
    ("trim", |text| text.trim_matches(' ').to_string()),
    ("ltrim", |text| text.trim_start_matches(' ').to_string()),
    ("rtrim", |text| text.trim_end_matches(' ').to_string()),
    ("initcap", initcap),
    ("soundex", soundex),
    ("quote", |text| format!("'{}'", text.replace('\'', "\\'"))),
];

pub(super) fn functions() -> Vec<ScalarUDF> {
    let of_text = |(name, function): OfText| udf(name, &[Text], Text, move |row| Some(function(row.text(0)?).into()));
    let length = |name| udf(name, &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into()));
    let mut all: Vec<ScalarUDF> = OF_TEXTS.into_iter().map(of_text).collect();
    all.extend([
        length("char_length"),
        length("character_length"),
        udf("levenshtein", &[Text, Text], Int, |row| Some((levenshtein(row.text(0)?, row.text(1)?) as i64).into())),
        udf("base64", &[Bytes], Text, |row| Some(BASE64.encode(row.bytes(0)?).into())),
        udf("unbase64", &[Text], Bytes, |row| Some(from_base64(row.text(0)?)?.into())),
        udf("ascii", &[Text], Int, |row| Some(row.text(0)?.bytes().next().map_or(0, i64::from).into())),
        udf("chr", &[Long], Text, |row| {
            let code = row.long(0)?;
            Some(if code < 0 { String::new() } else { char::from((code % 256) as u8).to_string() }.into())
        }),
        udf("substring_index", &[Text, Text, Long], Text, |row| {
            Some(substring_index(row.text(0)?, row.text(1)?, row.long(2)?).into())
        }),
        udf("instr", &[Text, Text], Int, |row| Some(find(row.text(0)?, row.text(1)?, 1).into())),
        optional_udf("locate", 2, &[Text, Text, Long], Int, |row| {
            let (part, text) = (row.text(0)?, row.text(1)?);
            // Null is the position 0, from which nothing is found.
            let from = if row.len() > 2 { row.long(2).unwrap_or(0) } else { 1 };
            Some(find(text, part, from).into())
        }),
        udf("repeat", &[Text, Long], Text, |row| repeat(row.text(0)?, row.long(1)?)),
        udf("space", &[Long], Text, |row| repeat(" ", row.long(0)?)),
        udf("replace", &[Text, Text, Text], Text, |row| {
            let (text, from, to) = (row.text(0)?, row.text(1)?, row.text(2)?);
            Some(if from.is_empty() { text.to_string() } else { text.replace(from, to) }.into())
        }),
        udf("translate", &[Text, Text, Text], Text, |row| {
            Some(translate(row.text(0)?, row.text(1)?, row.text(2)?).into())
        }),
        udf("split", &[Text, Text], Texts, |row| {
            java_regex::with_pattern(row.text(1)?, |pattern| Some(Value::Texts(pattern.split(row.text(0)?))))
        }),
        udf("rlike", &[Text, Text], Bool, |row| {
            let (text, pattern) = (row.text(0)?, row.text(1)?);
            if pattern.is_empty() {
                return Some(false.into());
            }
            java_regex::with_pattern(pattern, |pattern| Some(pattern.is_match(text).into()))
        }),
        optional_udf("regexp_extract", 2, &[Text, Text, Long], Text, |row| {
            let group = if row.len() > 2 { row.long(2)? } else { 1 };
            let text = row.text(0)?;
            java_regex::with_pattern(row.text(1)?, |pattern| {
                let Some(at) = usize::try_from(group).ok().filter(|group| *group < pattern.groups()) else {
                    return Some(Value::Error(format!("The pattern of regexp_extract has no group {group}.")));
                };
                // Without a match it is empty; a group that is not part of the match is null.
                let Some(found) = pattern.find(text, 0) else { return Some("".into()) };
                found[at].map(|(start, end)| text[start..end].into())
            })
        }),
        udf("regexp_replace", &[Text, Text, Text], Text, |row| {
            let (text, to) = (row.text(0)?, row.text(2)?);
            java_regex::with_pattern(row.text(1)?, |pattern| match Replacement::new(to, pattern) {
                Some(to) => Some(pattern.replace(text, &to).into()),
                None => Some(Value::Error(format!(
                    "'{to}' refers to a group that the pattern of regexp_replace does not have."
                ))),
            })
        }),
        udf("find_in_set", &[Text, Text], Int, |row| {
            let (word, words) = (row.text(0)?, row.text(1)?);
            if word.contains(',') {
                return Some(0.into());
            }
            Some(words.split(',').position(|one| one == word).map_or(0, |at| at as i64 + 1).into())
        }),
        udf("assert_true", &[Bool], Bool, |row| match row.bool(0) {
            Some(true) => None,
            _ => Some(Value::Error("ASSERT_TRUE(): assertion failed.".to_string())),
        }),
        // How often MERGE matches a row of its table.
        udf("hive_met_once", &[Long], Bool, |row| match row.long(0) {
            Some(times) if times > 1 => Some(Value::Error(
                "Cardinality violation in MERGE: more than one source row matches the same row of the table."
                    .to_string(),
            )),
            _ => Some(true.into()),
        }),
        variadic_udf("elt", &[Long, Text], Text, |row| {
            let index = usize::try_from(row.long(0)?).ok().filter(|index| *index > 0)?;
            Some(row.text(index)?.into())
        }),
        variadic_udf("field", &[Text], Int, |row| {
            let Some(word) = row.text(0) else { return Some(0.into()) };
            Some((1..row.len()).find(|index| row.text(*index) == Some(word)).map_or(0, |index| index as i64).into())
        }),
    ]);
    all
}

/// Functions that pad bytes with bytes too.
pub(super) fn pads() -> [ScalarUDF; 2] {
    let pad = |name, left| optional_udf(name, 2, &[Text, Long, Text], Text, move |row| pad(row, left));
    [
        overloaded(pad("lpad", true), When::Bytes(&[0, 2]), bytearray_lpad()),
        overloaded(pad("rpad", false), When::Bytes(&[0, 2]), bytearray_rpad()),
    ]
}

fn initcap(text: &str) -> String {
    let mut fresh = true;
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if fresh {
            out.extend(letter.to_uppercase())
        } else {
            out.extend(letter.to_lowercase())
        }
        fresh = letter.is_whitespace();
    }
    out
}

fn substring_index(text: &str, delimiter: &str, count: i64) -> String {
    if delimiter.is_empty() || count == 0 {
        return String::new();
    }
    let places: Vec<usize> = text.match_indices(delimiter).map(|(at, _)| at).collect();
    let nth = count.unsigned_abs() as usize;
    if nth > places.len() {
        return text.to_string();
    }
    if count > 0 {
        return text[..places[nth - 1]].to_string();
    }
    text[places[places.len() - nth] + delimiter.len()..].to_string()
}

/// The position of a part from a position on, counted from 1; 0 if it is not there.
fn find(text: &str, part: &str, from: i64) -> i64 {
    let Some(skip) = usize::try_from(from - 1).ok() else { return 0 };
    let Some(start) = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(skip) else { return 0 };
    match text[start..].find(part) {
        Some(at) => text[..start + at].chars().count() as i64 + 1,
        None => 0,
    }
}

fn pad(row: &Row<'_>, left: bool) -> Option<Value> {
    let (text, length, fill) = (row.text(0)?, row.long(1)?, if row.len() > 2 { row.text(2)? } else { " " });
    let length = usize::try_from(length).unwrap_or(0);
    if length > MAX_TEXT {
        return Some(Value::Error("A string can't be padded to that length.".to_string()));
    }
    let letters: Vec<char> = text.chars().collect();
    if letters.len() >= length {
        return Some(letters[..length].iter().collect::<String>().into());
    }
    if fill.is_empty() {
        return None;
    }
    let filled: String = fill.chars().cycle().take(length - letters.len()).collect();
    Some(if left { filled + text } else { text.to_string() + &filled }.into())
}

fn repeat(text: &str, count: i64) -> Option<Value> {
    let count = usize::try_from(count).unwrap_or(0);
    if text.len().saturating_mul(count) > MAX_TEXT {
        return Some(Value::Error("A string can't be repeated that many times.".to_string()));
    }
    Some(text.repeat(count).into())
}

fn translate(text: &str, from: &str, to: &str) -> String {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let one = |letter: char| match from.iter().position(|known| *known == letter) {
        Some(at) => to.get(at).copied(),
        None => Some(letter),
    };
    text.chars().filter_map(one).collect()
}

fn soundex(text: &str) -> String {
    let code = |letter: char| match letter {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        'H' | 'W' => '-',
        _ => '0',
    };
    let letters: Vec<char> = text.to_uppercase().chars().filter(char::is_ascii_alphabetic).collect();
    let Some(first) = letters.first() else { return String::new() };
    let (mut out, mut last) = (first.to_string(), code(*first));
    for letter in &letters[1..] {
        let now = code(*letter);
        if now == '-' {
            continue;
        }
        if now != '0' && now != last {
            out.push(now);
        }
        last = now;
    }
    format!("{:0<4}", out.chars().take(4).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_texts() {
        assert_eq!(substring_index("www.apache.org", ".", 2), "www.apache");
        assert_eq!(substring_index("www.apache.org", ".", -1), "org");
        assert_eq!(
            (find("abcabc", "c", 1), find("abcabc", "c", 4), find("äbc", "c", 1), find("a", "b", 1)),
            (3, 6, 3, 0)
        );
        assert_eq!(soundex("Miller"), "M460");
    }
}
