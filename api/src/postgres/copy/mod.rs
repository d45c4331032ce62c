//! `COPY … TO STDOUT`: sends the rows of a query or table as text, CSV or PostgreSQL's binary format.

mod options;
mod write;

use std::ops::Range;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::statement::{self, Places, Statement, What};
use super::wire::Fault;
use super::words::Words;
pub use options::{Force, Form, Format};
pub use write::Copied;

/// A `COPY` to the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The query whose rows are sent.
    pub query: Statement,
    pub form: Form,
}

/// Parses the `COPY` at these bytes of the text.
pub fn parse(places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> Result<Copy, Fault> {
    let mut words = Words::new(tokens);
    words.take("copy");
    let binary = words.take("binary");
    let query = source(places, at, &mut words)?;
    match words.take_one(&["to", "from"]) {
        Some("to") => {}
        Some(_) => {
            let message =
                "COPY … FROM is not allowed: queries are read-only. Upload a file on the web to make a table of it.";
            return Err(Fault::new("25006", message));
        }
        None => return Err(unexpected(&words, "TO STDOUT")),
    }
    if words.take("program") || words.text().is_some() {
        let message = "COPY to a file or program of the server is not allowed. COPY … TO STDOUT sends the rows to the \
                       client; psql's \\copy writes them to a file there.";
        return Err(Fault::new("42501", message));
    }
    if !words.take("stdout") && !words.take("stdin") {
        return Err(unexpected(&words, "STDOUT"));
    }
    let form = options::read(&mut words, binary)?;
    if !words.are_read() {
        return Err(unexpected(&words, "the end of the statement"));
    }
    Ok(Copy { query, form })
}

/// The query to copy. A table becomes `select … from` it.
fn source(places: &Places, at: Range<usize>, words: &mut Words<'_>) -> Result<Statement, Fault> {
    if let Some(inside) = words.within_brackets() {
        let query = statement::within(places, at, inside)?;
        return match query.what {
            What::Query(_) | What::Catalogue => Ok(query),
            _ => Err(Fault::new("42601", "COPY needs a query in its parentheses.")),
        };
    }
    let table = words.left();
    while words.name().is_some() && words.take_sign(&Token::Period) {}
    let table = &table[..table.len() - words.left().len()];
    if table.is_empty() {
        return Err(unexpected(words, "a table, or a query in parentheses"));
    }
    let columns = match words.within_brackets() {
        None => "*".to_string(),
        Some(inside) => inside.iter().map(|token| token.token.to_string()).collect(),
    };
    statement::of_table(places, at, table, &columns)
}

fn unexpected(words: &Words<'_>, expected: &str) -> Fault {
    let found = words.peek().map_or_else(|| "the end".to_string(), |token| token.token.to_string());
    Fault::new("42601", format!("Syntax error. Expected: {expected}, found: {found}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::statement::split;

    fn copied(text: &str) -> Copy {
        let What::Copy(copy) = split(text).unwrap().remove(0).what else { panic!("{text}") };
        *copy
    }

    fn query(text: &str) -> String {
        match copied(text).query.what {
            What::Query(query) => query.text.trim().to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn queries_and_tables_are_copied() {
        assert_eq!(query("copy (select 1 from (select 2) t) to stdout"), "select 1 from (select 2) t");
        assert_eq!(query("COPY ethereum.\"blocks\" TO STDOUT"), "select * from ethereum.\"blocks\"");
        assert_eq!(query("copy blocks (number, hash) to stdout (format csv)"), "select number, hash from blocks");
        assert_eq!(copied("copy pg_catalog.pg_class to stdout").query.what, What::Catalogue);
        assert_eq!(copied("copy binary blocks to stdout").form.format, Format::Binary);
        // Error positions refer to the statement as written.
        for (text, letter) in [("copy (select é, x) to stdout", 'x'), ("copy é.x to stdout", 'x')] {
            let What::Query(query) = copied(text).query.what else { panic!() };
            let column = query.text.chars().position(|found| found == letter).unwrap() as u64 + 1;
            assert_eq!(text.chars().nth(query.position(1, column) - 1), Some(letter), "{text}");
        }
    }

    #[test]
    fn only_copies_to_the_client_are_allowed() {
        for (text, state) in [
            ("copy blocks from stdin", "25006"),
            ("copy blocks (number) from '/etc/passwd'", "25006"),
            ("copy blocks to '/tmp/x'", "42501"),
            ("copy (select 1) to program 'sh'", "42501"),
            ("copy blocks", "42601"),
            ("copy to stdout", "42601"),
            ("copy (select 1 to stdout", "42601"),
            ("copy (begin) to stdout", "42601"),
            ("copy (copy blocks to stdout) to stdout", "42601"),
            ("copy blocks to stdout nonsense", "42601"),
        ] {
            assert_eq!(split(text).unwrap_err().state, state, "{text}");
        }
    }
}
