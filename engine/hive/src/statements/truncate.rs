//! `TRUNCATE TABLE`, of all rows or of partitions.

use futures::future::BoxFuture;

use super::Statement;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use crate::tables::{Partition, PartitionKeys, parse_partitions, rewrite_table};
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_types::Result;

pub(super) struct Truncate {
    pub table: String,
    /// Empty for all rows.
    pub partitions: Vec<Partition>,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    cursor.take("table");
    let table = cursor.name()?;
    let partitions = parse_partitions(&mut cursor, &context.parameters)?;
    cursor.end()?;
    Ok(Box::new(Truncate { table, partitions }))
}

impl Statement for Truncate {
    fn describe(&self) -> String {
        format!("truncate {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let table = script.existing_table(&self.table)?;
            let columns = table.columns()?;
            if self.partitions.is_empty() {
                table.writer(&columns, WriteMode::Replace)?.finish()?;
                return Ok(0);
            }
            let keys =
                self.partitions.iter().map(|partition| PartitionKeys::of_partition(&self.table, partition, &columns));
            let keys = keys.collect::<Result<Vec<_>>>()?;
            let change = |batch| keys.iter().try_fold(batch, |batch, keys| keys.exclude(&batch));
            rewrite_table(script, &table, &columns, change).await?;
            Ok(0)
        })
    }
}
