//! Patterns of `SIMILAR TO`, which the planner takes for regular expressions.

use std::iter::Peekable;
use std::str::Chars;

use crate::prelude::*;

/// For patterns that are not literals: the pattern, and the escape character, which is a backslash by default.
pub const SIMILAR_PATTERN: &str = "similar_pattern";

pub(super) fn udf() -> ScalarUDF {
    scalar_udf(
        SIMILAR_PATTERN,
        1..=2,
        takes([is_text], "SIMILAR TO expects a string and a pattern.", DataType::Utf8),
        |args, _| {
            let patterns = text_of(&args[0])?;
            match args.get(1) {
                None => map_rows::<StringArray, _, _>(patterns, |pattern| Ok(similar_pattern(pattern, Some('\\')))),
                Some(escapes) => zip_rows::<StringArray, _, _, _>(patterns, text_of(escapes)?, |pattern, escape| {
                    Ok(similar_pattern(pattern, escape.chars().next()))
                }),
            }
        },
    )
}

/// A regular expression that matches the whole texts that a pattern of SQL matches. `%` is any text and `_` any character.
/// `| * + ? { } ( ) [ ]` mean the same as in regular expressions; other characters that are special there are escaped.
pub fn similar_pattern(pattern: &str, escape: Option<char>) -> String {
    let mut out = String::from("^(?s:");
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            char if Some(char) == escape => out.push_str(&itself(chars.next().unwrap_or(char))),
            '[' => push_class(&mut out, &mut chars, escape),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '|' | '*' | '+' | '?' | '{' | '}' | '(' | ')' => out.push(char),
            char => out.push_str(&itself(char)),
        }
    }
    out + ")$"
}

/// The rest of a set of characters, `[^a-z]`, in which `%` and `_` mean themselves.
fn push_class(out: &mut String, chars: &mut Peekable<Chars<'_>>, escape: Option<char>) {
    out.push('[');
    if chars.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    // A set is not empty, so this bracket does not close it.
    if chars.next_if_eq(&']').is_some() {
        out.push_str(r"\]");
    }
    while let Some(char) = chars.next() {
        match char {
            char if Some(char) == escape => out.push_str(&itself(chars.next().unwrap_or(char))),
            ']' => {
                out.push(']');
                return;
            }
            '[' if chars.peek() == Some(&':') => {
                out.push('[');
                for of_name in chars.by_ref() {
                    out.push(of_name);
                    if of_name == ']' {
                        break;
                    }
                }
            }
            '-' => out.push('-'),
            char => out.push_str(&itself(char)),
        }
    }
}

/// A character that matches itself.
fn itself(char: char) -> String {
    regex::escape(char.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::similar_pattern;

    #[test]
    fn patterns_of_sql_become_regular_expressions() {
        for (pattern, expected) in [
            ("a%", "^(?s:a.*)$"),
            ("_b.c", r"^(?s:.b\.c)$"),
            ("(ab|c)+[0-9%]{2}", "^(?s:(ab|c)+[0-9%]{2})$"),
            ("a{2,3}", "^(?s:a{2,3})$"),
            (r"a\%b\_\\", r"^(?s:a%b_\\)$"),
            ("^a$", r"^(?s:\^a\$)$"),
            ("[^]a_]", r"^(?s:[^\]a_])$"),
            ("[[:alpha:]&]x", r"^(?s:[[:alpha:]\&]x)$"),
        ] {
            let translated = similar_pattern(pattern, Some('\\'));
            assert_eq!(translated, expected);
            assert!(regex::Regex::new(&translated).is_ok(), "{translated}");
        }
        assert_eq!(similar_pattern(r"a#%\", Some('#')), r"^(?s:a%\\)$");
        assert_eq!(similar_pattern("a#%", None), r"^(?s:a\#.*)$");
    }
}
