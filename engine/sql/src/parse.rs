//! Text → one statement that only reads.

use std::ops::ControlFlow;

use datafusion::sql::parser::{DFParserBuilder, ParserInput, Statement as DfStatement};
use datafusion::sql::sqlparser::ast::{
    Ident, ObjectName, ObjectNamePart, Query, SetExpr, ShowStatementFilter, ShowStatementFilterPosition,
    ShowStatementOptions, Statement, TableFactor, Visitor,
};
use datafusion::sql::sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::dialect::AnySql;
use super::{bounds, declare, errors, parameters, rewrite, token_forms};
use crate::ast_visitor::visit;
use crate::{name_resolution, unsupported_clauses};
use quarry_runtime::job::Parameters;
use quarry_types::{Error, ErrorCode, Result};

/// Nesting the parser itself follows; below what the bounds let through it is never reached by a sane text.
const PARSER_RECURSION: usize = 200;

/// Parses a text into its one statement, checked and rewritten.
pub fn parse(text: &str, parameters: &Parameters, max_bytes: usize) -> Result<Statement> {
    bounds::bytes(text, max_bytes)?;
    let (text, declared) = declare::take(&without_heading(text))?;
    let bound = parameters::bind(&text, parameters)?;
    let text = bound.text.as_str();
    let mut tokens = bounds::tokens(text)?;
    bound.check(&tokens)?;
    bound.quote_moments(&mut tokens);
    let mut statement = one_statement(name_resolution::join_hyphens(token_forms::known(hex_literals(tokens))))
        .map_err(|error| errors::at_the_end(error, text))?;
    declared.fill(&mut statement);
    check(&statement).map_err(|error| errors::at_the_name(error, text))?;
    unsupported_clauses::clauses(&statement)?;
    if let Some(query) = rewrite::describing(&statement) {
        statement = one_statement(query.as_str())?;
    }
    bound.fill(&mut statement)?;
    bound.check_filled(&statement)?;
    rewrite::rename_shadowed(&mut statement);
    rewrite::rename_hidden(&mut statement);
    bounds::statement(&statement)?;
    rewrite::statement(&mut statement)?;
    Ok(statement)
}

/// The text with blanks in place of the comments it begins with, which BigQuery may write after `#`.
fn without_heading(text: &str) -> String {
    let mut heading = true;
    let line = |line: &str| {
        heading &= line.trim().is_empty() || line.trim_start().starts_with(['#', '-']);
        if heading && line.trim_start().starts_with('#') { String::new() } else { line.to_string() }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// `0XAB` as `0xab`: the tokenizer takes it for a number and a name.
fn hex_literals(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut joined: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let Token::Word(word) = &token.token
            && word.quote_style.is_none()
            && let Some(digits) =
                word.value.strip_prefix('X').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            && let Some(zero) = joined.pop_if(|zero| {
                zero.span.end == token.span.start
                    && matches!(&zero.token, Token::Number(digits, false) if digits == "0")
            })
        {
            let span = Span { start: zero.span.start, end: token.span.end };
            joined.push(TokenWithSpan { token: Token::HexStringLiteral(digits.to_string()), span });
            continue;
        }
        joined.push(token);
    }
    joined
}

fn one_statement<'a>(text: impl Into<ParserInput<'a>>) -> Result<Statement> {
    let mut parser = DFParserBuilder::new(text)
        .with_dialect(&AnySql)
        .with_recursion_limit(PARSER_RECURSION)
        .build()
        .map_err(|error| errors::from_parser(&error))?;
    let mut statements = parser.parse_statements().map_err(|error| errors::from_parser(&error))?;
    let Some(statement) = statements.pop_front() else {
        return Err(Error::new(ErrorCode::Syntax, "There is no query in the text."));
    };
    if !statements.is_empty() {
        return Err(not_allowed("Only one statement can run at a time."));
    }
    match statement {
        DfStatement::Statement(statement) => Ok(*statement),
        DfStatement::Explain(explain) if !explain.options.analyze => match *explain.statement {
            DfStatement::Statement(inner) => Ok(rewrite::explain(*inner)),
            _ => Err(only_reading("EXPLAIN of this")),
        },
        DfStatement::Explain(_) => Err(only_reading("EXPLAIN ANALYZE")),
        DfStatement::CopyTo(_) => Err(only_reading("COPY")),
        DfStatement::CreateExternalTable(_) => Err(only_reading("CREATE EXTERNAL TABLE")),
        DfStatement::Reset(_) => Err(only_reading("RESET")),
    }
}

/// Lets queries through, and statements that describe; refuses everything that could change or reach outside.
fn check(statement: &Statement) -> Result<()> {
    let query = match statement {
        Statement::Query(query) => query,
        Statement::Explain { statement, analyze: false, .. } => match statement.as_ref() {
            Statement::Query(query) => query,
            other => return Err(only_reading(&first_words(other))),
        },
        Statement::ExplainTable { .. } => return Ok(()),
        Statement::ShowSchemas { show_options, .. }
        | Statement::ShowDatabases { show_options, .. }
        | Statement::ShowTables { show_options, .. }
        | Statement::ShowColumns { show_options, .. }
            if is_told(show_options) =>
        {
            return Ok(());
        }
        other => return Err(only_reading(&first_words(other))),
    };
    match visit(query, &mut ReadOnly) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

/// Whether SHOW says no more of what it shows than LIKE does.
fn is_told(shown: &ShowStatementOptions) -> bool {
    use ShowStatementFilterPosition::{Infix, Suffix};
    let told = match &shown.filter_position {
        None => true,
        Some(Infix(filter) | Suffix(filter)) => matches!(filter, ShowStatementFilter::Like(_)),
    };
    told && shown.starts_with.is_none() && shown.limit.is_none()
}

struct ReadOnly;

impl Visitor for ReadOnly {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Box<Error>> {
        if !query.locks.is_empty() {
            return ControlFlow::Break(Box::new(only_reading("FOR UPDATE")));
        }
        match writing(&query.body) {
            Some(what) => ControlFlow::Break(Box::new(only_reading(what))),
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Box<Error>> {
        match rewrite::samples::unknown(table) {
            true => {
                let message = "A sample is a share of a table's rows: TABLESAMPLE BERNOULLI (10).";
                ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
            }
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<Box<Error>> {
        let ObjectName(parts) = name;
        let outside = parts.iter().filter_map(ObjectNamePart::as_ident).find(|part| is_outside(part));
        match outside {
            None => ControlFlow::Continue(()),
            Some(part) => {
                let message = format!("'{}' can't be queried: only tables are, no files and no addresses.", part.value);
                ControlFlow::Break(Box::new(not_allowed(&message)))
            }
        }
    }
}

/// Whether a name looks like a file or an address rather than a table.
fn is_outside(part: &Ident) -> bool {
    let file =
        [".parquet", ".csv", ".json", ".arrow", ".avro"].iter().any(|end| part.value.to_lowercase().ends_with(end));
    part.quote_style == Some('\'') || part.value.contains(['/', '\\']) || file
}

/// What a query's body writes, if anything.
fn writing(body: &SetExpr) -> Option<&'static str> {
    match body {
        SetExpr::Select(select) => select.into.as_ref().map(|_| "SELECT INTO"),
        SetExpr::SetOperation { left, right, .. } => writing(left).or_else(|| writing(right)),
        SetExpr::Insert(_) => Some("INSERT"),
        SetExpr::Update(_) => Some("UPDATE"),
        SetExpr::Delete(_) => Some("DELETE"),
        SetExpr::Merge(_) => Some("MERGE"),
        // The queries inside are visited on their own.
        SetExpr::Query(_) | SetExpr::Values(_) | SetExpr::Table(_) => None,
    }
}

/// The first words of a statement, to name it: `CREATE VIEW`, `DROP TABLE`, `SET`.
fn first_words(statement: &Statement) -> String {
    let text = statement.to_string();
    let words = text.split_whitespace().take_while(|word| word.chars().all(|c| c.is_ascii_uppercase()));
    let words: Vec<&str> = words.take(3).collect();
    if words.is_empty() { "This statement".to_string() } else { words.join(" ") }
}

fn only_reading(what: &str) -> Error {
    not_allowed(&format!("{what} is not allowed: queries only read."))
}

fn not_allowed(message: &str) -> Error {
    Error::new(ErrorCode::NotAllowed, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::ErrorCode;

    fn refusal(text: &str) -> (ErrorCode, Option<u64>) {
        let error = parse(text, &Parameters::default(), 1 << 20).unwrap_err();
        (error.code, error.position.map(|position| position.column))
    }

    #[test]
    fn functions_that_double_are_refused_before_they_fill_the_memory() {
        for (open, close) in [("decode(", ", 1, 2, 3, 4)"), ("date_trunc(", ", isoyear)")] {
            let text = |depth| format!("select {}x{} from t", open.repeat(depth), close.repeat(depth));
            assert_eq!(refusal(&text(50)).0, ErrorCode::TooComplex, "{open}");
            assert!(parse(&text(2), &Parameters::default(), 1 << 20).is_ok(), "{open}");
        }
    }

    #[test]
    fn a_list_of_patterns_is_counted_before_its_text_is_copied() {
        let patterns = vec!["'a'"; 5_000].join(",");
        let text = format!("select coalesce({patterns}) like any ({patterns}) from t");
        assert_eq!(refusal(&text).0, ErrorCode::TooComplex);
    }

    #[test]
    fn what_changes_each_time_is_asked_for_once() {
        assert_eq!(refusal("select 1, decode(random(), 1, 2, 3, 4)"), (ErrorCode::InvalidQuery, Some(11)));
        assert!(
            parse("select sqrt(random()), div0(random(), 2), uuid_string()", &Parameters::default(), 1 << 20).is_ok()
        );
    }
}
