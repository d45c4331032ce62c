//! Splits a text into statements and classifies each: a session command, a catalog query, or a query for the engine.

use std::ops::Range;

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::bindable::Bindable;
use super::copy::{self, Copy};
use super::cursors::{self, Declare, Fetch};
use super::places::{lists, number, types, word};
use super::wire::Fault;
use super::{timeout, writes};

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement as written.
    pub text: String,
    /// Characters of the whole text before this statement.
    pub before: usize,
    /// Types of `$1`, `$2`, … as far as their context tells; 0 for others.
    pub types: Vec<u32>,
    /// Which of them must be arrays: `any($1)`.
    pub lists: Vec<bool>,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Empty,
    /// Begins or ends a transaction. There is nothing to undo, so only the state that the client sees changes.
    Begin,
    End(&'static str),
    /// Rolls back to a savepoint, after which a failed transaction continues.
    RollbackTo,
    /// Does nothing, and responds with this command tag.
    Nothing(&'static str),
    /// Sets the statement timeout of the session or the transaction.
    Timeout {
        said: timeout::Said,
        local: bool,
    },
    /// Resets all settings.
    Reset,
    /// Resets settings, and drops prepared statements and portals.
    Discard,
    /// Drops a prepared statement, or all.
    Deallocate(Option<String>),
    /// Shows a setting of the session.
    Show(String),
    /// A query about tables and types, run on an SQLite copy of `pg_catalog`.
    Catalogue,
    /// `COPY … TO STDOUT`.
    Copy(Box<Copy>),
    /// Declares a cursor.
    Declare(Box<Declare>),
    /// `FETCH` or `MOVE` of a cursor.
    Fetch(Fetch),
    /// Closes a cursor, or all.
    Close(Option<String>),
    /// Not allowed. Refused when it is executed, so that statements before it still run.
    Refused(Fault),
    /// Anything else: SQL for the engine.
    Query(Bindable),
}

impl Statement {
    /// The empty statement.
    pub fn empty() -> Statement {
        Statement { text: String::new(), before: 0, types: Vec::new(), lists: Vec::new(), what: What::Empty }
    }

    /// The query inside a `COPY` or `DECLARE`; the statement itself otherwise.
    pub fn query(&self) -> &Statement {
        match &self.what {
            What::Copy(copy) => &copy.query,
            What::Declare(declare) => &declare.query,
            _ => self,
        }
    }
}

/// Settings that clients set at the start. None of them changes an answer: times are UTC and without a zone, texts UTF-8.
const SETTINGS: [&str; 23] = [
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
    "synchronize_seqscans",
    "time",
    "timezone",
];

/// Functions about the session and the catalogue; a query of nothing but these is one about the catalogue.
const SESSION: [&str; 15] = [
    "col_description",
    "current_database",
    "current_schema",
    "current_schemas",
    "current_setting",
    "format_type",
    "inet_client_addr",
    "inet_server_addr",
    "obj_description",
    "set_config",
    "shobj_description",
    "to_regclass",
    "to_regtype",
    "txid_current",
    "version",
];
/// Those of them that have no brackets.
const SESSION_WORDS: [&str; 4] = ["current_user", "session_user", "current_catalog", "current_schema"];

/// The statements of a text. A text that can't be tokenized is one query, and the engine reports what is wrong.
pub fn split(text: &str) -> Result<Vec<Statement>, Fault> {
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location() else {
        let query = Bindable::unchanged(text);
        return Ok(vec![Statement { text: text.to_string(), what: What::Query(query), ..Statement::empty() }]);
    };
    let places = Places::of(text);
    let mut statements = Vec::new();
    let (mut from, mut before) = (0, 0);
    for part in tokens.split(|token| token.token == Token::SemiColon) {
        let end = part.last().map_or(from, |last| places.byte(last.span.end)).max(from);
        let statement = statement(&places, from..end, before, part)?;
        // Past the semicolon; blanks before the next statement stay, so that its positions can be counted.
        let next = (end + 1).min(text.len());
        before += text[from..next].chars().count();
        from = next;
        if statement.what != What::Empty {
            statements.push(statement);
        }
    }
    Ok(statements)
}

/// The statement at these bytes of the text, after `before` characters.
fn statement(places: &Places, at: Range<usize>, before: usize, tokens: &[TokenWithSpan]) -> Result<Statement, Fault> {
    let text = places.text[at.clone()].to_string();
    let words: Vec<String> = tokens.iter().filter_map(|token| word(&token.token)).take(8).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let what = match words.as_slice() {
        [] if tokens.iter().all(|token| matches!(token.token, Token::Whitespace(_) | Token::EOF)) => What::Empty,
        ["begin", ..] | ["start", "transaction", ..] => What::Begin,
        ["commit" | "end", ..] => What::End("COMMIT"),
        ["rollback", "to", ..] | ["rollback", "transaction" | "work", "to", ..] => What::RollbackTo,
        ["rollback" | "abort", ..] => What::End("ROLLBACK"),
        ["savepoint", ..] => What::Nothing("SAVEPOINT"),
        ["release", ..] => What::Nothing("RELEASE"),
        ["set", scope @ ("local" | "session"), timeout::NAME, ..] => {
            What::Timeout { said: timeout::read(tokens)?, local: *scope == "local" }
        }
        ["set", timeout::NAME, ..] => What::Timeout { said: timeout::read(tokens)?, local: false },
        ["reset", timeout::NAME | "all", ..] => What::Reset,
        ["set", "local" | "session", name, ..] | ["set", name, ..] | ["reset", name, ..] => setting(name, words[0])?,
        ["discard", ..] => What::Discard,
        ["unlisten", ..] => What::Nothing("UNLISTEN"),
        ["close", ..] => cursors::close(tokens)?,
        ["declare", ..] if words.contains(&"cursor") => What::Declare(Box::new(cursors::declare(places, at, tokens)?)),
        ["fetch" | "move", ..] => What::Fetch(cursors::fetch(tokens)?),
        ["copy", ..] => What::Copy(Box::new(copy::parse(places, at, tokens)?)),
        ["deallocate", "prepare", name, ..] | ["deallocate", name, ..] => {
            What::Deallocate((*name != "all").then(|| (*name).to_string()))
        }
        ["show", "tables" | "columns" | "functions", ..] => What::Query(Bindable::of(places, at, tokens)),
        ["show", "transaction", "isolation", ..] => What::Show("transaction_isolation".to_string()),
        ["show", "time", "zone", ..] => What::Show("timezone".to_string()),
        ["show", name, ..] => What::Show((*name).to_string()),
        _ => match writes::refused(&words) {
            Some(refused) => What::Refused(refused),
            None if is_about_catalogue(tokens) => What::Catalogue,
            None => What::Query(Bindable::of(places, at, tokens)),
        },
    };
    let values = tokens.iter().filter_map(|token| number(&token.token)).max().unwrap_or_default();
    // More than a message can bind would only cost memory.
    let values = values.min(usize::from(u16::MAX));
    let (types, lists) = (types(tokens, values), lists(tokens, values));
    Ok(Statement { text, before, types, lists, what })
}

/// The statement of these tokens, which are inside another statement at `around`.
pub fn within(places: &Places, around: Range<usize>, tokens: &[TokenWithSpan]) -> Result<Statement, Fault> {
    let mut inner = statement(places, bytes_of(places, tokens), 0, tokens)?;
    if let What::Query(query) = &mut inner.what {
        query.before = before(places, &around, tokens);
    }
    Ok(inner)
}

/// `SELECT columns FROM` the table of these tokens, which are inside a statement at `around`.
pub fn of_table(
    places: &Places,
    around: Range<usize>,
    table: &[TokenWithSpan],
    columns: &str,
) -> Result<Statement, Fault> {
    let (start, at) = (format!("select {columns} from "), bytes_of(places, table));
    let text = format!("{start}{}", &places.text[at.clone()]);
    let what = if is_about_catalogue(table) {
        What::Catalogue
    } else {
        let mut query = Bindable::behind(&start, places, at, table);
        query.before = before(places, &around, table);
        What::Query(query)
    };
    Ok(Statement { text, before: 0, types: Vec::new(), lists: Vec::new(), what })
}

fn bytes_of(places: &Places, tokens: &[TokenWithSpan]) -> Range<usize> {
    match tokens {
        [] => 0..0,
        [first, ..] => {
            let last = tokens.last().unwrap_or(first);
            places.byte(first.span.start)..places.byte(last.span.end)
        }
    }
}

/// How many characters of a statement come before some of its tokens.
fn before(places: &Places, statement: &Range<usize>, tokens: &[TokenWithSpan]) -> usize {
    places.text[statement.start..bytes_of(places, tokens).start.max(statement.start)].chars().count()
}

fn setting(name: &str, verb: &str) -> Result<What, Fault> {
    if verb == "reset" || name == "transaction" || SETTINGS.contains(&name) {
        return Ok(What::Nothing(if verb == "reset" { "RESET" } else { "SET" }));
    }
    Err(Fault::new("42704", format!("There is no setting {name} here.")))
}

/// Whether a statement reads the catalog, or only calls functions about the session.
fn is_about_catalogue(tokens: &[TokenWithSpan]) -> bool {
    let (mut reads, mut session) = (false, false);
    for (place, token) in tokens.iter().enumerate() {
        let Some(word) = word(&token.token) else { continue };
        if word == "pg_catalog" || word == "information_schema" || word.starts_with("pg_") {
            return true;
        }
        let called = tokens.get(place + 1).is_some_and(|next| next.token == Token::LParen);
        if called && word == "current_schemas" {
            return true;
        }
        reads |= word == "from";
        session |= SESSION_WORDS.contains(&word.as_str()) || (called && is_of_session(&word));
    }
    session && !reads
}

fn is_of_session(function: &str) -> bool {
    SESSION.contains(&function) || (function.starts_with("has_") && function.ends_with("_privilege"))
}

/// Characters between two places of a text that are remembered.
const STEP: usize = 64;

/// Bytes of a text by line and column. A text may be one line of many values, so nothing is counted from its start for each.
pub(super) struct Places<'a> {
    pub text: &'a str,
    /// Characters before each line.
    lines: Vec<usize>,
    /// Where every 64th character begins.
    steps: Vec<usize>,
}

impl Places<'_> {
    fn of(text: &str) -> Places<'_> {
        let (mut lines, mut steps) = (vec![0], Vec::new());
        for (place, (byte, letter)) in text.char_indices().enumerate() {
            if place % STEP == 0 {
                steps.push(byte);
            }
            if letter == '\n' {
                lines.push(place + 1);
            }
        }
        Places { text, lines, steps }
    }

    pub fn byte(&self, at: Location) -> usize {
        let line = usize::try_from(at.line).unwrap_or(1).saturating_sub(1);
        let column = usize::try_from(at.column).unwrap_or(1).saturating_sub(1);
        let end = self.text.len();
        let Some(place) = self.lines.get(line).map(|start| start + column) else { return end };
        let Some(step) = self.steps.get(place / STEP) else { return end };
        self.text[*step..].char_indices().nth(place % STEP).map_or(end, |(byte, _)| step + byte)
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
            [What::Nothing("SET"), What::Nothing("SET"), What::Reset]
        );
        assert_eq!(all("show server_version"), [What::Show("server_version".to_string())]);
        assert_eq!(all("select * from pg_catalog.pg_class"), [What::Catalogue]);
        assert_eq!(all("select version(), current_schema()"), [What::Catalogue]);
        assert!(matches!(all("select ';' as a, $$;$$ from blocks").as_slice(), [What::Query(_)]));
        assert!(matches!(all("show tables").as_slice(), [What::Query(_)]));
        assert_eq!(all("select * from unnest(current_schemas(true))"), [What::Catalogue]);
        assert_eq!(all("select has_table_privilege('blocks', 'select')"), [What::Catalogue]);
        assert_eq!(all("rollback to savepoint s"), [What::RollbackTo]);
        assert_eq!(split("set role admin").unwrap_err().state, "42704");
        assert!(matches!(all("select 'open").as_slice(), [What::Query(_)]));
    }

    #[test]
    fn a_place_is_a_byte_in_texts_of_any_letters() {
        let text = format!("é{}\n{}x", "a".repeat(200), "费".repeat(100));
        let places = Places::of(&text);
        let byte = |line, column| places.byte(Location { line, column });
        assert_eq!((byte(1, 1), byte(1, 2), byte(1, 202)), (0, 2, 202));
        assert_eq!((byte(2, 1), byte(2, 101), byte(2, 102)), (203, 503, 504));
        assert_eq!((byte(2, 9_999), byte(3, 1)), (504, 504));
    }

    #[test]
    fn a_long_line_is_taken_apart_in_no_time() {
        // As long as a query may be: what counts from the start for each of these takes minutes.
        let began = std::time::Instant::now();
        let values = format!("select {}1", "$1,".repeat(170_000));
        assert_eq!(all(&values).len(), 1);
        let calls = format!("select {}", "extract(dow from ".repeat(30_000));
        assert_eq!(all(&calls).len(), 1);
        assert_eq!(all(&"x;".repeat(250_000)).len(), 250_000);
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
    }
}
