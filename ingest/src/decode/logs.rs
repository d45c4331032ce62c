//! Rows of `logs`.

use alloy_primitives::Log;
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use crate::chain::{BlockData, TransactionData};

/// A log with its index.
pub(super) struct LogRow<'a> {
    block: &'a BlockData,
    pub(super) transaction: &'a TransactionData,
    pub(super) transaction_index: u64,
    pub(super) index: u64,
    pub(super) log: &'a Log,
}

impl Row for LogRow<'_> {
    fn block(&self) -> &BlockData {
        self.block
    }
}

/// All logs in chain order, numbered from 0 in each block.
pub(super) fn rows<'a>(blocks: &[&'a BlockData]) -> Vec<LogRow<'a>> {
    let mut rows = Vec::new();
    for &block in blocks {
        let mut index = 0;
        for (transaction_index, transaction) in (0..).zip(&block.transactions) {
            for log in &transaction.receipt.logs {
                rows.push(LogRow { block, transaction, transaction_index, index, log });
                index += 1;
            }
        }
    }
    rows
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let rows = rows(blocks);
    Columns::of(Table::Logs, &rows)
        .int("log_index", |row| row.index)
        .hash("transaction_hash", |row| row.transaction.hash)
        .int("transaction_index", |row| row.transaction_index)
        .address("address", |row| row.log.address)
        .bytes("data", |row| &row.log.data.data)
        .hash_opt("topic0", |row| row.log.topics().first().copied())
        .hash_opt("topic1", |row| row.log.topics().get(1).copied())
        .hash_opt("topic2", |row| row.log.topics().get(2).copied())
        .hash_opt("topic3", |row| row.log.topics().get(3).copied())
        .block()
        .finish()
}
