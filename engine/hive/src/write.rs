//! Rows of a query into a table: `CREATE TABLE … AS` and `INSERT`.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray, new_null_array};
use arrow::compute::{concat_batches, filter_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::row::{OwnedRow, RowConverter, SortField};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::sql::sqlparser::ast::Query;
use futures::StreamExt;

use super::defaults;
use super::literals::literal;
use super::reader::{Insert, Partition};
use super::script::{Script, Target};
use quarry_functions::hive::{cast, types};
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::{TableWriter, WriteMode};
use quarry_sql::running::run::drive;
use quarry_types::{Error, ErrorCode, Result};

/// Makes a table of what a query answers.
pub(super) async fn create_as(script: &Script, target: &Target, query: Query, context: &JobContext) -> Result<i64> {
    let (session, planned) = script.planned(query, false).await?;
    let fields = planned.physical.schema().fields().iter().map(|field| stored(field)).collect::<Vec<_>>();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Create)?;
    let explain = |error: &_| planned.names.explain(error);
    let rows = drive(planned.physical.clone(), session.tasks(), &explain, context, |batch| {
        let columns = batch.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| cast::to_field(column, field)).collect::<Result<Vec<_>, _>>();
        let columns = columns.map_err(|error| planned.names.explain(&error))?;
        writer.write(&RecordBatch::try_new(schema.clone(), columns).map_err(Error::internal)?)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()?;
    Ok(rows as i64)
}

/// The column of a table for a column of a query.
fn stored(field: &Field) -> Field {
    let data_type = match field.data_type() {
        DataType::Utf8View | DataType::LargeUtf8 | DataType::Null => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        other => other.clone(),
    };
    types::query_field(field.clone()).with_data_type(data_type).with_nullable(true)
}

/// How the columns of a query become those of a table.
struct Fill {
    schema: SchemaRef,
    /// For each column of the table: the query's column, or a value of the partition, or null.
    from: Vec<Source>,
}

enum Source {
    Query(usize),
    Value(Option<String>),
    Null,
}

impl Fill {
    fn new(insert: &Insert, schema: &SchemaRef, given: usize) -> Result<Fill> {
        let name = |field: &Arc<Field>| field.name().to_lowercase();
        for wanted in insert.partition.iter().map(|(name, _)| name).chain(&insert.columns) {
            if !schema.fields().iter().any(|field| name(field) == *wanted) {
                let message = format!("The table {} has no column {wanted}.", insert.table);
                return Err(Error::new(ErrorCode::UnknownColumn, message));
            }
        }
        let mut next = 0;
        let mut from = Vec::new();
        for field in schema.fields() {
            let part = insert.partition.iter().find(|(part, _)| *part == name(field));
            let listed = insert.columns.iter().position(|one| *one == name(field));
            from.push(match (part, listed) {
                (Some((_, Some(value))), _) => Source::Value(literal(value)),
                (_, Some(index)) => Source::Query(index),
                (None, None) if !insert.columns.is_empty() => {
                    types::default(field).map_or(Source::Null, |value| Source::Value(Some(value)))
                }
                (Some((_, None)), None) if !insert.columns.is_empty() => {
                    next += 1;
                    Source::Query(insert.columns.len() + next - 1)
                }
                _ => {
                    next += 1;
                    Source::Query(next - 1)
                }
            });
        }
        let wanted = if insert.columns.is_empty() { next } else { insert.columns.len() + next };
        if wanted != given {
            let message = format!("The table {} takes {wanted} columns here and the query has {given}.", insert.table);
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        Ok(Fill { schema: Arc::clone(schema), from })
    }

    fn batch(&self, batch: &RecordBatch) -> Result<RecordBatch, datafusion::common::DataFusionError> {
        let rows = batch.num_rows();
        let column = |(source, field): (&Source, &Arc<Field>)| match source {
            Source::Query(index) => cast::to_field(batch.column(*index), field),
            Source::Value(value) => {
                let texts: ArrayRef = Arc::new(StringArray::from(vec![value.as_deref(); rows]));
                cast::to_field(&texts, field)
            }
            Source::Null => Ok(new_null_array(field.data_type(), rows)),
        };
        let columns = self.from.iter().zip(self.schema.fields()).map(column).collect::<Result<Vec<_>, _>>()?;
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }
}

/// Adds the rows of a query to a table, or puts them in the place of all rows or of those of a partition.
pub(super) async fn insert(script: &mut Script, insert: Insert, context: &JobContext) -> Result<i64> {
    let target = match script.existing(&insert.table) {
        Err(error) if error.code == ErrorCode::UnknownTable && insert.makes_a_table() => {
            context.log(format!("There is no table {}: it is made with the columns of the query.", insert.table));
            let target = script.target(&insert.table, false)?;
            return create_as(script, &target, *insert.query, context).await;
        }
        found => found?,
    };
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    if insert.if_not_exists && has_partition(script, &target, &insert, &schema).await? {
        context.log("The partition is there and stays as it is.".to_string());
        return Ok(0);
    }
    let mut query = (*insert.query).clone();
    if let Some(given) = defaults::stands_in(&query) {
        let fill = Fill::new(&insert, &schema, given)?;
        let column = |place| fill.from.iter().position(|from| matches!(from, Source::Query(at) if *at == place));
        defaults::fill(&mut query, |place| column(place).map(|at| schema.field(at)))?;
    }
    let (session, planned) = script.planned(query, false).await?;
    let fill = Fill::new(&insert, &schema, planned.physical.schema().fields().len())?;
    let parts = parts(&insert, &schema);
    let keeps_others = insert.overwrite && !parts.is_empty();
    let mode = if insert.overwrite { WriteMode::Replace } else { WriteMode::Append };
    // Rows of a partition are written aside first: they say which old rows go.
    let aside = if keeps_others { Some(script.aside()?) } else { None };
    let to = aside.as_ref().unwrap_or(&target);
    let first_mode = if aside.is_some() { WriteMode::Replace } else { mode };
    let mut writer = to.tables.writer(&to.schema, &to.table, &schema, first_mode)?;
    let mut keys = Keys::new(&parts, &schema)?;
    let explain = |error: &_| planned.names.explain(error);
    let rows = drive(planned.physical.clone(), session.tasks(), &explain, context, |batch| {
        let batch = fill.batch(&batch).map_err(|error| planned.names.explain(&error))?;
        if keeps_others {
            keys.add(&batch)?;
        }
        writer.write(&batch)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()?;
    if let Some(aside) = aside {
        let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Replace)?;
        keys.add_fixed(&parts, &schema)?;
        copy(script, &target, &mut writer, |batch| keys.without(batch)).await?;
        copy(script, &aside, &mut writer, Ok).await?;
        writer.finish()?;
        aside.tables.drop_table(&aside.schema, &aside.table)?;
    }
    Ok(rows as i64)
}

/// The columns of the partitions that an INSERT writes; without PARTITION those of the table, whose values the query gives.
fn parts(insert: &Insert, schema: &SchemaRef) -> Partition {
    if insert.whole || !insert.partition.is_empty() {
        return insert.partition.clone();
    }
    let parts = schema.fields().iter().filter(|field| types::is_partition(field));
    parts.map(|field| (field.name().to_lowercase(), None)).collect()
}

/// Whether a table has rows of the partition that an INSERT names.
async fn has_partition(script: &Script, target: &Target, insert: &Insert, schema: &SchemaRef) -> Result<bool> {
    let keys = Keys::of_partition(&insert.table, &insert.partition, schema)?;
    let mut rows = rows(script, target).await?;
    while let Some(batch) = rows.next().await {
        if keys.only(batch.map_err(Error::internal)?)?.num_rows() > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes the rows of partitions out of a table.
pub(super) async fn drop_partitions(script: &Script, name: &str, partitions: Vec<Partition>) -> Result<i64> {
    for partition in partitions {
        let target = script.existing(name)?;
        let schema = target.tables.get(&target.schema, &target.table)?.arrow;
        let keys = Keys::of_partition(name, &partition, &schema)?;
        let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Replace)?;
        copy(script, &target, &mut writer, |batch| keys.without(batch)).await?;
        writer.finish()?;
    }
    Ok(0)
}

/// Gives the rows of a partition the values of another one.
pub(super) async fn move_partition(script: &Script, name: &str, from: &Partition, to: &Partition) -> Result<i64> {
    let target = script.existing(name)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let keys = Keys::of_partition(name, from, &schema)?;
    let values = Keys::of_partition(name, to, &schema)?;
    let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Replace)?;
    let moved = |batch: RecordBatch| {
        let inside = keys.only(batch.clone())?;
        let mut columns = inside.columns().to_vec();
        for (at, (_, value)) in values.columns.iter().zip(to) {
            let text = value.as_ref().and_then(literal);
            let texts: ArrayRef = Arc::new(StringArray::from(vec![text.as_deref(); inside.num_rows()]));
            columns[*at] = cast::to_field(&texts, schema.field(*at)).map_err(Error::internal)?;
        }
        let inside = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(Error::internal)?;
        let outside = keys.without(batch)?;
        concat_batches(&schema, [&outside, &inside]).map_err(Error::internal)
    };
    copy(script, &target, &mut writer, moved).await?;
    writer.finish()?;
    Ok(0)
}

/// Writes the rows of a table to another one.
pub(super) async fn copy(
    script: &Script,
    from: &Target,
    writer: &mut TableWriter,
    mut keep: impl FnMut(RecordBatch) -> Result<RecordBatch>,
) -> Result<()> {
    let mut stream = rows(script, from).await?;
    while let Some(batch) = stream.next().await {
        writer.write(&keep(batch.map_err(Error::internal)?)?)?;
    }
    Ok(())
}

/// The rows of a table as they are now.
pub(super) async fn rows(script: &Script, from: &Target) -> Result<SendableRecordBatchStream> {
    let session = script.session().await?;
    let table = from.tables.provider(&from.schema, &from.table)?;
    let rows = session.context().read_table(table).map_err(Error::internal)?;
    rows.execute_stream().await.map_err(Error::internal)
}

/// The values of the partition's columns that are written anew.
pub(super) struct Keys {
    columns: Vec<usize>,
    converter: RowConverter,
    seen: HashSet<OwnedRow>,
}

impl Keys {
    fn new(partition: &Partition, schema: &SchemaRef) -> Result<Keys> {
        let index =
            |(name, _): &(String, _)| schema.fields().iter().position(|field| field.name().to_lowercase() == *name);
        let columns: Vec<usize> = partition.iter().filter_map(index).collect();
        let fields = columns.iter().map(|column| SortField::new(schema.field(*column).data_type().clone())).collect();
        let converter = RowConverter::new(fields).map_err(Error::internal)?;
        Ok(Keys { columns, converter, seen: HashSet::new() })
    }

    /// The one partition that is named whole.
    pub fn of_partition(table: &str, partition: &Partition, schema: &SchemaRef) -> Result<Keys> {
        let mut keys = Keys::new(partition, schema)?;
        if keys.columns.len() != partition.len() || partition.iter().any(|(_, value)| value.is_none()) {
            let message = format!("A partition of the table {table} is told by values of its columns.");
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        keys.add_fixed(partition, schema)?;
        Ok(keys)
    }

    fn rows(&self, batch: &RecordBatch) -> Result<Vec<OwnedRow>> {
        let columns: Vec<ArrayRef> = self.columns.iter().map(|column| Arc::clone(batch.column(*column))).collect();
        let rows = self.converter.convert_columns(&columns).map_err(Error::internal)?;
        Ok(rows.iter().map(|row| row.owned()).collect())
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let rows = self.rows(batch)?;
        self.seen.extend(rows);
        Ok(())
    }

    /// A partition that is named whole is written anew even when no row comes.
    fn add_fixed(&mut self, partition: &Partition, schema: &SchemaRef) -> Result<()> {
        if partition.iter().any(|(_, value)| value.is_none()) {
            return Ok(());
        }
        let column = |(index, field): (usize, &Arc<Field>)| {
            let value = self.columns.iter().position(|column| *column == index).map(|at| &partition[at].1);
            let text = value.and_then(|value| value.as_ref().and_then(literal));
            let texts: ArrayRef = Arc::new(StringArray::from(vec![text.as_deref()]));
            match value {
                Some(_) => cast::to_field(&texts, field),
                None => Ok(new_null_array(field.data_type(), 1)),
            }
        };
        let columns = schema.fields().iter().enumerate().map(column).collect::<Result<Vec<_>, _>>();
        let columns = columns.map_err(Error::internal)?;
        let batch = RecordBatch::try_new(Arc::clone(schema), columns).map_err(Error::internal)?;
        self.add(&batch)
    }

    /// The rows of other partitions.
    fn without(&self, batch: RecordBatch) -> Result<RecordBatch> {
        self.filter(&batch, false)
    }

    /// The rows of these partitions.
    pub fn only(&self, batch: RecordBatch) -> Result<RecordBatch> {
        self.filter(&batch, true)
    }

    fn filter(&self, batch: &RecordBatch, inside: bool) -> Result<RecordBatch> {
        let keep: BooleanArray = self.rows(batch)?.iter().map(|row| Some(self.seen.contains(row) == inside)).collect();
        filter_record_batch(batch, &keep).map_err(Error::internal)
    }
}
