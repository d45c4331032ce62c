//! Functions of texts.

use std::cell::RefCell;

use regex::Regex;

use super::numerals;
use super::rows::Kind::{Bool, Double, Int, Long, Text, Texts};
use super::rows::{Def, LONGEST, Row, Value, def, many, opt};
use crate::functions::replacement;

pub(super) const FUNCTIONS: &[Def] = &[
    def("ascii", &[Text], Int, |row| Some(row.text(0)?.bytes().next().map_or(0, i64::from).into())),
    def("chr", &[Long], Text, |row| {
        let code = row.long(0)?;
        Some(if code < 0 { String::new() } else { char::from((code % 256) as u8).to_string() }.into())
    }),
    def("length", &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into())),
    def("char_length", &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into())),
    def("character_length", &[Text], Int, |row| Some((row.text(0)?.chars().count() as i64).into())),
    def("octet_length", &[Text], Int, |row| Some((row.text(0)?.len() as i64).into())),
    def("lower", &[Text], Text, |row| Some(row.text(0)?.to_lowercase().into())),
    def("lcase", &[Text], Text, |row| Some(row.text(0)?.to_lowercase().into())),
    def("upper", &[Text], Text, |row| Some(row.text(0)?.to_uppercase().into())),
    def("ucase", &[Text], Text, |row| Some(row.text(0)?.to_uppercase().into())),
    def("reverse", &[Text], Text, |row| Some(row.text(0)?.chars().rev().collect::<String>().into())),
    def("trim", &[Text], Text, |row| Some(row.text(0)?.trim_matches(' ').into())),
    def("ltrim", &[Text], Text, |row| Some(row.text(0)?.trim_start_matches(' ').into())),
    def("rtrim", &[Text], Text, |row| Some(row.text(0)?.trim_end_matches(' ').into())),
    def("initcap", &[Text], Text, |row| Some(initcap(row.text(0)?).into())),
    opt("substr", 2, &[Text, Long, Long], Text, substr),
    opt("substring", 2, &[Text, Long, Long], Text, substr),
    def("substring_index", &[Text, Text, Long], Text, |row| {
        Some(substring_index(row.text(0)?, row.text(1)?, row.long(2)?).into())
    }),
    def("instr", &[Text, Text], Int, |row| Some(find(row.text(0)?, row.text(1)?, 1).into())),
    opt("locate", 2, &[Text, Text, Long], Int, |row| {
        let from = if row.len() > 2 { row.long(2)? } else { 1 };
        Some(find(row.text(1)?, row.text(0)?, from).into())
    }),
    opt("lpad", 2, &[Text, Long, Text], Text, |row| pad(row, true)),
    opt("rpad", 2, &[Text, Long, Text], Text, |row| pad(row, false)),
    def("repeat", &[Text, Long], Text, |row| repeat(row.text(0)?, row.long(1)?)),
    def("space", &[Long], Text, |row| repeat(" ", row.long(0)?)),
    def("replace", &[Text, Text, Text], Text, |row| {
        let (text, from, to) = (row.text(0)?, row.text(1)?, row.text(2)?);
        Some(if from.is_empty() { text.to_string() } else { text.replace(from, to) }.into())
    }),
    def("translate", &[Text, Text, Text], Text, |row| Some(translate(row.text(0)?, row.text(1)?, row.text(2)?).into())),
    def("split", &[Text, Text], Texts, |row| split(row.text(0)?, row.text(1)?)),
    def("rlike", &[Text, Text], Bool, |row| regex(row.text(1)?, |pattern| pattern.is_match(row.text(0)?).into_some())),
    opt("regexp_extract", 2, &[Text, Text, Long], Text, |row| {
        let group = if row.len() > 2 { row.long(2)? } else { 1 };
        let text = row.text(0)?;
        regex(row.text(1)?, |pattern| {
            match usize::try_from(group).ok().filter(|group| *group < pattern.captures_len()) {
                Some(group) => {
                    let found =
                        pattern.captures(text).and_then(|found| found.get(group)).map_or("", |part| part.as_str());
                    Some(found.into())
                }
                None => Some(Value::Refused(format!("The pattern of regexp_extract has no group {group}."))),
            }
        })
    }),
    def("regexp_replace", &[Text, Text, Text], Text, |row| {
        let (text, to) = (row.text(0)?, row.text(2)?);
        regex(row.text(1)?, |pattern| match replacement::of(to, pattern, false) {
            Some(to) => Some(pattern.replace_all(text, to.as_str()).into_owned().into()),
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
    def("format_number", &[Double, Text], Text, |row| {
        let (number, form) = (row.double(0)?, row.text(1)?);
        match form.parse::<i64>() {
            Ok(decimals) => numerals::with_decimals(number, decimals),
            Err(_) => numerals::by_pattern(number, form),
        }
    }),
    def("assert_true", &[Bool], Bool, |row| match row.bool(0) {
        Some(true) => None,
        _ => Some(Value::Refused("ASSERT_TRUE(): assertion failed.".to_string())),
    }),
    many("concat", 1, &[Text], Text, |row| {
        (0..row.len()).map(|index| row.text(index)).collect::<Option<String>>().map(Into::into)
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

/// Brings a truth into the answer of a row.
trait IntoSome {
    fn into_some(self) -> Option<Value>;
}

impl IntoSome for bool {
    fn into_some(self) -> Option<Value> {
        Some(self.into())
    }
}

thread_local! {
    /// The pattern used last: mostly it is the same for every row.
    static LAST: RefCell<Option<(String, Regex)>> = const { RefCell::new(None) };
}

/// Runs work with a compiled pattern.
pub(super) fn regex(pattern: &str, work: impl FnOnce(&Regex) -> Option<Value>) -> Option<Value> {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(text, _)| text != pattern) {
            match regex::RegexBuilder::new(pattern).size_limit(4 << 20).build() {
                Ok(compiled) => *last = Some((pattern.to_string(), compiled)),
                Err(_) => {
                    let shown: String = pattern.chars().take(60).collect();
                    return Some(Value::Refused(format!("'{shown}' is not a regular expression that runs here.")));
                }
            }
        }
        last.as_ref().and_then(|(_, compiled)| work(compiled))
    })
}

fn split(text: &str, pattern: &str) -> Option<Value> {
    regex(pattern, |pattern| {
        // As in Java: a match of nothing at the start splits nothing off.
        let mut parts: Vec<Option<String>> = pattern.split(text).map(|part| Some(part.to_string())).collect();
        if parts.len() > 1
            && parts[0].as_deref() == Some("")
            && pattern.find(text).is_some_and(|found| found.is_empty())
        {
            parts.remove(0);
        }
        Some(Value::Texts(parts))
    })
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

/// From a place that counts from 1, or from the end when it is negative.
fn substr(row: &Row<'_>) -> Option<Value> {
    let (text, start) = (row.text(0)?, row.long(1)?);
    let length = if row.len() > 2 { row.long(2)? } else { i64::MAX };
    let letters = if text.is_ascii() { text.len() } else { text.chars().count() } as i64;
    let from = match start {
        0 => 0,
        start if start > 0 => start - 1,
        start => letters.saturating_add(start),
    };
    if from < 0 || from >= letters || length <= 0 {
        return Some("".into());
    }
    let take = length.min(letters - from) as usize;
    if text.is_ascii() {
        return Some(text[from as usize..from as usize + take].into());
    }
    Some(text.chars().skip(from as usize).take(take).collect::<String>().into())
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
