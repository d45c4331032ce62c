//! Rows of `withdrawals`.

use alloy::eips::eip4895::Withdrawal;
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use crate::chain::BlockData;

struct WithdrawalRow<'a> {
    block: &'a BlockData,
    place: u64,
    withdrawal: &'a Withdrawal,
}

impl Row for WithdrawalRow<'_> {
    fn block(&self) -> &BlockData {
        self.block
    }
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let mut rows = Vec::new();
    for &block in blocks {
        let withdrawals = (0..).zip(block.withdrawals.iter().flatten());
        rows.extend(withdrawals.map(|(place, withdrawal)| WithdrawalRow { block, place, withdrawal }));
    }
    Columns::of(Table::Withdrawals, &rows)
        .int("index", |row| row.withdrawal.index)
        .int("withdrawal_index", |row| row.place)
        .int("validator_index", |row| row.withdrawal.validator_index)
        .address("address", |row| row.withdrawal.address)
        .int("amount", |row| row.withdrawal.amount)
        .block()
        .finish()
}
