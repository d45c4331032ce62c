//! `INSERT INTO` and `INSERT OVERWRITE`.

use datafusion::sql::sqlparser::ast::Query;
use futures::future::BoxFuture;

use super::Statement;
use super::query::parse_query;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use crate::tables::{Insert, insert, parse_partitions};
use quarry_runtime::job::JobContext;
use quarry_types::Result;

struct InsertStatement(Insert);

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let overwrite = cursor.take("overwrite");
    cursor.take("into");
    if cursor.take_any(&["local", "directory"]) {
        return Err(cursor.refuse("Queries can't write files; download the result instead."));
    }
    cursor.take("table");
    let table = cursor.name()?;
    let partition = parse_partitions(&mut cursor, &context.parameters)?.pop().unwrap_or_default();
    let if_not_exists = cursor.take("if not exists");
    let columns = if cursor.is_list() { cursor.names()? } else { Vec::new() };
    let query = parse_query(cursor.rest(), context)?;
    let whole_table = false;
    Ok(Box::new(InsertStatement(Insert { table, overwrite, whole_table, partition, if_not_exists, columns, query })))
}

impl Statement for InsertStatement {
    fn describe(&self) -> String {
        format!("insert into {}", self.0.table)
    }

    fn query(&self) -> Option<&Query> {
        Some(&self.0.query)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move { insert(script, self.0, context).await })
    }
}
