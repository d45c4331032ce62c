//! Verifies a block by itself: its hash covers the header, the roots of the header cover transactions, receipts and
//! withdrawals, and signatures identify senders. A trusted hash thus makes the whole block trusted.

use std::fmt;

use alloy::consensus::Transaction;
use alloy::eips::eip4844::DATA_GAS_PER_BLOB;

use super::roots::{receipts_root, transactions_root, withdrawals_root};
use super::sender::sender;
use super::sender_batches::signed_by_senders;
use super::{call_trees, rewards, top_level_calls};
use crate::chain::{BlockData, TransactionData};

/// The checks, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    HeaderHash,
    TransactionHash,
    Sender,
    Receipt,
    TransactionsRoot,
    ReceiptsRoot,
    LogsBloom,
    WithdrawalsRoot,
    /// Traces against transactions, receipts and header; calls form trees.
    Traces,
    ParentHash,
    /// Rows of the lake against the rows that follow from others or from a node.
    Rows,
}

impl Check {
    /// The name for messages: "receipts root".
    pub fn name(self) -> &'static str {
        match self {
            Check::HeaderHash => "header hash",
            Check::TransactionHash => "transaction hash",
            Check::Sender => "sender",
            Check::Receipt => "receipt",
            Check::TransactionsRoot => "transactions root",
            Check::ReceiptsRoot => "receipts root",
            Check::LogsBloom => "logs bloom",
            Check::WithdrawalsRoot => "withdrawals root",
            Check::Traces => "traces",
            Check::ParentHash => "parent hash",
            Check::Rows => "rows",
        }
    }
}

/// A failed check of a block. Displayed as "block 17: receipts root: …".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub block: u64,
    pub check: Check,
    /// The computed and the expected value.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}: {}: {}", self.block, self.check.name(), self.what)
    }
}

/// Verifies all that a block proves by itself.
///
/// # Errors
/// The first failed check.
pub(crate) fn block(block: &BlockData) -> Result<(), Mismatch> {
    proves_itself(block, check_sender)
}

/// Verifies blocks and returns the first failed check of each invalid block. Signatures are verified in batches, which
/// takes about a third of the time for known senders.
pub(crate) fn mismatches(blocks: &[BlockData]) -> impl Iterator<Item = Mismatch> {
    let later = |_: &TransactionData| Ok(());
    let sound = blocks.iter().all(|block| proves_itself(block, later).is_ok()) && signed_by_senders(blocks);
    // Find the first failed check of each block.
    let doubtful: &[BlockData] = if sound { &[] } else { blocks };
    doubtful.iter().filter_map(|data| block(data).err())
}

fn proves_itself(block: &BlockData, check_sender: fn(&TransactionData) -> Result<(), String>) -> Result<(), Mismatch> {
    let mismatch = |check, what| Mismatch { block: block.header.number, check, what };
    let header = &block.header;
    equal("the header hashes to", header.hash_slow(), block.hash).map_err(|what| mismatch(Check::HeaderHash, what))?;
    for (place, sent) in block.transactions.iter().enumerate() {
        let named = |(check, what)| mismatch(check, format!("transaction {place}: {what}"));
        check_transaction(sent, header.base_fee_per_gas, check_sender).map_err(named)?;
    }
    equal("the transactions make", transactions_root(&block.transactions), header.transactions_root)
        .map_err(|what| mismatch(Check::TransactionsRoot, what + blobs_in_root(block)))?;
    let (root, bloom) = receipts_root(&block.transactions);
    equal("the receipts make", root, header.receipts_root)
        .map_err(|what| mismatch(Check::ReceiptsRoot, what + roots_left_out(block)))?;
    if bloom != header.logs_bloom {
        let bit = bloom.iter().zip(header.logs_bloom.iter()).position(|(made, said)| made != said).unwrap_or_default();
        let what = format!("the one that the logs make differs from the header's in byte {bit}");
        return Err(mismatch(Check::LogsBloom, what));
    }
    match (&block.withdrawals, header.withdrawals_root) {
        (Some(withdrawals), Some(said)) => equal("the withdrawals make", withdrawals_root(withdrawals), said),
        (None, None) => Ok(()),
        (Some(_), None) => Err("there are withdrawals but no root of them".to_string()),
        (None, Some(said)) => Err(format!("{said} is the root of no list")),
    }
    .map_err(|what| mismatch(Check::WithdrawalsRoot, what))?;
    top_level_calls::check(block)
        .and_then(|()| call_trees::check(block))
        .and_then(|()| rewards::check(block))
        .map_err(|what| mismatch(Check::Traces, what))
}

/// Checks that each block names the one before as its parent.
///
/// # Errors
/// The first that does not.
pub(crate) fn links(blocks: &[BlockData]) -> Result<(), Mismatch> {
    for pair in blocks.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if after.header.parent_hash != before.hash {
            let what = format!(
                "it names {} as its parent, but block {} is {}; the chain may have just been reorganized",
                after.header.parent_hash, before.header.number, before.hash
            );
            return Err(Mismatch { block: after.header.number, check: Check::ParentHash, what });
        }
    }
    Ok(())
}

/// What to do about a node for development that makes roots as Ethereum does not.
fn blobs_in_root(block: &BlockData) -> &'static str {
    match block.transactions.iter().any(|sent| sent.tx.blob_versioned_hashes().is_some_and(|blobs| !blobs.is_empty())) {
        true => " (anvil counts what is in blobs into this root: a development chain with blobs needs --no-verify)",
        false => "",
    }
}

/// What to do about a node that leaves out the state roots of old receipts, in blocks of a time when that may be the reason.
fn roots_left_out(block: &BlockData) -> &'static str {
    let before_london = block.header.base_fee_per_gas.is_none();
    match before_london && block.transactions.iter().all(|sent| sent.receipt.root.is_none()) {
        true => {
            " (before Byzantium receipts held state roots, which Reth and many an Erigon do not tell: another node \
                 does, and --no-verify takes such blocks unproven)"
        }
        false => "",
    }
}

fn check_transaction(
    sent: &TransactionData,
    base_fee: Option<u64>,
    check_sender: fn(&TransactionData) -> Result<(), String>,
) -> Result<(), (Check, String)> {
    equal("its signed encoding hashes to", *sent.tx.tx_hash(), sent.hash)
        .map_err(|what| (Check::TransactionHash, what))?;
    check_sender(sent).map_err(|what| (Check::Sender, what))?;
    check_receipt(sent, base_fee).map_err(|what| (Check::Receipt, what))
}

fn check_sender(sent: &TransactionData) -> Result<(), String> {
    match sender(&sent.tx) {
        Some(signer) => equal("it was signed by", signer, sent.from),
        None => Err("nobody can have made its signature".to_string()),
    }
}

/// The parts of a receipt that no root covers, because they follow from the transaction.
fn check_receipt(sent: &TransactionData, base_fee: Option<u64>) -> Result<(), String> {
    let receipt = &sent.receipt;
    equal("the effective gas price is", sent.tx.effective_gas_price(base_fee), receipt.effective_gas_price)?;
    if let Some(said) = receipt.contract_address {
        if sent.tx.to().is_some() {
            return Err(format!("it creates no contract, not {said}"));
        }
        equal("it creates the contract", sent.from.create(sent.tx.nonce()), said)?;
    }
    if let Some(said) = receipt.blob_gas_used {
        let blobs = sent.tx.blob_versioned_hashes().map_or(0, |blobs| blobs.len() as u64);
        equal("its blobs use gas", blobs * DATA_GAS_PER_BLOB, said)?;
    }
    Ok(())
}

fn equal<T: PartialEq + fmt::Display>(made: &str, computed: T, said: T) -> Result<(), String> {
    if computed == said { Ok(()) } else { Err(format!("{made} {computed}, not {said}")) }
}
