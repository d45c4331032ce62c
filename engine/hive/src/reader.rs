//! What the statements of a script have in common: queries inside of them, partitions, and rows for a table.

use datafusion::sql::sqlparser::ast::{Expr, Query, SetExpr};
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use super::dialect::HiveQl;
use super::literals::is_value;
use super::rewrite;
use super::settings::Settings;
use quarry_sql::errors;
use quarry_sql::parameters::Bound;
use quarry_types::{Error, ErrorCode, Result};

/// Nesting the parser follows; the bounds let no text through that comes near it.
pub(super) const PARSER_RECURSION: usize = 200;

/// Columns of a partition with their value; without one the query gives it.
pub(super) type Partition = Vec<(String, Option<Expr>)>;

#[derive(Debug)]
pub(super) struct Insert {
    pub table: String,
    pub overwrite: bool,
    /// Whether every row goes, of all partitions; else only the partitions go that rows come for.
    pub whole: bool,
    pub partition: Partition,
    /// Whether the partition stays as it is when there is one.
    pub if_not_exists: bool,
    /// The columns that the query fills; all when it is empty.
    pub columns: Vec<String>,
    pub query: Box<Query>,
}

impl Insert {
    /// All rows of a table are replaced by those of a query.
    pub fn overwrite(table: &str, query: Query) -> Insert {
        Insert {
            table: table.to_string(),
            overwrite: true,
            whole: true,
            partition: Vec::new(),
            if_not_exists: false,
            columns: Vec::new(),
            query: Box::new(query),
        }
    }

    /// Whether it says all that a table is: it overwrites and names neither partitions nor columns.
    pub fn makes_a_table(&self) -> bool {
        self.overwrite && self.partition.is_empty() && self.columns.is_empty()
    }
}

/// What a statement is read with.
pub(super) struct Reader<'a> {
    pub bound: &'a Bound,
    pub settings: &'a mut Settings,
}

/// Parses and rewrites a query that is all the tokens.
pub(super) fn query(tokens: &[TokenWithSpan], reader: &Reader<'_>) -> Result<Box<Query>> {
    let mut parser =
        Parser::new(&HiveQl).with_recursion_limit(PARSER_RECURSION).with_tokens_with_locations(tokens.to_vec());
    let parsed = parser.parse_query().map_err(|error| errors::from_sqlparser(&error))?;
    if parser.peek_token_ref().token != Token::EOF {
        let extra = parser.peek_token_ref();
        let position = quarry_types::Position { line: extra.span.start.line, column: extra.span.start.column };
        let message = format!("Syntax error. The query should end before '{}'.", extra.token);
        return Err(Error::new(ErrorCode::Syntax, message).at(position));
    }
    if matches!(parsed.body.as_ref(), SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_))
    {
        return Err(Error::new(ErrorCode::NotAllowed, "Write INSERT before WITH, or without it."));
    }
    ready(parsed, reader)
}

/// A parsed query as the planner reads it.
pub(super) fn ready(mut parsed: Box<Query>, reader: &Reader<'_>) -> Result<Box<Query>> {
    reader.bound.fill(parsed.as_mut())?;
    reader.settings.write_out(parsed.as_mut())?;
    rewrite::query(&mut parsed, reader.settings.patterns)?;
    Ok(parsed)
}

/// `PARTITION (ds = '2024-01-01', hr), PARTITION (…)`.
pub(super) fn partitions(cursor: &mut Cursor<'_>, bound: &Bound) -> Result<Vec<Partition>> {
    let mut partitions = Vec::new();
    while cursor.take("partition") {
        let parts = cursor.parts()?;
        partitions.push(parts.into_iter().map(|part| partition_value(part, bound)).collect::<Result<Partition>>()?);
        if cursor.at(&Token::Comma) {
            cursor.skip();
        }
    }
    Ok(partitions)
}

/// `ds = '2024-01-01'` or `ds` of a PARTITION clause.
fn partition_value(part: &[TokenWithSpan], bound: &Bound) -> Result<(String, Option<Expr>)> {
    let mut cursor = Cursor::new(part);
    let name = cursor.name()?;
    if cursor.is_done() {
        return Ok((name, None));
    }
    if !cursor.at(&Token::Eq) {
        return Err(cursor.refuse("Behind the column of a partition stands = and a value."));
    }
    let mut parser = Parser::new(&HiveQl).with_tokens_with_locations(cursor.rest()[1..].to_vec());
    let mut value = parser.parse_expr().map_err(|error| errors::from_sqlparser(&error))?;
    bound.fill(&mut value)?;
    if !is_value(&value) {
        return Err(cursor.refuse("The value of a partition is a text, a number or a day."));
    }
    Ok((name, Some(value)))
}
