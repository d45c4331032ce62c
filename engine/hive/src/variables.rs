//! `${hiveconf:x}`, `${hivevar:x}` and `${x}`: what a `SET` before them says, put into the text as it is.

use std::collections::HashMap;

use datafusion::sql::sqlparser::tokenizer::{Location, TokenWithSpan};

use quarry_sql::bounds;
use quarry_types::Result;

/// A text whose variables have their values, and where they stood.
pub(super) struct Filled {
    pub text: String,
    edits: Vec<Edit>,
}

/// A value that stands in the place of a name: its line, where it begins and how long it and the name are.
struct Edit {
    line: u64,
    column: u64,
    value: u64,
    name: u64,
}

#[derive(Default)]
struct Variables {
    /// Of Hive's settings.
    conf: HashMap<String, String>,
    /// Of the script.
    own: HashMap<String, String>,
}

/// Puts the values in. A variable that nobody set stays as it is written.
pub(super) fn fill(text: &str, max_bytes: usize) -> Result<Filled> {
    let mut filled = Filled { text: String::with_capacity(text.len()), edits: Vec::new() };
    if !text.contains("${") {
        filled.text.push_str(text);
        return Ok(filled);
    }
    let mut variables = Variables::default();
    let (mut line, mut column) = (1, 1);
    let (mut statement, mut quote) = (0, None);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        let found = rest.strip_prefix("${").and_then(|inside| inside.split_once('}'));
        if let Some((name, value)) = found.and_then(|(name, _)| Some((name, variables.get(name)?))) {
            let chars = |text: &str| text.chars().count() as u64;
            let edit = Edit { line, column, value: chars(value), name: chars(name) + 3 };
            column += edit.value;
            filled.edits.push(edit);
            filled.text.push_str(value);
            bounds::bytes(&filled.text, max_bytes)?;
            rest = &rest[name.len() + 3..];
            continue;
        }
        match (quote, letter) {
            (Some('-'), '\n') => quote = None,
            (Some('-'), _) => {}
            (Some('\'' | '"'), '\\') => taken += rest[1..].chars().next().map_or(0, char::len_utf8),
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '-') if rest.starts_with("--") => quote = Some('-'),
            (None, ';') => {
                variables.set(&filled.text[statement..]);
                statement = filled.text.len() + 1;
            }
            _ => {}
        }
        for letter in rest[..taken].chars() {
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        filled.text.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    Ok(filled)
}

impl Variables {
    fn get(&self, name: &str) -> Option<&String> {
        match name.trim().split_once(':') {
            Some(("hiveconf", name)) => self.conf.get(name),
            Some(("hivevar", name)) => self.own.get(name),
            Some(_) => None,
            None => self.own.get(name.trim()),
        }
    }

    /// Remembers what a statement sets, when it sets something.
    fn set(&mut self, statement: &str) {
        let code = statement.lines().filter(|line| !line.trim_start().starts_with("--"));
        let code = code.collect::<Vec<_>>().join(" ");
        let Some((word, rest)) = code.trim().split_once(char::is_whitespace) else { return };
        if !word.eq_ignore_ascii_case("set") {
            return;
        }
        let Some((name, value)) = rest.split_once('=') else { return };
        let (name, value) = (name.trim(), value.trim().to_string());
        match name.split_once(':') {
            Some(("hivevar", name)) => self.own.insert(name.to_string(), value),
            Some(("hiveconf", name)) => self.conf.insert(name.to_string(), value),
            _ => self.conf.insert(name.to_string(), value),
        };
    }
}

impl Filled {
    /// The tokens with the places that they have in the text as it was written.
    pub fn place(&self, tokens: &mut [TokenWithSpan]) {
        if self.edits.is_empty() {
            return;
        }
        for token in tokens {
            token.span.start = self.written(token.span.start);
            token.span.end = self.written(token.span.end);
        }
    }

    fn written(&self, at: Location) -> Location {
        let mut column = at.column;
        for edit in self.edits.iter().filter(|edit| edit.line == at.line).rev() {
            if at.column >= edit.column + edit.value {
                column = column + edit.name - edit.value;
            } else if at.column >= edit.column {
                column = edit.column;
            }
        }
        Location { line: at.line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        fill(text, 1_000).unwrap().text
    }

    #[test]
    fn variables_have_the_values_that_were_set() {
        assert_eq!(filled("set a=5; select ${hiveconf:a}, '${a}'"), "set a=5; select 5, '${a}'");
        assert_eq!(
            filled("set hivevar:b = x y ;\nselect '${b}' ${hivevar:b}"),
            "set hivevar:b = x y ;\nselect 'x y' x y"
        );
        assert_eq!(filled("set a=1; set a=${hiveconf:a}2; select ${hiveconf:a}"), "set a=1; set a=12; select 12");
        assert_eq!(filled("select ';set a=1', ${hiveconf:a}"), "select ';set a=1', ${hiveconf:a}");
        assert!(fill(&format!("set a=xx;{}", "set a=${hiveconf:a}${hiveconf:a};".repeat(40)), 10_000).is_err());
    }

    #[test]
    fn places_are_those_of_the_written_text() {
        let filled = fill("set a=12345678901234567890;\nselect ${hiveconf:a} x ${hiveconf:a} y", 1_000).unwrap();
        let at = |column| filled.written(Location { line: 2, column }).column;
        assert_eq!((at(1), at(8), at(9)), (1, 8, 8));
        // The `x` behind the first value, and the `y` behind the second.
        assert_eq!((at(29), at(52)), (22, 38));
    }
}
