//! Text → syntax tree, within bounds that keep every later step from running out of stack.

use open_cypher::ast::{ClauseKind, Query, QueryKind, StatementKind};
use open_cypher::{Diagnostic, DiagnosticCode, Span, Token, lex};

use quarry_types::{Error, ErrorCode, Position, Result};

/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 100;
/// Most words, marks and operators of one text: a chain of operators becomes a tree as deep as the chain is long.
const MAX_TOKENS: usize = 20_000;

/// Parses one read-only query.
pub(super) fn parse(text: &str, max_bytes: usize) -> Result<Query> {
    if text.len() > max_bytes {
        let message = format!("The query has {} bytes; at most {max_bytes} are allowed.", text.len());
        return Err(Error::new(ErrorCode::TooComplex, message));
    }
    check_bounds(text)?;
    let parsed = open_cypher::parse(text).map_err(|errors| refusal(text, errors.diagnostics()))?;
    let Some(statement) = parsed.program.statements.into_iter().next() else {
        return Err(Error::new(ErrorCode::Syntax, "There is no query to run."));
    };
    let StatementKind::Query(statement) = statement.kind else {
        return Err(Error::new(ErrorCode::Syntax, "The query can't be read."));
    };
    if let Some(mode) = statement.mode {
        let message = "EXPLAIN and PROFILE are not part of what Quarry runs; send the query alone.";
        return Err(error_at(text, ErrorCode::NotAllowed, message, mode.span.start));
    }
    check_read_only(text, &statement.query)?;
    Ok(statement.query)
}

/// An error with the line and column of a byte of the text.
pub(super) fn error_at(text: &str, code: ErrorCode, message: impl Into<String>, at: usize) -> Error {
    Error::new(code, message).at(position(text, at))
}

/// Line and column of a byte of the text.
pub(super) fn position(text: &str, at: usize) -> Position {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u64 + 1;
    Position { line, column }
}

fn check_bounds(text: &str) -> Result<()> {
    let lexed = lex(text);
    let words: Vec<&Token> = lexed.tokens.iter().filter(|token| !token.is_trivia()).collect();
    if words.len() > MAX_TOKENS {
        let message = format!("The query has {} words and marks; at most {MAX_TOKENS} are allowed.", words.len());
        return Err(Error::new(ErrorCode::TooComplex, message));
    }
    let mut depth = 0_usize;
    for token in words {
        match text.as_bytes().get(token.span.start) {
            Some(b'(' | b'[' | b'{') => depth += 1,
            Some(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            let message = format!("Brackets are nested more than {MAX_DEPTH} deep here.");
            return Err(error_at(text, ErrorCode::TooComplex, message, token.span.start));
        }
    }
    Ok(())
}

fn refusal(text: &str, diagnostics: &[Diagnostic]) -> Error {
    // The first in the text is the cause; an unclosed bracket explains what follows it.
    let first = diagnostics.iter().find(|one| one.is_error() && one.code != DiagnosticCode::Recovery);
    let Some(first) = first.or(diagnostics.first()) else {
        return Error::new(ErrorCode::Syntax, "The query can't be read.");
    };
    if let Some(word) = foreign_write(text, first.primary_span) {
        return read_only(text, word, first.primary_span);
    }
    let mut message = sentence(&first.message);
    if let Some(help) = &first.help {
        message.push(' ');
        message.push_str(&sentence(help));
    }
    error_at(text, ErrorCode::Syntax, message, first.primary_span.start)
}

/// The word of a clause that writes, or reads from elsewhere, and that openCypher's grammar does not know.
fn foreign_write(text: &str, at: Span) -> Option<&'static str> {
    let mut words = text.get(at.start..)?.split(|letter: char| !letter.is_ascii_alphabetic());
    let first = words.next()?;
    let second = words.find(|word| !word.is_empty());
    if first.eq_ignore_ascii_case("FOREACH") {
        return Some("FOREACH");
    }
    let csv = first.eq_ignore_ascii_case("LOAD") && second.is_some_and(|word| word.eq_ignore_ascii_case("CSV"));
    csv.then_some("LOAD CSV")
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// Refuses what would change a graph, wherever it stands at the top of a query.
fn check_read_only(text: &str, query: &Query) -> Result<()> {
    let QueryKind::Regular(regular) = &query.kind else { return Ok(()) };
    let branches = std::iter::once(&regular.head).chain(regular.unions.iter().map(|union| &union.query));
    for clause in branches.flat_map(|branch| &branch.kind.clauses) {
        if let Some(word) = writes(&clause.kind) {
            return Err(read_only(text, word, clause.span));
        }
    }
    Ok(())
}

/// The word of a clause that writes.
pub(super) fn writes(clause: &ClauseKind) -> Option<&'static str> {
    match clause {
        ClauseKind::Create(_) => Some("CREATE"),
        ClauseKind::Insert(_) => Some("INSERT"),
        ClauseKind::Merge(_) => Some("MERGE"),
        ClauseKind::Delete(_) => Some("DELETE"),
        ClauseKind::Set(_) => Some("SET"),
        ClauseKind::Remove(_) => Some("REMOVE"),
        ClauseKind::Foreach(_) => Some("FOREACH"),
        ClauseKind::LoadCsv(_) => Some("LOAD CSV"),
        _ => None,
    }
}

pub(super) fn read_only(text: &str, word: &str, span: Span) -> Error {
    let message = format!("{word} is not allowed: graph queries only read.");
    error_at(text, ErrorCode::NotAllowed, message, span.start)
}
