//! Replacements of matches of a regular expression: `$1` of Trino, `\1` of BigQuery and PostgreSQL.

use std::fmt::Write;

use regex::Regex;

/// A replacement in the syntax of the `regex` crate; `None` when it names a group that the pattern lacks. Behind a backslash a digit
/// names a group, and any other letter is itself.
pub(super) fn translate(text: &str, pattern: &Regex) -> Option<String> {
    let count = pattern.captures_len();
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '$' if letters.next_if_eq(&'{').is_some() => {
                let name: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                if !pattern.capture_names().flatten().any(|known| known == name) {
                    return None;
                }
                let _ = write!(out, "${{{name}}}");
            }
            '$' if letters.peek().is_some_and(char::is_ascii_digit) => {
                // As many digits as name an existing group.
                let mut group = None;
                while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
                    let longer = group.unwrap_or(0) * 10 + digit as usize;
                    if group.is_some() && longer >= count {
                        break;
                    }
                    letters.next();
                    group = Some(longer);
                }
                let group = group.filter(|group| *group < count)?;
                let _ = write!(out, "${{{group}}}");
            }
            '\\' => match letters.next() {
                Some(digit) if digit.is_ascii_digit() => {
                    let group = digit.to_digit(10).map(|digit| digit as usize).filter(|group| *group < count)?;
                    let _ = write!(out, "${{{group}}}");
                }
                Some('$') => out.push_str("$$"),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            '$' => out.push_str("$$"),
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_trino_and_of_others() {
        let pattern = Regex::new("(?<first>a)(b)").unwrap();
        let replaced =
            |text: &str| translate(text, &pattern).map(|to| pattern.replace_all("xab", to.as_str()).into_owned());
        for (text, wanted) in [
            ("$2$1", "xba"),
            ("$1x", "xax"),
            // There is no group 12: group 1, and a 2.
            ("$12", "xa2"),
            ("${first}!", "xa!"),
            (r"\$1", "x$1"),
            (r"\2\1", "xba"),
            ("1$", "x1$"),
            (r"a\", r"xa\"),
        ] {
            assert_eq!(replaced(text).as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(replaced("$3"), None);
        assert_eq!(replaced("${nobody}"), None);
    }
}
