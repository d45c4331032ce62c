//! `DELETE FROM t WHERE …`: the table is rewritten with the rows that stay.

use datafusion::sql::sqlparser::ast::{Expr, Query};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;
use futures::future::BoxFuture;

use super::Statement;
use super::truncate::Truncate;
use crate::ast::{boolean, nested, parser, select_all, syntax_error, table};
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::rewrite::rewrite_query;
use crate::script::Script;
use crate::tables::{Insert, insert};
use quarry_runtime::job::JobContext;
use quarry_types::Result;

struct Delete {
    table: String,
    /// The rows that stay.
    rest: Query,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    if cursor.is_done() {
        return Ok(Box::new(Truncate { table: name, partitions: Vec::new() }));
    }
    let deleted = parse_where(&mut parser(cursor.rest()))?;
    let mut rest = select_all(table(&name)?, Some(Expr::IsNotTrue(Box::new(nested(deleted)))));
    rewrite_query(&mut rest, context)?;
    Ok(Box::new(Delete { table: name, rest }))
}

/// Parses `WHERE condition` up to the end; true without it.
pub(super) fn parse_where(parser: &mut Parser<'_>) -> Result<Expr> {
    let condition = match parser.parse_keyword(Keyword::WHERE) {
        true => parser.parse_expr().map_err(syntax_error)?,
        false => boolean(true),
    };
    parser.expect_token(&Token::EOF).map_err(syntax_error)?;
    Ok(condition)
}

impl Statement for Delete {
    fn describe(&self) -> String {
        format!("delete from {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            script.existing_table(&self.table)?;
            insert(script, Insert::replace_all(&self.table, self.rest), context).await?;
            Ok(0)
        })
    }
}
