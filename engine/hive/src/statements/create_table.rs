//! `CREATE TABLE` with columns, `LIKE` or `AS`.

use std::sync::Arc;

use arrow::datatypes::{Field, Schema};
use datafusion::sql::sqlparser::ast::Query;
use futures::future::BoxFuture;

use super::Statement;
use super::query::parse_query;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use crate::tables::{TextFormat, create_table_as};
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_types::{Error, ErrorCode, Result};

#[derive(Default)]
pub(super) struct CreateTable {
    pub name: String,
    pub is_temporary: bool,
    pub if_not_exists: bool,
    /// The columns, those of its partitions last; empty when the query or the other table gives them.
    pub columns: Vec<Field>,
    pub like: Option<String>,
    pub query: Option<Box<Query>>,
    /// Whether it is a materialized view, whose query can run again.
    pub is_materialized: bool,
}

/// Parses what follows CREATE TABLE.
pub(super) fn parse(
    mut cursor: Cursor<'_>,
    context: &mut ParseContext,
    is_temporary: bool,
) -> Result<Box<dyn Statement>> {
    let if_not_exists = cursor.take("if not exists");
    let mut create = CreateTable { name: cursor.name()?, is_temporary, if_not_exists, ..CreateTable::default() };
    if cursor.take("like") {
        create.like = Some(cursor.name()?);
    }
    if cursor.is_list() {
        create.columns = cursor.columns()?;
    }
    let mut format = TextFormat::default();
    while !cursor.is_done() {
        if cursor.take("as") || cursor.is_query() {
            create.query = Some(parse_query(cursor.rest(), context)?);
            break;
        }
        if cursor.take("partitioned by") {
            create.columns.extend(cursor.columns()?.into_iter().map(types::of_partition));
        } else if cursor.take("location") {
            return Err(cursor.refuse("LOCATION is not supported: tables can't refer to files. Leave it out."));
        } else if !format.parse_clause(&mut cursor)? {
            cursor.skip();
        }
    }
    format.store(&mut create.columns);
    if create.columns.is_empty() && create.query.is_none() && create.like.is_none() {
        return Err(Error::new(ErrorCode::InvalidQuery, "A table needs columns, or a query after AS."));
    }
    Ok(Box::new(create))
}

impl Statement for CreateTable {
    fn describe(&self) -> String {
        format!("create table {}", self.name)
    }

    fn query(&self) -> Option<&Query> {
        self.query.as_deref()
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let table = match self.is_temporary {
                true => script.temporary_table(&self.name)?,
                false => script.own_table(&self.name)?,
            };
            if self.if_not_exists && table.exists() {
                context.log(format!("The table {} exists already.", self.name));
                return Ok(0);
            }
            if let Some(query) = self.query {
                if self.is_materialized {
                    script.materialized.insert(self.name, query.as_ref().clone());
                }
                return create_table_as(script, &table, &query, context).await;
            }
            let columns = match &self.like {
                Some(other) => script.columns_of(other).await?,
                None => Arc::new(Schema::new(self.columns)),
            };
            table.writer(&columns, WriteMode::Create)?.finish()?;
            Ok(0)
        })
    }
}
