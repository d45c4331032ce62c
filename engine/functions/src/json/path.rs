//! Paths such as `$.name[0]` into JSON.

use super::text::{elements, member};
use crate::prelude::*;

/// One step of a path.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Name(String),
    /// Below zero it is counted from the end.
    Place(i64),
    /// All items of a list; what is no list is its only one.
    Every,
}

/// The values that steps lead to.
pub(super) fn walk<'a>(json: &'a str, steps: &[Step]) -> Vec<&'a str> {
    steps.iter().fold(vec![json], |values, step| match step {
        Step::Name(name) => values.into_iter().filter_map(|value| member(value, name)).collect(),
        Step::Place(place) => values.into_iter().filter_map(|value| at(&elements(value), *place)).collect(),
        Step::Every => values
            .into_iter()
            .flat_map(|value| if value.starts_with('[') { elements(value) } else { vec![value] })
            .collect(),
    })
}

/// The item at a place, from 0, or from the end below zero.
pub(super) fn at<'a>(items: &[&'a str], place: i64) -> Option<&'a str> {
    let place = if place < 0 { place.checked_add(items.len() as i64)? } else { place };
    items.get(usize::try_from(place).ok()?).copied()
}

/// The steps of `$.a['b c'][0]`.
pub(super) fn parse_path(path: &str) -> Result<Vec<Step>> {
    let wrong = || invalid(format!("'{path}' is not a valid JSON path; write it as $.name or $.list[0]."));
    // The standard's two modes make no difference to paths of names and places.
    let path = path.trim();
    let path = ["lax ", "strict "].iter().find_map(|mode| path.strip_prefix(mode)).unwrap_or(path).trim_start();
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (step, after) = match inside.chars().next() {
                Some(quote @ ('\'' | '"')) => {
                    let (name, after) = inside[1..].split_once(quote).ok_or_else(wrong)?;
                    (Step::Name(name.to_string()), after.strip_prefix(']').ok_or_else(wrong)?)
                }
                Some('*') => (Step::Every, inside[1..].strip_prefix(']').ok_or_else(wrong)?),
                _ => {
                    let (place, after) = inside.split_once(']').ok_or_else(wrong)?;
                    (Step::Place(place.trim().parse().map_err(|_| wrong())?), after)
                }
            };
            steps.push(step);
            rest = after;
            continue;
        }
        if let Some(inside) = rest.strip_prefix(".\"") {
            let (name, after) = until_quote(inside).ok_or_else(wrong)?;
            steps.push(Step::Name(name));
            rest = after;
            continue;
        }
        let name = rest.strip_prefix('.').unwrap_or(if steps.is_empty() { rest } else { "" });
        let end = name.find(['.', '[']).unwrap_or(name.len());
        if end == 0 {
            return Err(wrong());
        }
        steps.push(Step::Name(name[..end].to_string()));
        rest = &name[end..];
    }
    Ok(steps)
}

/// A name and the text behind the quote at its end; a quote in it is doubled, or has a backslash before it.
fn until_quote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        match (letter, next) {
            ('\\', Some(escaped @ ('"' | '\\'))) | ('"', Some(escaped @ '"')) => {
                letters.next();
                name.push(escaped);
            }
            ('"', _) => return Some((name, &text[at + 1..])),
            _ => name.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_or_refused() {
        let name = |name: &str| Step::Name(name.to_string());
        assert_eq!(parse_path("$").unwrap(), []);
        assert_eq!(parse_path("$.a.b[2]").unwrap(), [name("a"), name("b"), Step::Place(2)]);
        assert_eq!(parse_path("$[-1]").unwrap(), [Step::Place(-1)]);
        assert_eq!(parse_path("lax $.a").unwrap(), [name("a")]);
        assert_eq!(parse_path("$[*].a").unwrap(), [Step::Every, name("a")]);
        assert_eq!(parse_path(r#"$."a.b"."c ""d\""[0]"#).unwrap(), [name("a.b"), name(r#"c "d""#), Step::Place(0)]);
        assert_eq!(parse_path("$['a b'][0].c").unwrap(), [name("a b"), Step::Place(0), name("c")]);
        for wrong in ["$[*", "$..a", "$[", "$[x]", "$.a[0]b", "$['a", "$.\"a", "$.\"a\"b"] {
            assert!(parse_path(wrong).is_err(), "{wrong}");
        }
    }
}
