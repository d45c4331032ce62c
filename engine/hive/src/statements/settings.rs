//! `SET`, `RESET`, `USE`, and statements that change nothing here.

use futures::future::BoxFuture;

use super::Statement;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// A statement that has nothing to do when it runs; its text goes to the log.
pub(super) struct NoOperation(String);

impl NoOperation {
    pub fn boxed(log: impl Into<String>) -> Box<dyn Statement> {
        Box::new(NoOperation(log.into()))
    }
}

impl Statement for NoOperation {
    fn describe(&self) -> String {
        "setting".to_string()
    }

    fn run<'a>(self: Box<Self>, _: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            context.log(self.0);
            Ok(0)
        })
    }
}

/// `SET name=value`; variables have been substituted in the text before.
pub(super) fn parse_set(cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let setting: String = cursor.rest().iter().map(|token| token.token.to_string()).collect();
    match setting.to_lowercase().as_str() {
        "hive.support.quoted.identifiers=none" => context.regex_columns = true,
        "hive.support.quoted.identifiers=column" => context.regex_columns = false,
        _ => {}
    }
    Ok(NoOperation::boxed("Settings of Hive change nothing here, except for variables."))
}

pub(super) fn parse_use(mut cursor: Cursor<'_>, _: &mut ParseContext) -> Result<Box<dyn Statement>> {
    match cursor.name()?.as_str() {
        "default" => Ok(NoOperation::boxed("There is one database.")),
        _ => Err(cursor.refuse("There is only one database; write schema.table for other users' tables.")),
    }
}

pub(super) fn parse_statistics(_: Cursor<'_>, _: &mut ParseContext) -> Result<Box<dyn Statement>> {
    Ok(NoOperation::boxed("Statistics are always up to date."))
}
