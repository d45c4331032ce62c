//! `ALTER TABLE`: which kind of change it is, and `RENAME TO`.

use futures::future::BoxFuture;

use super::settings::NoOperation;
use super::{Statement, alter_columns, alter_partitions};
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// Clauses about the storage of a table or partition, which change nothing here.
const STORAGE: [&str; 19] = [
    "set tblproperties",
    "unset tblproperties",
    "set fileformat",
    "set serde",
    "set serdeproperties",
    "clustered by",
    "not clustered",
    "touch",
    "compact",
    "add constraint",
    "update statistics",
    "concatenate",
    "into",
    "skewed by",
    "not skewed",
    "not sorted",
    "set skewed",
    "enable",
    "disable",
];

struct RenameTable {
    name: String,
    to: String,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    if cursor.take("rename to") {
        return Ok(Box::new(RenameTable { name, to: cursor.name()? }));
    }
    if cursor.take_any(&STORAGE) {
        return Ok(NoOperation::boxed("The storage of a table can't be changed here."));
    }
    if let Some(statement) = alter_columns::parse(&name, &mut cursor)? {
        return Ok(statement);
    }
    if let Some(statement) = alter_partitions::parse(&name, &mut cursor, context)? {
        return Ok(statement);
    }
    if cursor.take_any(&STORAGE) {
        return Ok(NoOperation::boxed("The storage of a partition can't be changed here."));
    }
    if cursor.take("location") {
        return Err(cursor.refuse("LOCATION is not supported: tables can't refer to files. Leave it out."));
    }
    refuse(cursor, context)
}

pub(super) fn refuse(cursor: Cursor<'_>, _: &mut ParseContext) -> Result<Box<dyn Statement>> {
    Err(cursor.refuse(
        "ALTER TABLE supports only RENAME TO, ADD COLUMNS, REPLACE COLUMNS, CHANGE, ADD PARTITION and DROP PARTITION.",
    ))
}

impl Statement for RenameTable {
    fn describe(&self) -> String {
        format!("rename {} to {}", self.name, self.to)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let table = script.existing_table(&self.name)?;
            table.tables.rename(&table.schema, &table.name, &self.to)?;
            Ok(0)
        })
    }
}
