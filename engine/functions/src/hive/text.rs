//! Functions of texts.

use datafusion::logical_expr::ScalarUDF;

use super::java_patterns::{self, Replacement};
use super::rows::Kind::{self, Bool, Int, Long, Text, Texts};
use super::rows::{Def, LONGEST, Row, Value, def, many, opt};
use crate::bytes::padded;
use crate::stock::or_bytes::or_bytes;

pub(super) const FUNCTIONS: &[Def] = &[
    def("ascii", &[Text], Int, |row| Some(row.text(0)?.bytes().next().map_or(0, i64::from).into())),
    def("chr", &[Long], Text, |row| {
        let code = row.long(0)?;
        Some(if code < 0 { String::new() } else { char::from((code % 256) as u8).to_string() }.into())
    }),
    def("char_length", &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into())),
    def("character_length", &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into())),
    def("lower", &[Text], Text, |row| Some(row.text(0)?.to_lowercase().into())),
    def("lcase", &[Text], Text, |row| Some(row.text(0)?.to_lowercase().into())),
    def("upper", &[Text], Text, |row| Some(row.text(0)?.to_uppercase().into())),
    def("ucase", &[Text], Text, |row| Some(row.text(0)?.to_uppercase().into())),
    def("trim", &[Text], Text, |row| Some(row.text(0)?.trim_matches(' ').into())),
    def("ltrim", &[Text], Text, |row| Some(row.text(0)?.trim_start_matches(' ').into())),
    def("rtrim", &[Text], Text, |row| Some(row.text(0)?.trim_end_matches(' ').into())),
    def("initcap", &[Text], Text, |row| Some(initcap(row.text(0)?).into())),
    def("substring_index", &[Text, Text, Long], Text, |row| {
        Some(substring_index(row.text(0)?, row.text(1)?, row.long(2)?).into())
    }),
    def("instr", &[Text, Text], Int, |row| Some(find(row.text(0)?, row.text(1)?, 1).into())),
    opt("locate", 2, &[Text, Text, Long], Int, |row| {
        let (part, text) = (row.text(0)?, row.text(1)?);
        // From nowhere nothing is found.
        let from = if row.len() > 2 { row.long(2).unwrap_or(0) } else { 1 };
        Some(find(text, part, from).into())
    }),
    def("repeat", &[Text, Long], Text, |row| repeat(row.text(0)?, row.long(1)?)),
    def("space", &[Long], Text, |row| repeat(" ", row.long(0)?)),
    def("replace", &[Text, Text, Text], Text, |row| {
        let (text, from, to) = (row.text(0)?, row.text(1)?, row.text(2)?);
        Some(if from.is_empty() { text.to_string() } else { text.replace(from, to) }.into())
    }),
    def("translate", &[Text, Text, Text], Text, |row| Some(translate(row.text(0)?, row.text(1)?, row.text(2)?).into())),
    def("split", &[Text, Text], Texts, |row| {
        java_patterns::with(row.text(1)?, |pattern| Some(Value::Texts(pattern.split(row.text(0)?))))
    }),
    def("rlike", &[Text, Text], Bool, |row| {
        let (text, pattern) = (row.text(0)?, row.text(1)?);
        if pattern.is_empty() {
            return Some(false.into());
        }
        java_patterns::with(pattern, |pattern| Some(pattern.is_match(text).into()))
    }),
    opt("regexp_extract", 2, &[Text, Text, Long], Text, |row| {
        let group = if row.len() > 2 { row.long(2)? } else { 1 };
        let text = row.text(0)?;
        java_patterns::with(row.text(1)?, |pattern| {
            let Some(at) = usize::try_from(group).ok().filter(|group| *group < pattern.groups()) else {
                return Some(Value::Refused(format!("The pattern of regexp_extract has no group {group}.")));
            };
            // Without a match it is empty; a group that takes no part in one is null.
            let Some(found) = pattern.find(text, 0) else { return Some("".into()) };
            found[at].map(|(start, end)| text[start..end].into())
        })
    }),
    def("regexp_replace", &[Text, Text, Text], Text, |row| {
        let (text, to) = (row.text(0)?, row.text(2)?);
        java_patterns::with(row.text(1)?, |pattern| match Replacement::new(to, pattern) {
            Some(to) => Some(pattern.replace(text, &to).into()),
            None => Some(Value::Refused(format!("'{to}' names a group that the pattern of regexp_replace has not."))),
        })
    }),
    def("find_in_set", &[Text, Text], Int, |row| {
        let (word, words) = (row.text(0)?, row.text(1)?);
        if word.contains(',') {
            return Some(0.into());
        }
        Some(words.split(',').position(|one| one == word).map_or(0, |at| at as i64 + 1).into())
    }),
    def("assert_true", &[Bool], Bool, |row| match row.bool(0) {
        Some(true) => None,
        _ => Some(Value::Refused("ASSERT_TRUE(): assertion failed.".to_string())),
    }),
    // How often MERGE meets a row of its table.
    def("hive_met_once", &[Long], Bool, |row| match row.long(0) {
        Some(times) if times > 1 => Some(Value::Refused(
            "Cardinality violation in MERGE: more than one row of the source meets the same row of the table."
                .to_string(),
        )),
        _ => Some(true.into()),
    }),
    many("elt", 1, &[Long, Text], Text, |row| {
        let index = usize::try_from(row.long(0)?).ok().filter(|index| *index > 0)?;
        Some(row.text(index)?.into())
    }),
    many("field", 1, &[Text], Int, |row| {
        let Some(word) = row.text(0) else { return Some(0.into()) };
        Some((1..row.len()).find(|index| row.text(*index) == Some(word)).map_or(0, |index| index as i64).into())
    }),
    def("quote", &[Text], Text, |row| Some(format!("'{}'", row.text(0)?.replace('\'', "\\'")).into())),
];

/// Those that fill bytes up with bytes too.
pub(super) fn pads() -> [ScalarUDF; 2] {
    let (left, right) =
        (opt("lpad", 2, PADDED, Text, |row| pad(row, true)), opt("rpad", 2, PADDED, Text, |row| pad(row, false)));
    [or_bytes(left.udf(), padded::left(), &[0, 2]), or_bytes(right.udf(), padded::right(), &[0, 2])]
}

const PADDED: &[Kind] = &[Text, Long, Text];

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
    let wanted = count.unsigned_abs() as usize;
    if wanted > places.len() {
        return text.to_string();
    }
    if count > 0 {
        return text[..places[wanted - 1]].to_string();
    }
    text[places[places.len() - wanted] + delimiter.len()..].to_string()
}

/// The place of a part from a place on, counted from 1; 0 when it is not there.
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
    if length > LONGEST {
        return Some(Value::Refused("A text may not be padded to that length.".to_string()));
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
    if text.len().saturating_mul(count) > LONGEST {
        return Some(Value::Refused("A text may not be repeated that often.".to_string()));
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
    }
}
