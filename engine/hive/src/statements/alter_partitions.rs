//! `ALTER TABLE … ADD PARTITION`, `DROP PARTITION` and `PARTITION … RENAME TO PARTITION …`.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use futures::future::BoxFuture;

use super::Statement;
use super::settings::NoOperation;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::script::Script;
use crate::tables::{
    Partition, PartitionCondition, PartitionKeys, column_of, exclude_matching, parse_conditions, parse_partitions,
    rewrite_table,
};
use quarry_runtime::job::JobContext;
use quarry_types::{Error, Result};

/// Parses what follows the name of the table; `None` unless it changes partitions.
pub(super) fn parse(name: &str, cursor: &mut Cursor<'_>, context: &ParseContext) -> Result<Option<Box<dyn Statement>>> {
    let table = name.to_string();
    let (adds, drops) = (cursor.take("add"), cursor.take("drop"));
    cursor.take("if not exists");
    cursor.take("if exists");
    if drops {
        let partitions = parse_conditions(cursor, &context.parameters)?;
        return Ok(if partitions.is_empty() { None } else { Some(Box::new(DropPartitions { table, partitions })) });
    }
    let named = parse_partitions(cursor, &context.parameters)?;
    if adds && cursor.take("location") {
        return Err(cursor.refuse("LOCATION is not supported: tables can't refer to files. Leave it out."));
    }
    if adds {
        let is_added = !named.is_empty();
        return Ok(is_added.then(|| NoOperation::boxed("A partition exists as soon as it has rows.")));
    }
    if cursor.take("rename to") {
        let to = parse_partitions(cursor, &context.parameters)?;
        if let ([from], [to]) = (named.as_slice(), to.as_slice()) {
            let (from, to) = (from.clone(), to.clone());
            return Ok(Some(Box::new(RenamePartition { table, from, to })));
        }
    }
    Ok(None)
}

/// Deletes the rows of partitions.
struct DropPartitions {
    table: String,
    partitions: Vec<Vec<PartitionCondition>>,
}

impl Statement for DropPartitions {
    fn describe(&self) -> String {
        format!("alter table {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let table = script.existing_table(&self.table)?;
            let columns = table.columns()?;
            let bind = |conditions: &Vec<PartitionCondition>| {
                conditions.iter().map(|condition| condition.bind(&self.table, &columns)).collect::<Result<Vec<_>>>()
            };
            let partitions = self.partitions.iter().map(bind).collect::<Result<Vec<_>>>()?;
            let change =
                |batch| partitions.iter().try_fold(batch, |batch, conditions| exclude_matching(&batch, conditions));
            rewrite_table(script, &table, &columns, change).await?;
            Ok(0)
        })
    }
}

/// Gives the rows of a partition the values of another one.
struct RenamePartition {
    table: String,
    from: Partition,
    to: Partition,
}

impl Statement for RenamePartition {
    fn describe(&self) -> String {
        format!("alter table {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let table = script.existing_table(&self.table)?;
            let columns = table.columns()?;
            let from = PartitionKeys::of_partition(&self.table, &self.from, &columns)?;
            let to = PartitionKeys::of_partition(&self.table, &self.to, &columns)?;
            let change = |batch: RecordBatch| {
                let renamed = from.select(&batch)?;
                let mut arrays = renamed.columns().to_vec();
                for (at, value) in to.columns.iter().zip(self.to.iter().filter_map(|(_, value)| value.as_ref())) {
                    let array = column_of(value, renamed.num_rows(), columns.field(*at));
                    arrays[*at] = array.map_err(Error::internal)?;
                }
                let renamed = RecordBatch::try_new(Arc::clone(&columns), arrays).map_err(Error::internal)?;
                concat_batches(&columns, [&from.exclude(&batch)?, &renamed]).map_err(Error::internal)
            };
            rewrite_table(script, &table, &columns, change).await?;
            Ok(0)
        })
    }
}
