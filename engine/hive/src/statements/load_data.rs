//! `LOAD DATA [LOCAL] INPATH 'file' [OVERWRITE] INTO TABLE t [PARTITION (…)]`: rows of text files. Only the command line may
//! read files, with the rights of its user; a server does not.

use std::sync::Arc;

use arrow::datatypes::Schema;
use futures::future::BoxFuture;

use super::Statement;
use crate::ast;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::{LOADED_ROWS, Script};
use crate::tables::{Insert, Partition, TextFormat, insert, parse_partitions, read_text_files};
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_types::{Error, ErrorCode, Result};

struct LoadData {
    path: String,
    overwrite: bool,
    table: String,
    partition: Partition,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    if !context.may_read_files {
        return Err(cursor.refuse("Queries can't access files; upload the file as a table and query that."));
    }
    let usage = "Write LOAD DATA [LOCAL] INPATH 'file' [OVERWRITE] INTO TABLE name [PARTITION (column = value)].";
    cursor.take("data");
    cursor.take("local");
    let path = if cursor.take("inpath") { cursor.text() } else { None };
    let Some(path) = path else { return Err(cursor.refuse(usage)) };
    let overwrite = cursor.take("overwrite");
    if !cursor.take("into table") {
        return Err(cursor.refuse(usage));
    }
    let table = cursor.name()?;
    let partition = parse_partitions(&mut cursor, &context.parameters)?.pop().unwrap_or_default();
    cursor.end()?;
    Ok(Box::new(LoadData { path, overwrite, table, partition }))
}

impl Statement for LoadData {
    fn describe(&self) -> String {
        format!("load data into {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let LoadData { path, overwrite, table, partition } = *self;
            let columns = script.existing_table(&table)?.columns()?;
            let format = TextFormat::of_table(&columns);
            if let Some(other) = &format.other {
                let message = format!("LOAD DATA reads lines of text, but the table {table} uses {other}.");
                return Err(Error::new(ErrorCode::NotAllowed, message));
            }
            // Columns with a value in PARTITION are not in the files.
            let is_given = |name: &str| partition.iter().any(|(column, value)| value.is_some() && column == name);
            let columns = columns.fields().iter().filter(|field| !is_given(&field.name().to_lowercase()));
            let columns = columns.map(|field| types::query_field(field.as_ref().clone()).with_nullable(true));
            let columns = Arc::new(Schema::new(columns.collect::<Vec<_>>()));
            let loaded = script.temporary_table(LOADED_ROWS)?;
            let mut writer = loaded.writer(&columns, WriteMode::Replace)?;
            read_text_files(&path, &columns, &format, &mut writer, context).await?;
            writer.finish()?;
            let query = ast::select_all(ast::table(&loaded.name)?, None);
            let rows = insert(script, Insert { overwrite, partition, ..Insert::append(&table, query) }, context).await;
            loaded.drop_table()?;
            rows
        })
    }
}
