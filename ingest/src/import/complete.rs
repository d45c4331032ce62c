//! Whether the files have all of a block, as far as the block itself tells: rows that are missing at the end of a file leave
//! no gap.

use std::collections::BTreeMap;

use alloy_primitives::{Bloom, logs_bloom};
use quarry_engine::{Error, ErrorCode, Result};

use super::file::{Foreign, refused};
use super::rows::{Block, int};

/// Where the row of each block is.
pub(super) type Places<'a> = BTreeMap<u64, (&'a Foreign, usize)>;

/// Compares blocks, of which all rows were read, with what they say of themselves.
///
/// # Errors
/// Transactions, receipts or logs that can't be all of a block.
pub(super) fn check(blocks: &BTreeMap<u64, Block>, places: &Places<'_>, receipts: bool) -> Result<()> {
    for (number, block) in blocks {
        if receipts && let Some(place) = block.transactions.iter().position(|sent| sent.cumulative_gas_used.is_none()) {
            let message = format!("The receipt of transaction {place} of block {number} is in none of the files.");
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        // Every block came from a row.
        let Some(&(file, row)) = places.get(number) else { continue };
        let wrong = |column: &'static str, why: String| Err(refused(&file.path, row, column, &why));
        let count = block.transactions.len() as u64;
        if let Some(told) = file.opt(&["transaction_count"], row, int)?
            && told != count
        {
            return wrong("transaction_count", format!("it is {told}, but the files have {count} of its transactions"));
        }
        let told = block.data.header.gas_used;
        // Since block access lists (Amsterdam) the header counts gas before refunds.
        let counts_alike = file.get(&["block_access_list_hash"], row).is_none();
        if counts_alike
            && let Some(used) = gas_used(block)
            && used != told
        {
            return wrong("gas_used", format!("it is {told}, but the transactions in the files used {used}"));
        }
        let logs = block.data.transactions.iter().flat_map(|sent| &sent.receipt.logs);
        if let Some(told) = &block.logs_bloom
            && Bloom::try_from(told.as_slice()).ok() != Some(logs_bloom(logs))
        {
            return wrong("logs_bloom", "it is not that of the logs in the files".to_string());
        }
    }
    Ok(())
}

/// Gas of all transactions; nothing when one of them does not tell it.
fn gas_used(block: &Block) -> Option<u64> {
    block.transactions.iter().try_fold(0_u64, |sum, sent| sum.checked_add(sent.gas_used?))
}
