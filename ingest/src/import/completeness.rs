//! Checks that the files have all rows of a block. Rows that are missing at the end of a file leave no gap.

use std::collections::BTreeMap;

use alloy_primitives::{B256, Bloom, logs_bloom};
use quarry_types::{Error, ErrorCode, Result};

use super::block::Block;
use super::cell::int;
use super::file::{Foreign, refused};
use super::header;
use crate::chain::ReceiptData;
use crate::proofs::roots::receipts_root_of;

/// The row of each block.
pub(super) type Places<'a> = BTreeMap<u64, (&'a Foreign, usize)>;

/// Compares blocks with the totals in their headers.
///
/// # Errors
/// Incomplete transactions, receipts or logs, and a block that does not follow the previous one.
pub(super) fn check(blocks: &BTreeMap<u64, Block>, places: &Places<'_>, receipts: bool) -> Result<()> {
    let mut before: Option<&Block> = None;
    for (number, block) in blocks {
        if receipts && let Some(place) = block.transactions.iter().position(|sent| sent.cumulative_gas_used.is_none()) {
            let message = format!("The receipt of transaction {place} of block {number} is in none of the files.");
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        // Every block came from a row.
        let Some(&(file, row)) = places.get(number) else { continue };
        let wrong = |column: &'static str, why: String| Err(refused(&file.path, row, column, &why));
        if let (Some(before), Some(parent)) = (before.replace(block), block.parent_hash)
            && before.data.header.number + 1 == *number
            && before.data.hash != parent
        {
            return wrong("parent_hash", format!("it is {parent}, but the block before is {}", before.data.hash));
        }
        let count = block.transactions.len() as u64;
        if let Some(stated) = file.opt(&["transaction_count"], row, int)?
            && stated != count
        {
            return wrong(
                "transaction_count",
                format!("it is {stated}, but the files have {count} of its transactions"),
            );
        }
        if let Err(why) = header::check(file, block) {
            return wrong(file.column(&["block_hash", "hash"]), why);
        }
        let stated = block.data.header.gas_used;
        if block.block_access_list_hash.is_none()
            && let Some(used) = gas_used(block)
            && used != stated
            && let Err(why) = check_receipts(block)
        {
            return wrong(
                "gas_used",
                format!("it is {stated}, but the transactions in the files used {used}, and {why}"),
            );
        }
        let logs = block.data.transactions.iter().flat_map(|sent| &sent.receipt.logs);
        if let Some(stated) = &block.logs_bloom
            && Bloom::try_from(stated.as_slice()).ok() != Some(logs_bloom(logs))
        {
            return wrong("logs_bloom", "it is not that of the logs in the files".to_string());
        }
    }
    Ok(())
}

/// Checks that the receipts are complete in a block whose gas does not equal theirs: since block access lists
/// (Amsterdam), which the tools do not write, a header counts gas before refunds.
///
/// # Errors
/// Why they are incomplete, or why it is unknown.
fn check_receipts(block: &Block) -> Result<(), String> {
    let Some(stated) = block.receipts_root else {
        return Err("without a column receipts_root it can't be told whether some are missing, or whether the block \
                    counts gas before refunds, as those since Amsterdam do"
            .to_string());
    };
    match receipts_root(block) {
        Some(made) if made == stated => Ok(()),
        Some(made) => Err(format!("their receipts make the root {made}, not {stated}")),
        None => Err("some of their receipts are missing".to_string()),
    }
}

fn receipts_root(block: &Block) -> Option<B256> {
    let sent = block.transactions.iter().zip(&block.data.transactions);
    let receipts: Option<Vec<(u8, &ReceiptData)>> = sent
        .map(|(sent, carrier)| {
            sent.cumulative_gas_used?;
            Some((u8::try_from(sent.kind).ok()?, &carrier.receipt))
        })
        .collect();
    Some(receipts_root_of(&receipts?, |(kind, receipt)| (*kind, *receipt)).0)
}

/// Gas of all transactions; `None` if one is unknown.
fn gas_used(block: &Block) -> Option<u64> {
    block.transactions.iter().try_fold(0_u64, |sum, sent| sum.checked_add(sent.gas_used?))
}
