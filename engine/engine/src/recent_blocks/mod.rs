//! The newest blocks, for tickers. They are read outside the job queue, since it is quick and every visitor needs them.

mod gas_by_kind;

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::prelude::{col, lit};

use quarry_lake::tables::Table;
use quarry_runtime::job::Schemas;
use quarry_sql::context::QueryContext;
use quarry_types::{Error, Result};

pub use gas_by_kind::GasByKind;
use gas_by_kind::{GasCounter, LOG_COLUMNS, TRANSACTION_COLUMNS};

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
    /// Wei per gas; `None` before London.
    pub base_fee: Option<i64>,
    pub gas_by_kind: GasByKind,
}

/// The newest blocks, newest first.
pub(crate) async fn blocks(core: &QueryContext, count: u32) -> Result<Vec<RecentBlock>> {
    let snapshot = core.lake.snapshot().await?;
    let Some(head) = snapshot.head else { return Ok(Vec::new()) };
    let context = core.sessions.start(core.tables(&Schemas::default()).await?).context();
    let lake = core.lake.clone();
    let after = head.number - i64::from(count);
    let read = async move {
        let newest = |table: Table, number: &str, columns: &[&str]| {
            let rows = context.read_table(lake.provider(&snapshot, table))?;
            rows.filter(col(number).gt(lit(after)))?.select_columns(columns)
        };
        let mut gas = GasCounter::default();
        let logs = newest(Table::Logs, "block_number", &LOG_COLUMNS)?;
        logs.collect().await?.iter().for_each(|batch| gas.add_logs(batch));
        let transactions = newest(Table::Transactions, "block_number", &TRANSACTION_COLUMNS)?;
        transactions.collect().await?.iter().for_each(|batch| gas.add_transactions(batch));
        let names = ["number", "timestamp", "gas_used", "gas_limit", "transaction_count", "base_fee_per_gas"];
        let blocks = newest(Table::Blocks, "number", &names)?.sort(vec![col("number").sort(false, false)])?;
        Ok(blocks.collect().await?.iter().flat_map(|batch| rows(batch, &gas)).collect())
    };
    let handle = core.runtime.spawn(read);
    handle.await.map_err(Error::internal)?.map_err(|error: DataFusionError| Error::internal(error))
}

fn rows(batch: &RecordBatch, gas: &GasCounter) -> Vec<RecentBlock> {
    let number = |column: usize, row: usize| batch.column(column).as_primitive::<Int64Type>().value(row);
    let block = |row: usize| RecentBlock {
        number: number(0, row),
        time: batch.column(1).as_primitive::<TimestampMicrosecondType>().value(row),
        gas_used: number(2, row),
        gas_limit: number(3, row),
        transaction_count: number(4, row),
        base_fee: batch.column(5).is_valid(row).then(|| number(5, row)),
        gas_by_kind: gas.by_block.get(&number(0, row)).copied().unwrap_or_default(),
    };
    (0..batch.num_rows()).map(block).collect()
}
