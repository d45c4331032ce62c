//! Queries, and queries inside of other statements.

use datafusion::sql::sqlparser::ast::{Query, SetExpr};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};
use futures::future::BoxFuture;

use super::Statement;
use crate::ast::{parser, syntax_error};
use crate::parse_context::ParseContext;
use crate::rewrite::rewrite_query;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Parses and rewrites a query that is all the tokens.
pub(super) fn parse_query(tokens: &[TokenWithSpan], context: &ParseContext) -> Result<Box<Query>> {
    let mut parser = parser(tokens);
    let mut query = parser.parse_query().map_err(syntax_error)?;
    let extra = parser.peek_token_ref();
    if extra.token != Token::EOF {
        let position = Position { line: extra.span.start.line, column: extra.span.start.column };
        let message = format!("Syntax error. The query should end before '{}'.", extra.token);
        return Err(Error::new(ErrorCode::Syntax, message).at(position));
    }
    if matches!(*query.body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)) {
        return Err(Error::new(ErrorCode::NotAllowed, "Write INSERT before WITH, or leave out WITH."));
    }
    rewrite_query(&mut query, context)?;
    Ok(query)
}

pub(super) struct QueryStatement(Box<Query>);

pub(super) fn parse(tokens: &[TokenWithSpan], context: &ParseContext) -> Result<Box<dyn Statement>> {
    Ok(Box::new(QueryStatement(parse_query(tokens, context)?)))
}

impl Statement for QueryStatement {
    fn describe(&self) -> String {
        "query".to_string()
    }

    fn query(&self) -> Option<&Query> {
        Some(&self.0)
    }

    fn has_rows(&self) -> bool {
        true
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move { script.run_query(&self.0, context).await })
    }
}
