//! What a text may have before its query: comments after `#`, and BigQuery's `DECLARE name TYPE DEFAULT value;`.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Statement};
use datafusion::sql::sqlparser::parser::Parser;

use super::errors;
use crate::syntax::dialect::AnySql;
use crate::syntax::visitor::visit_expressions_mut;
use quarry_types::{Error, ErrorCode, Result};

/// Most declarations of a text.
const MAX_DECLARATIONS: usize = 50;
/// Longest value in bytes: it is copied to wherever its name is.
const MAX_VALUE_BYTES: usize = 500;

/// Names with their values.
#[derive(Debug, Default)]
pub struct Declarations(Vec<(String, Expr)>);

/// The text without the comments after `#` that it begins with.
pub fn without_hash_comments(text: &str) -> String {
    let mut heading = true;
    let line = |line: &str| {
        heading &= line.trim().is_empty() || line.trim_start().starts_with(['#', '-']);
        if heading && line.trim_start().starts_with('#') { String::new() } else { line.to_string() }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Takes the declarations out of a text; blanks stay, so that positions in it do not change.
pub fn take(text: &str) -> Result<(String, Declarations)> {
    let mut declared = Declarations::default();
    let (mut blanks, mut rest) = (String::new(), text);
    while let Some(statement) = declaration(rest) {
        if declared.0.len() == MAX_DECLARATIONS {
            return Err(Error::new(
                ErrorCode::TooComplex,
                format!("The query text declares more than {MAX_DECLARATIONS} names."),
            ));
        }
        let start = statement.trim_start();
        let words = &start["declare".len()..start.len() - 1];
        declared.0.push(parse(words)?);
        blanks.extend(statement.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[statement.len()..];
    }
    Ok((blanks + rest, declared))
}

/// The text up to and with the semicolon when it begins with `DECLARE`.
fn declaration(text: &str) -> Option<&str> {
    let start = text.trim_start();
    let word = start.get(.."declare".len())?;
    if !word.eq_ignore_ascii_case("declare") || !start[word.len()..].starts_with(char::is_whitespace) {
        return None;
    }
    let mut quoted = false;
    let end = text.char_indices().find(|(_, c)| {
        quoted ^= *c == '\'';
        *c == ';' && !quoted
    });
    end.map(|(index, _)| &text[..=index])
}

/// `name TYPE DEFAULT value`
fn parse(words: &str) -> Result<(String, Expr)> {
    let wrong = || Error::new(ErrorCode::Syntax, "Syntax error. Write DECLARE name TYPE DEFAULT value;");
    let lower = words.to_ascii_lowercase();
    let place = lower.find(" default ").ok_or_else(wrong)?;
    let name = words[..place].split_whitespace().next().ok_or_else(wrong)?;
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(wrong());
    }
    let value = words[place + " default ".len()..].trim();
    if value.len() > MAX_VALUE_BYTES {
        return Err(Error::new(
            ErrorCode::TooComplex,
            format!("A declared value has at most {MAX_VALUE_BYTES} bytes."),
        ));
    }
    let parser = Parser::new(&AnySql).with_recursion_limit(50).try_with_sql(value);
    let expr = parser.and_then(|mut parser| parser.parse_expr()).map_err(|error| errors::syntax(&error.to_string()))?;
    Ok((name.to_lowercase(), expr))
}

impl Declarations {
    /// Puts the values into the parsed statement.
    pub fn fill(&self, statement: &mut Statement) {
        if self.0.is_empty() {
            return;
        }
        let _: ControlFlow<()> = visit_expressions_mut(statement, |expr| {
            if let Expr::Identifier(name) = expr
                && name.quote_style.is_none()
                && let Some((_, value)) = self.0.iter().find(|(known, _)| *known == name.value.to_lowercase())
            {
                *expr = Expr::Nested(Box::new(value.clone()));
            }
            ControlFlow::Continue(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_taken_out() {
        let text = "DECLARE a STRING DEFAULT lower('X;Y');\nDECLARE n INT64 DEFAULT 5;\nselect a, n";
        let (rest, declared) = take(text).unwrap();
        assert_eq!(rest.trim(), "select a, n");
        assert_eq!(rest.len(), text.len());
        assert_eq!(declared.0.len(), 2);
        assert_eq!(declared.0[0].1.to_string(), "lower('X;Y')");
        assert!(take("declare a default ;select 1").is_err());
        assert_eq!(take("select 'declare x'").unwrap().0, "select 'declare x'");
    }
}
