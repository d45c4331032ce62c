//! `DROP TABLE` and `DROP VIEW`.

use futures::future::BoxFuture;

use super::{Statement, macros};
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

struct Drop {
    name: String,
    if_exists: bool,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    if cursor.take("temporary macro") {
        return macros::parse_drop(cursor, context);
    }
    cursor.take("materialized");
    if !cursor.take_any(&["table", "view"]) {
        return Err(cursor.refuse("DROP supports only TABLE and VIEW."));
    }
    let if_exists = cursor.take("if exists");
    let name = cursor.name()?;
    cursor.take("purge");
    cursor.end()?;
    Ok(Box::new(Drop { name, if_exists }))
}

impl Statement for Drop {
    fn describe(&self) -> String {
        format!("drop {}", self.name)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            script.drop_table(&self.name, self.if_exists)?;
            Ok(0)
        })
    }
}
