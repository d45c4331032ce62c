//! Computes the roots of a block's content.

use alloy::consensus::Typed2718;
use alloy::consensus::proofs::{calculate_withdrawals_root, ordered_trie_root_with_encoder};
use alloy::eips::eip2718::Encodable2718;
use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{B256, Bloom, Log, logs_bloom};
use alloy_rlp::Encodable;

use crate::chain::{ReceiptData, TransactionData};

/// Root of the transactions trie.
pub(crate) fn transactions_root(transactions: &[TransactionData]) -> B256 {
    ordered_trie_root_with_encoder(transactions, |sent, out| sent.tx.encode_2718(out))
}

/// Root of the receipts trie, and the bloom filter of all logs.
pub(crate) fn receipts_root(transactions: &[TransactionData]) -> (B256, Bloom) {
    receipts_root_of(transactions, |sent| (sent.tx.ty(), &sent.receipt))
}

/// The same for receipts with transaction types.
pub(crate) fn receipts_root_of<T>(all: &[T], receipt: impl Fn(&T) -> (u8, &ReceiptData)) -> (B256, Bloom) {
    let mut blooms = Bloom::ZERO;
    let root = ordered_trie_root_with_encoder(all, |one, out| {
        let (kind, receipt) = receipt(one);
        let bloom = logs_bloom(&receipt.logs);
        blooms |= bloom;
        encode_receipt(kind, receipt, &bloom, out);
    });
    (root, blooms)
}

/// Root of the withdrawals trie.
pub(crate) fn withdrawals_root(withdrawals: &[Withdrawal]) -> B256 {
    calculate_withdrawals_root(withdrawals)
}

/// Encodes a receipt for the trie: the type byte unless it is legacy, then the list of status (before Byzantium the
/// state root), cumulative gas used, bloom filter and logs.
fn encode_receipt(kind: u8, receipt: &ReceiptData, bloom: &Bloom, out: &mut Vec<u8>) {
    let mut outcome = Vec::with_capacity(33);
    match (receipt.status, receipt.root) {
        (None, Some(root)) => root.encode(&mut outcome),
        (status, _) => status.unwrap_or_default().encode(&mut outcome),
    }
    let gas = receipt.cumulative_gas_used;
    let logs = alloy_rlp::list_length::<_, Log>(&receipt.logs);
    let payload_length = outcome.len() + gas.length() + bloom.length() + logs;
    if kind > 0 {
        out.push(kind);
    }
    alloy_rlp::Header { list: true, payload_length }.encode(out);
    out.extend_from_slice(&outcome);
    gas.encode(out);
    bloom.encode(out);
    alloy_rlp::encode_list::<_, Log>(&receipt.logs, out);
}
