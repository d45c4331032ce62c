//! Regular expressions of Java in linear time: lookaround and backreferences are refused.

use std::cell::RefCell;

use regex::{Regex, RegexBuilder};

use super::java_regex_syntax::translate;
use super::row_functions::{MAX_TEXT, Value};

/// Most bytes of a compiled pattern.
const MAX_COMPILED: usize = 4 << 20;

/// A compiled pattern.
pub(super) struct Pattern(Regex);

/// The start and end of the groups of a match; the first group is the whole match.
type Groups = Vec<Option<(usize, usize)>>;

impl Pattern {
    /// `None` for an invalid pattern, or one that needs backtracking.
    pub fn new(java: &str) -> Option<Pattern> {
        let translated = translate(java).filter(|translated| !translated.backtracks)?;
        RegexBuilder::new(&translated.text).size_limit(MAX_COMPILED).build().ok().map(Pattern)
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The number of groups, with the whole match.
    pub fn groups(&self) -> usize {
        self.0.captures_len()
    }

    /// The number of the group of a name.
    fn named(&self, name: &str) -> Option<usize> {
        self.0.capture_names().position(|known| known == Some(name))
    }

    /// The first match from an offset on.
    pub fn find(&self, text: &str, from: usize) -> Option<Groups> {
        let found = self.0.captures_at(text, from)?;
        Some(found.iter().map(|group| group.map(|group| (group.start(), group.end()))).collect())
    }

    /// Calls `work` with every match until it answers `false`. As in Java an empty match may directly follow another one.
    fn each_match(&self, text: &str, mut work: impl FnMut(&Groups, (usize, usize)) -> bool) {
        let mut from = 0;
        while from <= text.len() {
            let Some(groups) = self.find(text, from) else { break };
            let Some(Some((start, end))) = groups.first().copied() else { break };
            if !work(&groups, (start, end)) {
                break;
            }
            from = if start == end { end + text[end..].chars().next().map_or(1, char::len_utf8) } else { end };
        }
    }

    /// A text with every match replaced.
    pub fn replace(&self, text: &str, by: &Replacement) -> String {
        let (mut out, mut done) = (String::new(), 0);
        self.each_match(text, |groups, (start, end)| {
            out.push_str(&text[done..start]);
            for piece in &by.0 {
                match piece {
                    Piece::Text(piece) => out.push_str(piece),
                    Piece::Group(group) => {
                        let found = groups.get(*group).copied().flatten();
                        out.push_str(found.map_or("", |(start, end)| &text[start..end]));
                    }
                }
            }
            done = end;
            // A longer text is refused anyway.
            out.len() <= MAX_TEXT
        });
        out.push_str(&text[done..]);
        out
    }

    /// The parts of a text between the matches; an empty match at the start splits nothing off.
    pub fn split(&self, text: &str) -> Vec<Option<String>> {
        let (mut parts, mut done) = (Vec::new(), 0);
        self.each_match(text, |_, (start, end)| {
            if end > 0 {
                parts.push(Some(text[done..start].to_string()));
                done = end;
            }
            true
        });
        parts.push(Some(text[done..].to_string()));
        parts
    }
}

/// The replacement of a match, with groups as `$1` or `${name}`; a backslash escapes a letter.
pub(super) struct Replacement(Vec<Piece>);

enum Piece {
    Text(String),
    Group(usize),
}

impl Replacement {
    /// `None` if it names a group that the pattern does not have.
    pub fn new(text: &str, pattern: &Pattern) -> Option<Replacement> {
        let (mut pieces, mut plain) = (Vec::new(), String::new());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let group = match letter {
                '\\' => {
                    plain.extend(letters.next());
                    continue;
                }
                '$' if letters.next_if_eq(&'{').is_some() => {
                    let name: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                    pattern.named(&name)?
                }
                '$' => {
                    // Takes digits as long as there is a group of that number.
                    let mut group = letters.next()?.to_digit(10)? as usize;
                    while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
                        let longer = group * 10 + digit as usize;
                        if longer >= pattern.groups() {
                            break;
                        }
                        letters.next();
                        group = longer;
                    }
                    Some(group).filter(|group| *group < pattern.groups())?
                }
                other => {
                    plain.push(other);
                    continue;
                }
            };
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
            pieces.push(Piece::Group(group));
        }
        pieces.push(Piece::Text(plain));
        Some(Replacement(pieces))
    }
}

thread_local! {
    /// The last pattern: mostly it is the same for every row.
    static LAST: RefCell<Option<(String, Pattern)>> = const { RefCell::new(None) };
}

/// Runs work with a pattern, compiled once.
pub(super) fn with_pattern(pattern: &str, work: impl FnOnce(&Pattern) -> Option<Value>) -> Option<Value> {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(text, _)| text != pattern) {
            let Some(compiled) = Pattern::new(pattern) else {
                let start: String = pattern.chars().take(60).collect();
                return Some(Value::Error(format!("'{start}' is not a supported regular expression.")));
            };
            *last = Some((pattern.to_string(), compiled));
        }
        work(&last.as_ref()?.1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(pattern: &str, text: &str, by: &str) -> Option<String> {
        let pattern = Pattern::new(pattern).unwrap();
        Some(pattern.replace(text, &Replacement::new(by, &pattern)?))
    }

    #[test]
    fn matches_are_replaced_as_in_java() {
        for (pattern, text, by, wanted) in [
            ("a*", "aab", "x", "xxbx"),
            ("(a)(b)", "xab", "$2$1", "xba"),
            ("(a)(b)", "xab", "$12", "xa2"),
            ("(?<one>a)b", "xab", "${one}!", "xa!"),
            ("a", "xab", r"\$1", "x$1b"),
        ] {
            assert_eq!(replaced(pattern, text, by).as_deref(), Some(wanted), "{pattern}");
        }
        assert_eq!(replaced("(a)", "a", "$2"), None);
        assert_eq!(replaced("(a)", "a", "$"), None);
    }

    #[test]
    fn texts_are_split_as_in_java() {
        let split = |pattern: &str, text: &str| {
            let parts = Pattern::new(pattern).unwrap().split(text);
            parts.into_iter().flatten().collect::<Vec<_>>().join("|")
        };
        assert_eq!(split("", "abc"), "a|b|c|");
        assert_eq!(split(",", ",a,,b,"), "|a||b|");
        assert_eq!(split("x", ""), "");
    }

    #[test]
    fn patterns_that_backtrack_are_refused() {
        for pattern in ["(?=a)b", r"(a)\1", "(?<!a)b", "a*+b"] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
    }
}
