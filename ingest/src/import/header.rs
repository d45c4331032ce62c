//! Verifies headers of files with all fields: the hash covers every field, including the gas that no receipt has.

use alloy::consensus::Header;
use alloy_primitives::{B64, Bloom};

use super::block::Block;
use super::file::Foreign;

/// Fields that were added by forks: they are null before the fork, and in files without the column.
const LATER: [&str; 8] = [
    "base_fee_per_gas",
    "withdrawals_root",
    "blob_gas_used",
    "excess_blob_gas",
    "parent_beacon_block_root",
    "requests_hash",
    "block_access_list_hash",
    "slot_number",
];

/// Checks the block hash against the header, if the file has a column for each field.
///
/// # Errors
/// The mismatch.
pub(super) fn check(file: &Foreign, block: &Block) -> Result<(), String> {
    let known = LATER.iter().all(|name| file.has(name)).then(|| header(block)).flatten();
    match known.map(|header| header.hash_slow()) {
        Some(made) if made != block.data.hash => {
            Err(format!("it is {}, but the header in the file hashes to {made}", block.data.hash))
        }
        _ => Ok(()),
    }
}

/// `None` if a mandatory field is missing.
fn header(block: &Block) -> Option<Header> {
    Some(Header {
        parent_hash: block.parent_hash?,
        ommers_hash: block.sha3_uncles?,
        beneficiary: block.miner,
        state_root: block.state_root?,
        transactions_root: block.transactions_root?,
        receipts_root: block.receipts_root?,
        logs_bloom: Bloom::try_from(block.logs_bloom.as_deref()?).ok()?,
        difficulty: block.difficulty?,
        gas_limit: block.gas_limit?,
        extra_data: block.extra_data.clone(),
        mix_hash: block.mix_hash?,
        nonce: B64::try_from(block.nonce.as_deref()?).ok()?,
        withdrawals_root: block.withdrawals_root,
        blob_gas_used: block.blob_gas_used,
        excess_blob_gas: block.excess_blob_gas,
        parent_beacon_block_root: block.parent_beacon_block_root,
        requests_hash: block.requests_hash,
        block_access_list_hash: block.block_access_list_hash,
        slot_number: block.slot_number,
        // Number, time, gas used and base fee, which every file of blocks has.
        ..block.data.header.clone()
    })
}
