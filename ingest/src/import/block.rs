//! Blocks and transactions read from the files of a group.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, Bytes, U256};
use quarry_types::Result;

use super::cell::{hash, int};
use super::file::{Foreign, refused};
use crate::chain::BlockData;

/// The column of the block number.
pub(super) const NUMBER: [&str; 2] = ["block_number", "number"];

/// A block with the fields of its file; `data` has number, time, hash, gas used, base fee, transaction hashes and logs.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) data: BlockData,
    pub(super) miner: Address,
    pub(super) extra_data: Bytes,
    pub(super) parent_hash: Option<B256>,
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) mix_hash: Option<B256>,
    pub(super) sha3_uncles: Option<B256>,
    pub(super) logs_bloom: Option<Vec<u8>>,
    pub(super) transactions_root: Option<B256>,
    pub(super) state_root: Option<B256>,
    pub(super) receipts_root: Option<B256>,
    pub(super) difficulty: Option<U256>,
    pub(super) size: Option<u64>,
    pub(super) gas_limit: Option<u64>,
    pub(super) withdrawals_root: Option<B256>,
    pub(super) blob_gas_used: Option<u64>,
    pub(super) excess_blob_gas: Option<u64>,
    pub(super) parent_beacon_block_root: Option<B256>,
    pub(super) requests_hash: Option<B256>,
    pub(super) block_access_list_hash: Option<B256>,
    pub(super) slot_number: Option<u64>,
    pub(super) transactions: Vec<Transaction>,
    /// Whether `data.traces` has all traces, not only creations.
    pub(super) traced: bool,
}

impl Block {
    /// Bytes of all variable-length fields; no column of its rows has more.
    pub(super) fn bytes(&self) -> usize {
        let sent = |sent: &Transaction| {
            let blobs = sent.blob_versioned_hashes.as_ref().map_or(0, Vec::len);
            sent.input.len() + blobs * size_of::<B256>()
        };
        self.data.bytes() + self.extra_data.len() + self.transactions.iter().map(sent).sum::<usize>()
    }
}

/// A transaction with the fields of its files.
#[derive(Debug)]
pub(super) struct Transaction {
    pub(super) hash: B256,
    pub(super) nonce: u64,
    pub(super) from: Address,
    pub(super) to: Option<Address>,
    pub(super) value: U256,
    pub(super) gas: u64,
    pub(super) gas_price: U256,
    pub(super) input: Vec<u8>,
    pub(super) kind: u64,
    pub(super) chain_id: Option<u64>,
    pub(super) max_fee_per_gas: Option<U256>,
    pub(super) max_priority_fee_per_gas: Option<U256>,
    pub(super) max_fee_per_blob_gas: Option<U256>,
    pub(super) blob_versioned_hashes: Option<Vec<B256>>,
    /// v, r and s as encoded in the transaction.
    pub(super) signature: Option<[U256; 3]>,
    pub(super) gas_used: Option<u64>,
    pub(super) cumulative_gas_used: Option<u64>,
    pub(super) status: Option<bool>,
    pub(super) root: Option<B256>,
    pub(super) created: Option<Address>,
    pub(super) effective_gas_price: Option<U256>,
    pub(super) blob_gas_used: Option<u64>,
    pub(super) blob_gas_price: Option<U256>,
}

/// The block number of a row, checked against the block hash of the row.
pub(super) fn number(file: &Foreign, row: usize, blocks: &BTreeMap<u64, Block>) -> Result<u64> {
    let number = file.needed(&NUMBER, row, int)?;
    let block =
        blocks.get(&number).ok_or_else(|| refused(&file.path, row, NUMBER[0], "its block is in none of the files"))?;
    if let Some(said) = file.opt(&["block_hash"], row, hash)?
        && said != block.data.hash
    {
        return Err(refused(&file.path, row, "block_hash", "it is not that of the block there"));
    }
    Ok(number)
}
