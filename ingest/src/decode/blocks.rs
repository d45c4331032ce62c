//! Rows of `blocks`.

use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use crate::chain::BlockData;

impl Row for &BlockData {
    fn block(&self) -> &BlockData {
        self
    }
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    Columns::of(Table::Blocks, blocks)
        .time("timestamp")
        .int("number", |block| block.header.number)
        .hash("hash", |block| block.hash)
        .hash("parent_hash", |block| block.header.parent_hash)
        .bytes("nonce", |block| block.header.nonce.as_slice())
        .hash("mix_hash", |block| block.header.mix_hash)
        .hash("sha3_uncles", |block| block.header.ommers_hash)
        .bytes("logs_bloom", |block| block.header.logs_bloom.as_slice())
        .hash("transactions_root", |block| block.header.transactions_root)
        .hash("state_root", |block| block.header.state_root)
        .hash("receipts_root", |block| block.header.receipts_root)
        .address("miner", |block| block.header.beneficiary)
        .wei("difficulty", |block| block.header.difficulty)
        .wei_opt("total_difficulty", |block| block.total_difficulty)
        .int("size", |block| block.size)
        .bytes("extra_data", |block| &block.header.extra_data)
        .int("gas_limit", |block| block.header.gas_limit)
        .int("gas_used", |block| block.header.gas_used)
        .int("transaction_count", |block| block.transactions.len() as u64)
        .int_opt("base_fee_per_gas", |block| block.header.base_fee_per_gas)
        .hash_opt("withdrawals_root", |block| block.header.withdrawals_root)
        .int_opt("blob_gas_used", |block| block.header.blob_gas_used)
        .int_opt("excess_blob_gas", |block| block.header.excess_blob_gas)
        .hash_opt("parent_beacon_block_root", |block| block.header.parent_beacon_block_root)
        .hash_opt("requests_hash", |block| block.header.requests_hash)
        .hash_opt("block_access_list_hash", |block| block.header.block_access_list_hash)
        .int_opt("slot_number", |block| block.header.slot_number)
        .finish()
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256 as Number;

    use super::super::testing::{block, only};
    use super::*;

    #[test]
    fn overflow_names_block_and_column() {
        let mut huge = block(7);
        huge.header.gas_limit = u64::MAX;
        let error = batch(&[&huge]).expect_err("gas limit over 63 bits");
        assert_eq!(error.message, format!("block 7: {} does not fit the column blocks.gas_limit", u64::MAX));

        let mut far = block(8);
        far.header.timestamp = u64::MAX / 1_000_000;
        assert!(batch(&[&far]).is_err(), "microseconds overflow");

        let mut hard = block(9);
        hard.header.difficulty = Number::from(10u128.pow(38));
        assert!(batch(&[&hard]).is_err(), "39 digits");
        hard.header.difficulty = Number::from(10u128.pow(38) - 1);
        assert!(batch(&[&hard]).is_ok(), "38 digits");
    }

    #[test]
    fn blocks_are_sorted_by_number() {
        let batch = only(Table::Blocks, &[block(3), block(1), block(2)]);
        let numbers = batch.column_by_name("number").expect("number");
        let numbers: &arrow::array::Int64Array = arrow::array::AsArray::as_primitive(numbers);
        assert_eq!(numbers.values(), &[1, 2, 3]);
    }
}
