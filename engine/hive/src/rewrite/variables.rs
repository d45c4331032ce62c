//! `${hiveconf:x}`, `${hivevar:x}` and `${x}`: the value of a `SET` before them takes their place in the text.

use std::collections::HashMap;

use datafusion::sql::sqlparser::tokenizer::{Location, TokenWithSpan};

use quarry_sql::limits;
use quarry_types::Result;

/// A text whose variables have been replaced, and where they were.
pub(crate) struct Substituted {
    pub text: String,
    replacements: Vec<Replacement>,
}

/// A value in place of a variable: where it begins, and how long it and the variable are.
struct Replacement {
    line: u64,
    column: u64,
    value: u64,
    variable: u64,
}

#[derive(Default)]
struct Variables {
    hiveconf: HashMap<String, String>,
    hivevar: HashMap<String, String>,
}

/// Replaces variables by their values. One that has not been set stays as it is written.
pub(super) fn substitute(out: &mut Substituted, max_bytes: usize) -> Result<()> {
    if !out.text.contains("${") {
        return Ok(());
    }
    let text = std::mem::take(&mut out.text);
    let mut variables = Variables::default();
    let (mut line, mut column) = (1, 1);
    let (mut statement, mut quote) = (0, None);
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        let inside = rest.strip_prefix("${").and_then(|inside| inside.split_once('}'));
        if let Some((name, value)) = inside.and_then(|(name, _)| Some((name, variables.get(name)?))) {
            let chars = |text: &str| text.chars().count() as u64;
            let replacement = Replacement { line, column, value: chars(value), variable: chars(name) + 3 };
            column += replacement.value;
            out.replacements.push(replacement);
            out.text.push_str(value);
            limits::bytes(&out.text, max_bytes)?;
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
                variables.set(&out.text[statement..]);
                statement = out.text.len() + 1;
            }
            _ => {}
        }
        for letter in rest[..taken].chars() {
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        out.text.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    Ok(())
}

impl Variables {
    fn get(&self, name: &str) -> Option<&String> {
        match name.trim().split_once(':') {
            Some(("hiveconf", name)) => self.hiveconf.get(name),
            Some(("hivevar", name)) => self.hivevar.get(name),
            Some(_) => None,
            None => self.hivevar.get(name.trim()),
        }
    }

    /// Keeps the variable that a statement sets, if it does.
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
            Some(("hivevar", name)) => self.hivevar.insert(name.to_string(), value),
            Some(("hiveconf", name)) => self.hiveconf.insert(name.to_string(), value),
            _ => self.hiveconf.insert(name.to_string(), value),
        };
    }
}

impl Substituted {
    pub fn new(text: &str) -> Substituted {
        Substituted { text: text.to_string(), replacements: Vec::new() }
    }

    /// Gives tokens their places in the text before the substitution.
    pub fn restore_places(&self, tokens: &mut [TokenWithSpan]) {
        for token in tokens {
            token.span.start = self.original(token.span.start);
            token.span.end = self.original(token.span.end);
        }
    }

    fn original(&self, at: Location) -> Location {
        let mut column = at.column;
        for replacement in self.replacements.iter().filter(|replacement| replacement.line == at.line).rev() {
            if at.column >= replacement.column + replacement.value {
                column = column + replacement.variable - replacement.value;
            } else if at.column >= replacement.column {
                column = replacement.column;
            }
        }
        Location { line: at.line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn substituted(text: &str) -> Result<Substituted> {
        let mut text = Substituted::new(text);
        substitute(&mut text, 10_000).map(|()| text)
    }

    #[test]
    fn variables_have_the_values_that_were_set() {
        for (text, expected) in [
            ("set a=5; select ${hiveconf:a}, '${a}'", "set a=5; select 5, '${a}'"),
            ("set hivevar:b = x y ;\nselect '${b}' ${hivevar:b}", "set hivevar:b = x y ;\nselect 'x y' x y"),
            ("set a=1; set a=${hiveconf:a}2; select ${hiveconf:a}", "set a=1; set a=12; select 12"),
            ("select ';set a=1', ${hiveconf:a}", "select ';set a=1', ${hiveconf:a}"),
        ] {
            assert_eq!(substituted(text).unwrap().text, expected);
        }
        assert!(substituted(&format!("set a=xx;{}", "set a=${hiveconf:a}${hiveconf:a};".repeat(40))).is_err());
    }

    #[test]
    fn places_are_those_of_the_original_text() {
        let text = substituted("set a=12345678901234567890;\nselect ${hiveconf:a} x ${hiveconf:a} y").unwrap();
        let original = |column| text.original(Location { line: 2, column }).column;
        assert_eq!((original(1), original(8), original(9)), (1, 8, 8));
        // The `x` after the first value, and the `y` after the second.
        assert_eq!((original(29), original(52)), (22, 38));
    }
}
