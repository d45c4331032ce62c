//! Seals simulated blocks: signatures, roots, blooms, header and hash.

use std::collections::BTreeMap;

use alloy::consensus::{EMPTY_OMMER_ROOT_HASH, Header, SignableTransaction, TxEnvelope};
use alloy::eips::eip4895::Withdrawal;
use alloy::eips::eip7685::EMPTY_REQUESTS_HASH;
use alloy_primitives::{Address, B64, B256, Bytes, U256, keccak256};
use alloy_rlp::Encodable;

use super::world::{Drafted, Keys};
use crate::chain::{BlockData, TokenFacts, TraceData, TraceKind, TransactionData};
use crate::proofs::roots;

/// A simulated block without signatures, roots and hash.
pub struct DraftBlock {
    pub number: u64,
    pub time: u64,
    pub proposer: Address,
    pub extra_data: &'static str,
    pub gas_limit: u64,
    pub gas_used: u64,
    pub base_fee: u64,
    pub blob_gas_used: u64,
    pub excess_blob_gas: u64,
    pub transactions: Vec<Drafted>,
    pub withdrawals: Vec<Withdrawal>,
    /// The proposer's reward in wei.
    pub reward: u128,
    /// Metadata of the token contracts that the block creates.
    pub tokens: BTreeMap<Address, TokenFacts>,
}

/// Signs and seals blocks on several threads; parent hashes are filled in afterwards, in order.
pub fn seal(keys: &Keys, parent: B256, drafts: Vec<DraftBlock>) -> Vec<BlockData> {
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    let share = drafts.len().div_ceil(workers).max(1);
    let mut drafts = drafts.into_iter();
    let parts: Vec<Vec<DraftBlock>> = (0..workers).map(|_| drafts.by_ref().take(share).collect()).collect();
    let mut blocks: Vec<BlockData> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .into_iter()
            .map(|part| scope.spawn(|| part.into_iter().map(|draft| finish(keys, draft)).collect::<Vec<_>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| match thread.join() {
                Ok(blocks) => blocks,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    let mut parent = parent;
    for block in &mut blocks {
        block.header.parent_hash = parent;
        block.hash = block.header.hash_slow();
        parent = block.hash;
    }
    blocks
}

/// Everything of a block but its parent hash and its own.
fn finish(keys: &Keys, draft: DraftBlock) -> BlockData {
    let mut transactions = Vec::with_capacity(draft.transactions.len());
    let mut traces = Vec::new();
    for drafted in draft.transactions {
        let signature = keys.sign(drafted.sender, drafted.tx.signature_hash());
        let tx = drafted.tx.into_envelope(signature);
        let hash = *tx.tx_hash();
        transactions.push(TransactionData { tx, hash, from: drafted.from, receipt: drafted.receipt });
        traces.extend(drafted.traces);
    }
    if draft.reward > 0 {
        traces.push(reward(draft.proposer, draft.reward));
    }
    let (receipts_root, logs_bloom) = roots::receipts_root(&transactions);
    let envelopes: Vec<&TxEnvelope> = transactions.iter().map(|sent| &sent.tx).collect();
    // Roots and seeds that need a state or a beacon chain are derived from the block number and the first key.
    let made_up = |what: &str| {
        let mut text = what.as_bytes().to_vec();
        text.extend_from_slice(&draft.number.to_be_bytes());
        text.extend_from_slice(keys.address(0).as_slice());
        keccak256(text)
    };
    let header = Header {
        parent_hash: B256::ZERO,
        ommers_hash: EMPTY_OMMER_ROOT_HASH,
        beneficiary: draft.proposer,
        state_root: made_up("state"),
        transactions_root: roots::transactions_root(&transactions),
        receipts_root,
        logs_bloom,
        difficulty: U256::ZERO,
        number: draft.number,
        gas_limit: draft.gas_limit,
        gas_used: draft.gas_used,
        timestamp: draft.time,
        extra_data: Bytes::from_static(draft.extra_data.as_bytes()),
        mix_hash: made_up("randao"),
        nonce: B64::ZERO,
        base_fee_per_gas: Some(draft.base_fee),
        withdrawals_root: Some(roots::withdrawals_root(&draft.withdrawals)),
        blob_gas_used: Some(draft.blob_gas_used),
        excess_blob_gas: Some(draft.excess_blob_gas),
        parent_beacon_block_root: Some(made_up("beacon")),
        requests_hash: Some(EMPTY_REQUESTS_HASH),
        ..Header::default()
    };
    let size = block_size(&header, &envelopes, &draft.withdrawals);
    BlockData {
        header,
        hash: B256::ZERO,
        size,
        total_difficulty: Some(U256::ZERO),
        transactions,
        withdrawals: Some(draft.withdrawals),
        traces: Some(traces),
        tokens: draft.tokens,
    }
}

fn reward(to: Address, wei: u128) -> TraceData {
    TraceData {
        transaction_index: None,
        kind: TraceKind::Reward,
        call_type: None,
        reward_type: Some("block"),
        from: None,
        to: Some(to),
        value: U256::from(wei),
        input: None,
        output: None,
        gas: None,
        gas_used: None,
        subtraces: 0,
        trace_address: Vec::new(),
        error: None,
    }
}

/// The size of the block's RLP: a list of header, transactions, no uncles, withdrawals.
fn block_size(header: &Header, transactions: &[&TxEnvelope], withdrawals: &[Withdrawal]) -> u64 {
    let list = |payload: usize| payload + alloy_rlp::length_of_length(payload);
    let transactions = list(transactions.iter().map(|tx| tx.length()).sum());
    let withdrawals = list(withdrawals.iter().map(Encodable::length).sum());
    list(header.length() + transactions + 1 + withdrawals) as u64
}
