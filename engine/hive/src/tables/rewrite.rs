//! Rewrites the rows of a table.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt;

use crate::script::Script;
use crate::target_table::TargetTable;
use quarry_runtime::user_tables::{TableWriter, WriteMode};
use quarry_types::{Error, Result};

/// Replaces the rows of a table by what `change` makes of them, with these columns.
pub(crate) async fn rewrite_table(
    script: &Script,
    table: &TargetTable,
    columns: &SchemaRef,
    change: impl FnMut(RecordBatch) -> Result<RecordBatch>,
) -> Result<()> {
    let mut writer = table.writer(columns, WriteMode::Replace)?;
    copy_rows(script, table, &mut writer, change).await?;
    writer.finish().map(drop)
}

/// Writes what `change` makes of the rows of a table.
pub(super) async fn copy_rows(
    script: &Script,
    from: &TargetTable,
    writer: &mut TableWriter,
    mut change: impl FnMut(RecordBatch) -> Result<RecordBatch>,
) -> Result<()> {
    let mut rows = scan(script, from).await?;
    while let Some(batch) = rows.next().await {
        writer.write(&change(batch.map_err(Error::internal)?)?)?;
    }
    Ok(())
}

/// The rows of a table as they are now.
pub(crate) async fn scan(script: &Script, from: &TargetTable) -> Result<SendableRecordBatchStream> {
    let session = script.session().await?;
    let table = from.tables.provider(&from.schema, &from.name)?;
    let rows = session.context().read_table(table).map_err(Error::internal)?;
    rows.execute_stream().await.map_err(Error::internal)
}
