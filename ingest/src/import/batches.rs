//! Converts imported blocks to batches of the lake's tables. Missing columns are null.

use alloy_primitives::U256;
use arrow::array::{RecordBatch, new_null_array};
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::block::{Block, Transaction};
use crate::chain::BlockData;
use crate::decode;
use crate::decode::columns::{Columns, Row};

impl Row for Block {
    fn block(&self) -> &BlockData {
        &self.data
    }
}

struct Sent<'a> {
    block: &'a Block,
    index: u64,
    data: &'a Transaction,
}

impl Row for Sent<'_> {
    fn block(&self) -> &BlockData {
        &self.block.data
    }
}

/// Maximum bytes of blocks of a batch, except for a single larger block: an Arrow array addresses 2 GiB.
const MAX_BATCH_BYTES: usize = 64 << 20;

/// The batches of every table that imported files fill. Tables without rows are omitted.
pub(super) fn batches(blocks: &[Block]) -> Result<Vec<(Table, RecordBatch)>> {
    portioned(blocks, MAX_BATCH_BYTES)
}

fn portioned(blocks: &[Block], most: usize) -> Result<Vec<(Table, RecordBatch)>> {
    let (mut rest, mut batches) = (blocks, Vec::new());
    while !rest.is_empty() {
        let (now, later) = rest.split_at(decode::portion(rest.iter().map(Block::bytes), most));
        batches.extend(batches_of(now)?);
        rest = later;
    }
    Ok(batches)
}

fn batches_of(blocks: &[Block]) -> Result<Vec<(Table, RecordBatch)>> {
    let carriers: Vec<&BlockData> = blocks.iter().map(|block| &block.data).collect();
    let traced: Vec<&BlockData> = blocks.iter().filter(|block| block.traced).map(|block| &block.data).collect();
    let batches = vec![
        (Table::Blocks, self::blocks(blocks)?),
        (Table::Transactions, transactions(blocks)?),
        (Table::Logs, decode::batch(Table::Logs, &carriers)?),
        (Table::TokenTransfers, decode::batch(Table::TokenTransfers, &carriers)?),
        (Table::Traces, decode::batch(Table::Traces, &traced)?),
        (Table::Contracts, decode::batch(Table::Contracts, &carriers)?),
        (Table::Withdrawals, decode::batch(Table::Withdrawals, &carriers)?),
    ];
    Ok(batches.into_iter().filter(|(_, batch)| batch.num_rows() > 0).collect())
}

fn blocks(blocks: &[Block]) -> Result<RecordBatch> {
    Columns::of(Table::Blocks, blocks)
        .time("timestamp")
        .int("number", |block| block.data.header.number)
        .hash("hash", |block| block.data.hash)
        .hash_opt("parent_hash", |block| block.parent_hash)
        .bytes_opt("nonce", |block| block.nonce.as_deref())
        .hash_opt("mix_hash", |block| block.mix_hash)
        .hash_opt("sha3_uncles", |block| block.sha3_uncles)
        .bytes_opt("logs_bloom", |block| block.logs_bloom.as_deref())
        .hash_opt("transactions_root", |block| block.transactions_root)
        .hash_opt("state_root", |block| block.state_root)
        .hash_opt("receipts_root", |block| block.receipts_root)
        .address("miner", |block| block.miner)
        .wei_opt("difficulty", |block| block.difficulty)
        .wei_opt("total_difficulty", |block| block.data.total_difficulty)
        .int_opt("size", |block| block.size)
        .bytes("extra_data", |block| &block.extra_data)
        .int_opt("gas_limit", |block| block.gas_limit)
        .int("gas_used", |block| block.data.header.gas_used)
        .int("transaction_count", |block| block.transactions.len() as u64)
        .int_opt("base_fee_per_gas", |block| block.data.header.base_fee_per_gas)
        .hash_opt("withdrawals_root", |block| block.withdrawals_root)
        .int_opt("blob_gas_used", |block| block.blob_gas_used)
        .int_opt("excess_blob_gas", |block| block.excess_blob_gas)
        .hash_opt("parent_beacon_block_root", |block| block.parent_beacon_block_root)
        .hash_opt("requests_hash", |block| block.requests_hash)
        .hash_opt("block_access_list_hash", |block| block.block_access_list_hash)
        .int_opt("slot_number", |block| block.slot_number)
        .finish()
}

fn transactions(blocks: &[Block]) -> Result<RecordBatch> {
    let mut rows = Vec::new();
    for block in blocks {
        rows.extend((0..).zip(&block.transactions).map(|(index, data)| Sent { block, index, data }));
    }
    let schema = Table::Transactions.schema();
    let nothing = |name: &str| {
        let field = schema.field_with_name(name);
        field.map(|field| new_null_array(field.data_type(), rows.len())).map_err(quarry_types::Error::internal)
    };
    let blob_hashes = decode::hash_lists(rows.iter().map(|row| row.data.blob_versioned_hashes.as_deref()));
    Columns::of(Table::Transactions, &rows)
        .hash("hash", |row| row.data.hash)
        .int("nonce", |row| row.data.nonce)
        .int("transaction_index", |row| row.index)
        .address("from_address", |row| row.data.from)
        .address_opt("to_address", |row| row.data.to)
        .wei("value", |row| row.data.value)
        .int("gas", |row| row.data.gas)
        .wei("gas_price", |row| row.data.gas_price)
        .bytes("input", |row| &row.data.input)
        .int_opt("receipt_cumulative_gas_used", |row| row.data.cumulative_gas_used)
        .int_opt("receipt_gas_used", |row| row.data.gas_used)
        .address_opt("receipt_contract_address", |row| row.data.created)
        .hash_opt("receipt_root", |row| row.data.root)
        .int_opt("receipt_status", |row| row.data.status.map(u64::from))
        .wei_opt("receipt_effective_gas_price", |row| row.data.effective_gas_price)
        .int_opt("receipt_blob_gas_used", |row| row.data.blob_gas_used)
        .wei_opt("receipt_blob_gas_price", |row| row.data.blob_gas_price)
        .block()
        .wei_opt("max_fee_per_gas", |row| row.data.max_fee_per_gas)
        .wei_opt("max_priority_fee_per_gas", |row| row.data.max_priority_fee_per_gas)
        .wei_opt("max_fee_per_blob_gas", |row| row.data.max_fee_per_blob_gas)
        .int("transaction_type", |row| row.data.kind)
        .int_opt("chain_id", |row| row.data.chain_id)
        .array("access_list", nothing("access_list")?)
        .array("authorization_list", nothing("authorization_list")?)
        .array("blob_versioned_hashes", blob_hashes)
        .int32_opt("y_parity", |row| row.data.signature.map(|[v, _, _]| parity(v)))
        .uint256_opt("v", |row| row.data.signature.map(|[v, _, _]| v))
        .uint256_opt("r", |row| row.data.signature.map(|[_, r, _]| r))
        .uint256_opt("s", |row| row.data.signature.map(|[_, _, s]| s))
        .int_opt("base_fee_per_gas", |row| row.block.data.header.base_fee_per_gas)
        .finish()
}

/// The parity of an encoded v: the parity itself, 27 and 28, or with the chain id (EIP-155).
fn parity(v: U256) -> i32 {
    let odd = v.bit(0);
    let bare = v < U256::from(2);
    i32::from(odd == bare)
}

#[cfg(test)]
mod tests {
    use arrow::compute::concat_batches;

    use super::super::file::Foreign;
    use super::super::{ImportFormat, expand, fixtures, rows};
    use super::*;

    #[test]
    fn portions_preserve_rows_and_order() {
        let folder = tempfile::tempdir().expect("a folder");
        fixtures::etl(folder.path(), &fixtures::traced(5));
        let paths = expand(&[folder.path().to_path_buf()]).expect("files");
        let files = paths.iter().filter_map(|path| Foreign::read(path, ImportFormat::EthereumEtl).expect("reads"));
        let blocks = rows::blocks(&files.collect::<Vec<_>>(), true).expect("blocks");
        let (whole, portions) = (portioned(&blocks, usize::MAX).expect("rows"), portioned(&blocks, 1).expect("rows"));
        assert_eq!((whole.len(), portions.len()), (7, 5 * 7));
        for (table, batch) in whole {
            let parts = portions.iter().filter(|(of, _)| *of == table).map(|(_, batch)| batch);
            assert_eq!(concat_batches(&table.schema(), parts).expect("rows"), batch);
        }
    }
}
