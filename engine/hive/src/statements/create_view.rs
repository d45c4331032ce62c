//! `CREATE VIEW` and `ALTER VIEW … AS`.

use datafusion::sql::sqlparser::ast::Query;
use datafusion::sql::sqlparser::tokenizer::Token;
use futures::future::BoxFuture;

use super::Statement;
use super::query::parse_query;
use super::settings::NoOperation;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// A query with a name, for the rest of the script.
struct CreateView {
    name: String,
    columns: Vec<String>,
    query: Box<Query>,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    cursor.take("if not exists");
    let name = cursor.name()?;
    let columns = if cursor.at(&Token::LParen) { cursor.names()? } else { Vec::new() };
    cursor.skip_past("as");
    Ok(Box::new(CreateView { name, columns, query: parse_query(cursor.rest(), context)? }))
}

pub(super) fn parse_alter(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    if !cursor.take("as") {
        return Ok(NoOperation::boxed("Properties of a view change nothing here."));
    }
    Ok(Box::new(CreateView { name, columns: Vec::new(), query: parse_query(cursor.rest(), context)? }))
}

impl Statement for CreateView {
    fn describe(&self) -> String {
        format!("create view {}", self.name)
    }

    fn query(&self) -> Option<&Query> {
        Some(&self.query)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            script.create_view(self.name, self.columns, *self.query).await?;
            context.log("The view is dropped at the end of this script.");
            Ok(0)
        })
    }
}
