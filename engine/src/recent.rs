//! The newest blocks, for tickers: read on the side of the job queue, since it takes a moment and everybody asks.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::prelude::{col, lit};

use crate::engine::Core;
use crate::error::{Error, Result};
use crate::lake::tables::Table;
use crate::user_tables::Schemas;

/// One block of the ticker.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecentBlock {
    pub number: i64,
    /// Microseconds UTC.
    pub time: i64,
    pub gas_used: i64,
    pub gas_limit: i64,
    pub transaction_count: i64,
    /// Wei per gas; absent before London.
    pub base_fee: Option<i64>,
}

/// The newest blocks, newest first.
pub(crate) async fn blocks(core: &Core, count: u32) -> Result<Vec<RecentBlock>> {
    let snapshot = core.lake.snapshot().await?;
    let Some(head) = snapshot.head else { return Ok(Vec::new()) };
    let session = core.sessions.start(core.tables(&Schemas::default()).await?)?;
    let provider = core.lake.provider(&snapshot, Table::Blocks);
    let read = async move {
        let names = ["number", "timestamp", "gas_used", "gas_limit", "transaction_count", "base_fee_per_gas"];
        let newest = session
            .context
            .read_table(provider)?
            .filter(col("number").gt(lit(head.number - i64::from(count))))?
            .select_columns(&names)?
            .sort(vec![col("number").sort(false, false)])?;
        newest.collect().await
    };
    let handle = core.runtime.spawn(read);
    let batches = handle.await.map_err(Error::internal)?.map_err(|error: DataFusionError| Error::internal(error))?;
    Ok(batches.iter().flat_map(rows).collect())
}

fn rows(batch: &RecordBatch) -> Vec<RecentBlock> {
    let number = |column: usize, row: usize| batch.column(column).as_primitive::<Int64Type>().value(row);
    let block = |row: usize| RecentBlock {
        number: number(0, row),
        time: batch.column(1).as_primitive::<TimestampMicrosecondType>().value(row),
        gas_used: number(2, row),
        gas_limit: number(3, row),
        transaction_count: number(4, row),
        base_fee: batch.column(5).is_valid(row).then(|| number(5, row)),
    };
    (0..batch.num_rows()).map(block).collect()
}
