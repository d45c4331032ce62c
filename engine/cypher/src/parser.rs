//! The text of a query → its syntax tree (of the crate `open-cypher`), within limits that keep later steps from running out of
//! stack.

use open_cypher::ast::{ClauseKind, Query, QueryKind, StatementKind};
use open_cypher::{Diagnostic, DiagnosticCode, Span, Token, lex};

use crate::query_text::{At, QueryText};
use quarry_types::{Error, ErrorCode, Result};

/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 100;
/// Most tokens of a text: a chain of operators becomes a tree as deep as the chain is long.
const MAX_TOKENS: usize = 20_000;

/// Parses one read-only query.
pub(super) fn parse(text: &str, max_bytes: usize) -> Result<Query> {
    if text.len() > max_bytes {
        let message = format!("The query has {} bytes; at most {max_bytes} are allowed.", text.len());
        return Err(Error::new(ErrorCode::TooComplex, message));
    }
    check_limits(text)?;
    let parsed = open_cypher::parse(text).map_err(|errors| syntax_error(text, errors.diagnostics()))?;
    let Some(statement) = parsed.program.statements.into_iter().next() else {
        return Err(Error::new(ErrorCode::Syntax, "There is no query to run."));
    };
    let StatementKind::Query(statement) = statement.kind else {
        return Err(Error::new(ErrorCode::Syntax, "The query can't be parsed."));
    };
    if let Some(mode) = statement.mode {
        let message = "EXPLAIN and PROFILE are not supported; send the query without them.";
        return Err(QueryText(text).error(ErrorCode::NotAllowed, message, At(mode.span.start)));
    }
    check_read_only(text, &statement.query)?;
    Ok(statement.query)
}

fn check_limits(text: &str) -> Result<()> {
    let lexed = lex(text);
    let words: Vec<&Token> = lexed.tokens.iter().filter(|token| !token.is_trivia()).collect();
    if words.len() > MAX_TOKENS {
        let message = format!("The query has {} tokens; at most {MAX_TOKENS} are allowed.", words.len());
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
            let message = format!("Brackets are nested more than {MAX_DEPTH} levels deep here.");
            return Err(QueryText(text).error(ErrorCode::TooComplex, message, At(token.span.start)));
        }
    }
    Ok(())
}

fn syntax_error(text: &str, diagnostics: &[Diagnostic]) -> Error {
    // The first error is the cause; an unclosed bracket causes others after it.
    let first = diagnostics.iter().find(|one| one.is_error() && one.code != DiagnosticCode::Recovery);
    let Some(first) = first.or(diagnostics.first()) else {
        return Error::new(ErrorCode::Syntax, "The query can't be parsed.");
    };
    if let Some(word) = other_clause(text, first.primary_span) {
        return QueryText(text).read_only(word, At(first.primary_span.start));
    }
    let mut message = sentence(&first.message);
    if let Some(help) = &first.help {
        message.push(' ');
        message.push_str(&sentence(help));
    }
    QueryText(text).error(ErrorCode::Syntax, message, At(first.primary_span.start))
}

/// The keyword of a clause that writes or reads files and is not in openCypher's grammar.
fn other_clause(text: &str, at: Span) -> Option<&'static str> {
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

/// Refuses clauses that write.
fn check_read_only(text: &str, query: &Query) -> Result<()> {
    let QueryKind::Regular(regular) = &query.kind else { return Ok(()) };
    let branches = std::iter::once(&regular.head).chain(regular.unions.iter().map(|union| &union.query));
    for clause in branches.flat_map(|branch| &branch.kind.clauses) {
        if let Some(word) = writing_clause(&clause.kind) {
            return Err(QueryText(text).read_only(word, At(clause.span.start)));
        }
    }
    Ok(())
}

/// The keyword of a clause that writes.
pub(crate) fn writing_clause(clause: &ClauseKind) -> Option<&'static str> {
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
