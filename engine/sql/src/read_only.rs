//! Parses one statement, and refuses everything that could change something or reach outside.

use std::ops::ControlFlow;

use datafusion::sql::parser::{DFParserBuilder, ParserInput, Statement as DfStatement};
use datafusion::sql::sqlparser::ast::{
    DescribeAlias, Ident, ObjectName, ObjectNamePart, Query, SetExpr, ShowStatementFilter, ShowStatementFilterPosition,
    ShowStatementOptions, Statement, TableFactor, Visitor,
};

use super::{errors, rewrite};
use crate::error_location::{error_at, location_position};
use crate::syntax::dialect::AnySql;
use crate::syntax::visitor::visit;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Nesting that the parser follows; texts within [`crate::limits`] do not reach it.
const PARSER_RECURSION: usize = 200;

/// The one statement of a text.
pub fn one_statement<'a>(text: impl Into<ParserInput<'a>>) -> Result<Statement> {
    let mut parser = DFParserBuilder::new(text)
        .with_dialect(&AnySql)
        .with_recursion_limit(PARSER_RECURSION)
        .build()
        .map_err(|error| errors::from_parser(&error))?;
    let mut statements = parser.parse_statements().map_err(|error| errors::from_parser(&error))?;
    let Some(statement) = statements.pop_front() else {
        return Err(Error::new(ErrorCode::Syntax, "The query is empty."));
    };
    if !statements.is_empty() {
        return Err(not_allowed("Only one statement can run at a time."));
    }
    match statement {
        DfStatement::Statement(statement) => Ok(*statement),
        DfStatement::Explain(explain) if !explain.options.analyze => match *explain.statement {
            DfStatement::Statement(statement) => Ok(Statement::Explain {
                describe_alias: DescribeAlias::Explain,
                analyze: false,
                verbose: false,
                query_plan: false,
                estimate: false,
                statement,
                format: None,
                options: None,
            }),
            _ => Err(only_reading("EXPLAIN of this")),
        },
        DfStatement::Explain(_) => Err(only_reading("EXPLAIN ANALYZE")),
        DfStatement::CopyTo(_) => Err(only_reading("COPY")),
        DfStatement::CreateExternalTable(_) => Err(only_reading("CREATE EXTERNAL TABLE")),
        DfStatement::Reset(_) => Err(only_reading("RESET")),
    }
}

/// Lets queries through, and statements that describe. `text` is what the statement was parsed from.
pub fn check(statement: &Statement, text: &str) -> Result<()> {
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
            if is_supported(show_options) =>
        {
            return Ok(());
        }
        other => return Err(only_reading(&first_words(other))),
    };
    match visit(query, &mut ReadOnly { text }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

/// Whether SHOW filters by LIKE alone.
fn is_supported(options: &ShowStatementOptions) -> bool {
    use ShowStatementFilterPosition::{Infix, Suffix};
    let by_like = match &options.filter_position {
        None => true,
        Some(Infix(filter) | Suffix(filter)) => matches!(filter, ShowStatementFilter::Like(_)),
    };
    by_like && options.starts_with.is_none() && options.limit.is_none()
}

struct ReadOnly<'a> {
    text: &'a str,
}

impl Visitor for ReadOnly<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Box<Error>> {
        if !query.locks.is_empty() {
            return ControlFlow::Break(Box::new(only_reading("FOR UPDATE")));
        }
        match written_by(&query.body) {
            Some(what) => ControlFlow::Break(Box::new(only_reading(what))),
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Box<Error>> {
        match rewrite::tablesample::is_unsupported(table) {
            true => {
                let message = "TABLESAMPLE supports only a percentage of a table's rows: TABLESAMPLE BERNOULLI (10).";
                ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
            }
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<Box<Error>> {
        let outside = name.0.iter().filter_map(ObjectNamePart::as_ident).find(|part| is_outside(part));
        match outside {
            None => ControlFlow::Continue(()),
            Some(part) => {
                let message = format!("'{}' can't be queried; only tables can, not files or URLs.", part.value);
                let position = location_position(part.span.start).or_else(|| quoted_position(self.text, &part.value));
                ControlFlow::Break(Box::new(error_at(not_allowed(&message), position)))
            }
        }
    }
}

/// The position of a name in single quotes, for which the parser keeps none.
fn quoted_position(text: &str, name: &str) -> Option<Position> {
    let before = &text[..text.find(&format!("'{name}'"))?];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() as u64 + 1;
    Some(Position { line, column })
}

/// Whether a name looks like a file or an address rather than a table.
fn is_outside(part: &Ident) -> bool {
    const FILES: [&str; 5] = [".parquet", ".csv", ".json", ".arrow", ".avro"];
    let name = part.value.to_lowercase();
    part.quote_style == Some('\'') || name.contains(['/', '\\']) || FILES.iter().any(|end| name.ends_with(end))
}

/// What a query's body writes, if anything.
fn written_by(body: &SetExpr) -> Option<&'static str> {
    match body {
        SetExpr::Select(select) => select.into.as_ref().map(|_| "SELECT INTO"),
        SetExpr::SetOperation { left, right, .. } => written_by(left).or_else(|| written_by(right)),
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
    not_allowed(&format!("{what} is not allowed: queries are read-only."))
}

fn not_allowed(message: &str) -> Error {
    Error::new(ErrorCode::NotAllowed, message)
}
