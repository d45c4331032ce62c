//! A transaction and its logs by hash, out of the lake.

use alloy_primitives::{Address, B256, Bytes};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use datafusion::common::{Result as PlanResult, ScalarValue};
use datafusion::prelude::{Expr, col, lit};

use quarry_lake::tables::Table;
use quarry_runtime::job::Schemas;
use quarry_sql::context::QueryContext;
use quarry_types::{Error, Result};

/// What a transaction carried and caused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawTransaction {
    /// Nothing when it creates a contract.
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

/// The transaction of a hash, if the lake holds it.
pub(crate) async fn find(core: &QueryContext, hash: B256) -> Result<Option<RawTransaction>> {
    let snapshot = core.lake.snapshot().await?;
    let context = core.sessions.start(core.tables(&Schemas::default()).await?).context();
    let lake = core.lake.clone();
    let read = async move {
        let of = async |table: Table, key: &str, columns: &[&str]| -> PlanResult<Vec<RecordBatch>> {
            let rows = context.read_table(lake.provider(&snapshot, table))?;
            rows.filter(is(key, hash))?.select_columns(columns)?.collect().await
        };
        let found = of(Table::Transactions, "hash", &TRANSACTION).await?;
        let Some(batch) = found.into_iter().find(|batch| batch.num_rows() > 0) else { return Ok(None) };
        let to = batch.column(0).as_fixed_size_binary();
        let to = to.is_valid(0).then(|| Address::from_slice(to.value(0)));
        let mut logs: Vec<RawLog> = of(Table::Logs, "transaction_hash", &LOG).await?.iter().flat_map(logs).collect();
        logs.sort_by_key(|log| log.index);
        Ok(Some(RawTransaction { to, input: bytes(batch.column(1), 0), logs }))
    };
    let read = core.runtime.spawn(read).await.map_err(Error::internal)?;
    read.map_err(|error: datafusion::common::DataFusionError| Error::internal(error))
}

fn is(column: &str, hash: B256) -> Expr {
    col(column).eq(lit(ScalarValue::FixedSizeBinary(32, Some(hash.to_vec()))))
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
