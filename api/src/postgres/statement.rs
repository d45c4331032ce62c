//! What a text asks for: one of the words of a session, a question about the catalogue, or a query for the engine.

use std::ops::Range;

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::places::{number, types};
use super::wire::Fault;

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// As it was written.
    pub text: String,
    /// Characters before it, where several statements were written.
    pub before: usize,
    /// Types of the values it takes, `$1`, `$2`, … up to the highest, as far as their places tell them; 0 for others.
    pub types: Vec<u32>,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Empty,
    /// Begins, ends or fails a transaction. There is nothing to undo, so only the client's view of it changes.
    Begin,
    End(&'static str),
    /// Answered with this tag; nothing happens.
    Nothing(&'static str),
    /// Forgets a prepared statement, or all.
    Deallocate(Option<String>),
    /// A setting of the session.
    Show(String),
    /// About tables and types, answered from a small database that looks like `pg_catalog`.
    Catalogue,
    /// Anything else: SQL for the engine.
    Query(Bindable),
}

/// A query whose `$1` stand as parameters of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindable {
    pub text: String,
    /// Where the text grew: characters of the new text before that place, and by how many.
    grown: Vec<(usize, usize)>,
}

/// Settings that clients set at the start. None of them changes an answer: times are UTC and without a zone, texts UTF-8.
const SETTINGS: [&str; 24] = [
    "application_name",
    "bytea_output",
    "characteristics",
    "client_encoding",
    "client_min_messages",
    "datestyle",
    "default_transaction_isolation",
    "default_transaction_read_only",
    "extra_float_digits",
    "geqo",
    "idle_in_transaction_session_timeout",
    "intervalstyle",
    "jit",
    "lc_monetary",
    "lc_numeric",
    "lock_timeout",
    "names",
    "row_security",
    "search_path",
    "standard_conforming_strings",
    "statement_timeout",
    "synchronize_seqscans",
    "time",
    "timezone",
];

/// Functions about the session; a query of nothing but these is one about the catalogue.
const SESSION: [&str; 6] =
    ["version", "current_database", "current_schema", "current_schemas", "current_setting", "set_config"];
/// Those of them that have no brackets.
const SESSION_WORDS: [&str; 4] = ["current_user", "session_user", "current_catalog", "current_schema"];

/// The statements of a text; a text that can't be taken apart is one query, and the engine says what is wrong.
pub fn split(text: &str) -> Result<Vec<Statement>, Fault> {
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location() else {
        let query = Bindable { text: text.to_string(), grown: Vec::new() };
        return Ok(vec![Statement { text: text.to_string(), before: 0, types: Vec::new(), what: What::Query(query) }]);
    };
    let places = Places::of(text);
    let mut statements = Vec::new();
    let mut from = 0;
    for part in tokens.split(|token| token.token == Token::SemiColon) {
        let end = part.last().map_or(from, |last| places.byte(last.span.end)).max(from);
        let statement = statement(&places, from..end, part)?;
        // Past the semicolon; blanks before the next statement stay, so that its positions can be counted.
        from = (end + 1).min(text.len());
        if statement.what != What::Empty {
            statements.push(statement);
        }
    }
    Ok(statements)
}

/// The statement at these bytes of the text.
fn statement(places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> Result<Statement, Fault> {
    let (start, text) = (at.start, places.text[at.clone()].to_string());
    let words: Vec<String> = tokens.iter().filter_map(word).take(6).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let what = match words.as_slice() {
        [] if tokens.iter().all(|token| matches!(token.token, Token::Whitespace(_) | Token::EOF)) => What::Empty,
        ["begin", ..] | ["start", "transaction", ..] => What::Begin,
        ["commit" | "end", ..] => What::End("COMMIT"),
        ["rollback", "to", ..] => What::Nothing("ROLLBACK"),
        ["rollback" | "abort", ..] => What::End("ROLLBACK"),
        ["savepoint", ..] => What::Nothing("SAVEPOINT"),
        ["release", ..] => What::Nothing("RELEASE"),
        ["set", "local" | "session", name, ..] | ["set", name, ..] | ["reset", name, ..] => setting(name, words[0])?,
        ["discard", ..] => What::Deallocate(None),
        ["unlisten", ..] => What::Nothing("UNLISTEN"),
        ["close", ..] => What::Nothing("CLOSE CURSOR"),
        ["deallocate", "prepare", name, ..] | ["deallocate", name, ..] => {
            What::Deallocate((*name != "all").then(|| (*name).to_string()))
        }
        ["show", "tables" | "columns" | "functions", ..] => query(places, at, tokens),
        ["show", "transaction", "isolation", ..] => What::Show("transaction_isolation".to_string()),
        ["show", "time", "zone", ..] => What::Show("timezone".to_string()),
        ["show", name, ..] => What::Show((*name).to_string()),
        _ if is_about_catalogue(tokens) => What::Catalogue,
        _ => query(places, at, tokens),
    };
    let values = tokens.iter().filter_map(|token| number(&token.token)).max().unwrap_or_default();
    // More than a message can bind would only cost memory.
    let types = types(tokens, values.min(usize::from(u16::MAX)));
    Ok(Statement { before: places.text[..start].chars().count(), text, types, what })
}

fn setting(name: &str, verb: &str) -> Result<What, Fault> {
    if verb == "reset" || name == "transaction" || SETTINGS.contains(&name) {
        return Ok(What::Nothing(if verb == "reset" { "RESET" } else { "SET" }));
    }
    Err(Fault::new("42704", format!("There is no setting {name} here.")))
}

/// The word of a token in small letters.
fn word(token: &TokenWithSpan) -> Option<String> {
    match &token.token {
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    }
}

/// Whether a statement names the catalogue, or asks for nothing but facts about the session.
fn is_about_catalogue(tokens: &[TokenWithSpan]) -> bool {
    let (mut reads, mut session) = (false, false);
    for (place, token) in tokens.iter().enumerate() {
        let Some(word) = word(token) else { continue };
        if word == "pg_catalog" || word == "information_schema" || word.starts_with("pg_") {
            return true;
        }
        let called = tokens.get(place + 1).is_some_and(|next| next.token == Token::LParen);
        reads |= word == "from";
        session |= SESSION_WORDS.contains(&word.as_str()) || (called && SESSION.contains(&word.as_str()));
    }
    session && !reads
}

/// The query with `{{p1}}` for `$1`; everything else stays as it was written.
fn query(places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> What {
    let mut bindable = Bindable { text: String::new(), grown: Vec::new() };
    let mut from = at.start;
    for token in tokens {
        let Some(number) = number(&token.token) else { continue };
        let (start, end) = (places.byte(token.span.start), places.byte(token.span.end));
        bindable.text.push_str(&places.text[from..start]);
        bindable.text.push_str(&format!("{{{{p{number}}}}}"));
        // `{{p1}}` has four characters more than `$1`.
        bindable.grown.push((bindable.text.chars().count(), 4));
        from = end;
    }
    bindable.text.push_str(&places.text[from..at.end]);
    What::Query(bindable)
}

impl Bindable {
    /// The character of the original text, from 1, for a line and column of this one.
    pub fn position(&self, line: u64, column: u64) -> usize {
        let line = usize::try_from(line).unwrap_or(1).max(1);
        let before: usize = self.text.split('\n').take(line - 1).map(|line| line.chars().count() + 1).sum();
        let place = before + usize::try_from(column).unwrap_or(1);
        let grown: usize = self.grown.iter().filter(|(at, _)| *at < place).map(|(_, by)| by).sum();
        place.saturating_sub(grown)
    }
}

/// Bytes of a text by line and column.
struct Places<'a> {
    text: &'a str,
    lines: Vec<usize>,
}

impl Places<'_> {
    fn of(text: &str) -> Places<'_> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Places { text, lines }
    }

    fn byte(&self, at: Location) -> usize {
        let line = usize::try_from(at.line).unwrap_or(1).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(self.text.len());
        let column = usize::try_from(at.column).unwrap_or(1).saturating_sub(1);
        self.text[start..].char_indices().nth(column).map_or(self.text.len(), |(byte, _)| start + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<What> {
        split(text).unwrap().into_iter().map(|statement| statement.what).collect()
    }

    #[test]
    fn statements_are_told_apart() {
        assert_eq!(all(""), []);
        assert_eq!(all(" ; -- nothing\n;"), []);
        assert_eq!(
            all("BEGIN; start transaction read only; ROLLBACK"),
            [What::Begin, What::Begin, What::End("ROLLBACK")]
        );
        assert_eq!(
            all("set extra_float_digits = 3; SET TIME ZONE 'UTC'; reset all"),
            [What::Nothing("SET"), What::Nothing("SET"), What::Nothing("RESET")]
        );
        assert_eq!(all("show server_version"), [What::Show("server_version".to_string())]);
        assert_eq!(all("select * from pg_catalog.pg_class"), [What::Catalogue]);
        assert_eq!(all("select version(), current_schema()"), [What::Catalogue]);
        assert!(matches!(all("select ';' as a, $$;$$ from blocks").as_slice(), [What::Query(_)]));
        assert!(matches!(all("show tables").as_slice(), [What::Query(_)]));
        assert_eq!(split("set role admin").unwrap_err().state, "42704");
        assert!(matches!(all("select 'open").as_slice(), [What::Query(_)]));
    }

    #[test]
    fn values_become_parameters_and_positions_stay() {
        let statements = split("select 1;\nselect $2 + é,\n $1 x y").unwrap();
        let What::Query(query) = &statements[1].what else { panic!("{statements:?}") };
        assert_eq!((query.text.as_str(), statements[1].types.len()), ("\nselect {{p2}} + é,\n {{p1}} x y", 2));
        assert_eq!(statements[1].text, "\nselect $2 + é,\n $1 x y");
        // The `y`, in the text that the client wrote.
        let place = query.position(3, 11);
        assert_eq!(statements[1].text.chars().nth(place - 1), Some('y'));
        assert_eq!(query.position(1, 1), 1);
        let quoted = split("select 'it''s' != $1 and 'a $2'").unwrap();
        let What::Query(query) = &quoted[0].what else { panic!("{quoted:?}") };
        assert_eq!((query.text.as_str(), quoted[0].types.len()), ("select 'it''s' != {{p1}} and 'a $2'", 1));
    }
}
