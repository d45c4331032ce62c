//! Rows of a query into a table: `INSERT` and `CREATE TABLE … AS`.

use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::sql::sqlparser::ast::{Expr, Query};
use futures::StreamExt;

use super::partitions::{Partition, PartitionKeys, column_of};
use super::rewrite::{copy_rows, scan};
use crate::ast::text;
use crate::defaults::{fill_defaults, width_with_defaults};
use crate::script::{STAGED_ROWS, Script};
use crate::target_table::TargetTable;
use quarry_functions::hive::{cast, types};
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_sql::running::execute::{for_each_batch, with_retries};
use quarry_types::{Error, ErrorCode, Result};

/// Rows of a query for a table.
#[derive(Debug)]
pub(crate) struct Insert {
    pub table: String,
    pub overwrite: bool,
    /// Whether all rows are replaced, of all partitions; else only the partitions that rows come for.
    pub whole_table: bool,
    pub partition: Partition,
    /// Whether a partition that exists stays as it is.
    pub if_not_exists: bool,
    /// The columns that the query fills; empty for all.
    pub columns: Vec<String>,
    pub query: Box<Query>,
}

impl Insert {
    /// All rows of a table are replaced by those of a query.
    pub fn replace_all(table: &str, query: Query) -> Insert {
        Insert { overwrite: true, whole_table: true, ..Insert::append(table, query) }
    }

    /// The rows of a query are added to a table.
    pub fn append(table: &str, query: Query) -> Insert {
        Insert {
            table: table.to_string(),
            overwrite: false,
            whole_table: false,
            partition: Vec::new(),
            if_not_exists: false,
            columns: Vec::new(),
            query: Box::new(query),
        }
    }

    /// The partitions that rows come for; without PARTITION those of the table, whose values are in the query.
    fn partitions(&self, columns: &SchemaRef) -> Partition {
        if self.whole_table || !self.partition.is_empty() {
            return self.partition.clone();
        }
        let partitions = columns.fields().iter().filter(|field| types::is_partition(field));
        partitions.map(|field| (field.name().to_lowercase(), None)).collect()
    }
}

/// Creates a table with the rows of a query.
pub(crate) async fn create_table_as(
    script: &Script,
    table: &TargetTable,
    query: &Query,
    context: &JobContext,
) -> Result<i64> {
    with_retries(context, |context| async move { attempt_create(script, table, query.clone(), &context).await }).await
}

async fn attempt_create(script: &Script, table: &TargetTable, query: Query, context: &JobContext) -> Result<i64> {
    let (session, planned) = script.physical_plan(query, false).await?;
    let fields: Vec<Field> = planned.physical.schema().fields().iter().map(|field| stored_field(field)).collect();
    let columns = Arc::new(Schema::new(fields));
    let mut writer = table.writer(&columns, WriteMode::Create)?;
    let explain = |error: &_| planned.names.explain(error);
    let rows = for_each_batch(planned.physical.clone(), session.tasks(), &explain, context, |batch| {
        let arrays = batch.columns().iter().zip(columns.fields());
        let arrays = arrays.map(|(array, field)| cast::to_field(array, field)).collect::<Result<Vec<_>, _>>();
        let arrays = arrays.map_err(|error| explain(&error))?;
        writer.write(&RecordBatch::try_new(columns.clone(), arrays).map_err(Error::internal)?)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()?;
    Ok(rows as i64)
}

/// The column of a table for a column of a query.
fn stored_field(field: &Field) -> Field {
    let data_type = match field.data_type() {
        DataType::Utf8View | DataType::LargeUtf8 | DataType::Null => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        other => other.clone(),
    };
    types::query_field(field.clone()).with_data_type(data_type).with_nullable(true)
}

/// Refuses a column that INSERT lists twice.
pub(crate) fn check_distinct(columns: &[String]) -> Result<()> {
    match columns.iter().enumerate().find(|(at, column)| columns[..*at].contains(column)) {
        Some((_, column)) => {
            Err(Error::new(ErrorCode::InvalidQuery, format!("INSERT sets the column {column} twice.")))
        }
        None => Ok(()),
    }
}

/// How the columns of a query become those of a table.
struct ColumnMapping {
    columns: SchemaRef,
    /// For each column of the table.
    sources: Vec<Source>,
}

enum Source {
    /// A column of the query.
    Query(usize),
    /// The same value in all rows.
    Value(Box<Expr>),
    Null,
}

impl ColumnMapping {
    /// `width` is the number of columns of the query.
    fn new(insert: &Insert, columns: &SchemaRef, width: usize) -> Result<ColumnMapping> {
        let names: Vec<String> = columns.fields().iter().map(|field| field.name().to_lowercase()).collect();
        for named in insert.partition.iter().map(|(name, _)| name).chain(&insert.columns) {
            if !names.contains(named) {
                let message = format!("The table {} has no column {named}.", insert.table);
                return Err(Error::new(ErrorCode::UnknownColumn, message));
            }
        }
        check_distinct(&insert.columns)?;
        // Columns that are not listed follow those that are.
        let mut next = insert.columns.len();
        let mut sources = Vec::new();
        for (name, field) in names.iter().zip(columns.fields()) {
            let partition = insert.partition.iter().find(|(column, _)| column == name).map(|(_, value)| value);
            let listed = insert.columns.iter().position(|column| column == name);
            sources.push(match (partition, listed) {
                (Some(Some(value)), _) => Source::Value(Box::new(value.clone())),
                (_, Some(column)) => Source::Query(column),
                (None, None) if !insert.columns.is_empty() => {
                    types::default(field).map_or(Source::Null, |value| Source::Value(Box::new(text(&value))))
                }
                _ => {
                    next += 1;
                    Source::Query(next - 1)
                }
            });
        }
        if next != width {
            let message = format!("The table {} expects {next} columns here, but the query has {width}.", insert.table);
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        Ok(ColumnMapping { columns: Arc::clone(columns), sources })
    }

    fn map(&self, batch: &RecordBatch) -> Result<RecordBatch, datafusion::common::DataFusionError> {
        let array = |(source, field): (&Source, &Arc<Field>)| match source {
            Source::Query(column) => cast::to_field(batch.column(*column), field),
            Source::Value(value) => column_of(value, batch.num_rows(), field),
            Source::Null => Ok(new_null_array(field.data_type(), batch.num_rows())),
        };
        let arrays = self.sources.iter().zip(self.columns.fields()).map(array).collect::<Result<Vec<_>, _>>()?;
        Ok(RecordBatch::try_new(Arc::clone(&self.columns), arrays)?)
    }
}

/// Adds the rows of a query to a table, or replaces all rows or those of partitions.
pub(crate) async fn insert(script: &mut Script, insert: Insert, context: &JobContext) -> Result<i64> {
    let table = match script.existing_table(&insert.table) {
        Err(error)
            if error.code == ErrorCode::UnknownTable
                && insert.overwrite
                && insert.partition.is_empty()
                && insert.columns.is_empty() =>
        {
            context.log(format!("Creates the table {} with the columns of the query.", insert.table));
            let table = script.own_table(&insert.table)?;
            return create_table_as(script, &table, &insert.query, context).await;
        }
        table => table?,
    };
    let columns = table.columns()?;
    if insert.if_not_exists && has_partition(script, &table, &insert, &columns).await? {
        context.log("The partition exists and stays as it is.");
        return Ok(0);
    }
    let mut query = insert.query.as_ref().clone();
    if let Some(width) = width_with_defaults(&query) {
        let mapping = ColumnMapping::new(&insert, &columns, width)?;
        let filled_by = |column| {
            mapping.sources.iter().position(|source| matches!(source, Source::Query(other) if *other == column))
        };
        fill_defaults(&mut query, |column| filled_by(column).map(|at| columns.field(at)))?;
    }
    let partitions = insert.partitions(&columns);
    // The rows decide which partitions are replaced, so they are written to another table first.
    let is_staged = insert.overwrite && !partitions.is_empty();
    let staged = if is_staged { Some(script.temporary_table(STAGED_ROWS)?) } else { None };
    let target =
        InsertTarget { insert: &insert, table: staged.as_ref().unwrap_or(&table), columns: &columns, is_staged };
    let (script, query) = (&*script, &query);
    let (rows, mut keys) =
        with_retries(context, |context| async move { attempt_insert(script, target, query.clone(), &context).await })
            .await?;
    if let Some(staged) = staged {
        keys.add_partition(&partitions, &columns)?;
        let mut writer = table.writer(&columns, WriteMode::Replace)?;
        copy_rows(script, &table, &mut writer, |batch| keys.exclude(&batch)).await?;
        copy_rows(script, &staged, &mut writer, Ok).await?;
        writer.finish()?;
        staged.drop_table()?;
    }
    Ok(rows as i64)
}

/// Where the rows of an INSERT go.
#[derive(Clone, Copy)]
struct InsertTarget<'a> {
    insert: &'a Insert,
    table: &'a TargetTable,
    columns: &'a SchemaRef,
    /// Whether the partitions of the rows are collected.
    is_staged: bool,
}

/// Writes the rows of a query. Returns their number and their partitions.
async fn attempt_insert(
    script: &Script,
    target: InsertTarget<'_>,
    query: Query,
    context: &JobContext,
) -> Result<(u64, PartitionKeys)> {
    let InsertTarget { insert, table, columns, is_staged } = target;
    let (session, planned) = script.physical_plan(query, false).await?;
    let mapping = ColumnMapping::new(insert, columns, planned.physical.schema().fields().len())?;
    let mode = if insert.overwrite { WriteMode::Replace } else { WriteMode::Append };
    let mut writer = table.writer(columns, mode)?;
    let mut keys = PartitionKeys::new(&insert.partitions(columns), columns)?;
    let explain = |error: &_| planned.names.explain(error);
    let rows = for_each_batch(planned.physical.clone(), session.tasks(), &explain, context, |batch| {
        let batch = mapping.map(&batch).map_err(|error| explain(&error))?;
        if is_staged {
            keys.add_rows(&batch)?;
        }
        writer.write(&batch)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()?;
    Ok((rows, keys))
}

/// Whether a table has rows of the partition that an INSERT names.
async fn has_partition(script: &Script, table: &TargetTable, insert: &Insert, columns: &SchemaRef) -> Result<bool> {
    let keys = PartitionKeys::of_partition(&insert.table, &insert.partition, columns)?;
    let mut rows = scan(script, table).await?;
    while let Some(batch) = rows.next().await {
        if keys.select(&batch.map_err(Error::internal)?)?.num_rows() > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
