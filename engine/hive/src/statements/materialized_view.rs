//! `CREATE MATERIALIZED VIEW`, a table that its script can fill again, and `ALTER MATERIALIZED VIEW … REBUILD`.

use futures::future::BoxFuture;

use super::Statement;
use super::create_table::CreateTable;
use super::query::parse_query;
use super::settings::NoOperation;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use crate::tables::{Insert, insert};
use quarry_runtime::job::JobContext;
use quarry_types::{Error, ErrorCode, Result};

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let if_not_exists = cursor.take("if not exists");
    let name = cursor.name()?;
    cursor.skip_past("as");
    let query = Some(parse_query(cursor.rest(), context)?);
    Ok(Box::new(CreateTable { name, if_not_exists, is_materialized: true, query, ..CreateTable::default() }))
}

pub(super) fn parse_alter(mut cursor: Cursor<'_>, _: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    if !cursor.take("rebuild") {
        return Ok(NoOperation::boxed("Queries read the tables that they name, never a materialized view instead."));
    }
    Ok(Box::new(Rebuild(name)))
}

struct Rebuild(String);

impl Statement for Rebuild {
    fn describe(&self) -> String {
        format!("rebuild {}", self.0)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let name = self.0;
            let Some(query) = script.materialized.get(&name).cloned() else {
                let message = format!(
                    "{name} is not a materialized view of this script; only the script that created it can rebuild it."
                );
                return Err(Error::new(ErrorCode::NotAllowed, message));
            };
            insert(script, Insert::replace_all(&name, query), context).await
        })
    }
}
