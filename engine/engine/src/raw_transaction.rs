//! A transaction and its logs by hash.

use alloy_primitives::{Address, B256, Bytes};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use datafusion::common::{Result as PlanResult, ScalarValue};
use datafusion::prelude::{col, lit};

use quarry_lake::tables::Table;
use quarry_runtime::job::Schemas;
use quarry_sql::context::QueryContext;
use quarry_types::{Error, Result};

/// The input and the logs of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawTransaction {
    /// `None` if it creates a contract.
    pub to: Option<Address>,
    pub input: Bytes,
    /// In the order of the block.
    pub logs: Vec<RawLog>,
}

/// One log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLog {
    pub index: i64,
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
}

const TRANSACTION: [&str; 2] = ["to_address", "input"];
const LOG: [&str; 7] = ["log_index", "address", "topic0", "topic1", "topic2", "topic3", "data"];

/// The transaction of a hash, if it is in the lake.
pub(crate) async fn find(core: &QueryContext, hash: B256) -> Result<Option<RawTransaction>> {
    let snapshot = core.lake.snapshot().await?;
    let context = core.sessions.start(core.tables(&Schemas::default()).await?).context();
    let lake = core.lake.clone();
    let read = async move {
        let rows = async |table: Table, key: &str, columns: &[&str]| -> PlanResult<Vec<RecordBatch>> {
            let rows = context.read_table(lake.provider(&snapshot, table))?;
            let has_hash = col(key).eq(lit(ScalarValue::FixedSizeBinary(32, Some(hash.to_vec()))));
            rows.filter(has_hash)?.select_columns(columns)?.collect().await
        };
        let transactions = rows(Table::Transactions, "hash", &TRANSACTION).await?;
        let Some(batch) = transactions.into_iter().find(|batch| batch.num_rows() > 0) else { return Ok(None) };
        let to = batch.column(0).as_fixed_size_binary();
        let to = to.is_valid(0).then(|| Address::from_slice(to.value(0)));
        let mut logs: Vec<RawLog> = rows(Table::Logs, "transaction_hash", &LOG).await?.iter().flat_map(logs).collect();
        logs.sort_by_key(|log| log.index);
        Ok(Some(RawTransaction { to, input: bytes(batch.column(1), 0), logs }))
    };
    let read = core.runtime.spawn(read).await.map_err(Error::internal)?;
    read.map_err(|error: datafusion::common::DataFusionError| Error::internal(error))
}

fn logs(batch: &RecordBatch) -> Vec<RawLog> {
    let row = |row: usize| {
        let topics = (2..6).map(|column| batch.column(column).as_fixed_size_binary());
        RawLog {
            index: batch.column(0).as_primitive::<Int64Type>().value(row),
            address: Address::from_slice(batch.column(1).as_fixed_size_binary().value(row)),
            topics: topics
                .filter(|topic| topic.is_valid(row))
                .map(|topic| B256::from_slice(topic.value(row)))
                .collect(),
            data: bytes(batch.column(6), row),
        }
    };
    (0..batch.num_rows()).map(row).collect()
}

fn bytes(column: &dyn Array, row: usize) -> Bytes {
    match column.as_binary_view_opt() {
        Some(view) => Bytes::copy_from_slice(view.value(row)),
        None => Bytes::copy_from_slice(column.as_binary::<i32>().value(row)),
    }
}
