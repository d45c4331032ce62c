//! The chain as this crate hands it around: whole blocks with receipts and, where known, traces. Nodes, files and the
//! sample chain all produce it; `decode` turns it into the rows of the lake.

mod size;
pub(crate) mod trace_words;
mod transaction;

use std::collections::BTreeMap;

use alloy::consensus::{Header, TxEnvelope};
use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256, Bytes, Log, U256};

pub(crate) use transaction::{TransactionFields, unknown_type};

/// A block with everything in it.
#[derive(Debug, Clone)]
pub struct BlockData {
    pub header: Header,
    /// Hash as the source has it; verification recomputes it from the header.
    pub hash: B256,
    /// Bytes of the RLP-encoded block.
    pub size: u64,
    pub total_difficulty: Option<U256>,
    pub transactions: Vec<TransactionData>,
    /// `None` before Shanghai.
    pub withdrawals: Option<Vec<Withdrawal>>,
    /// In execution order, `None` when the source has no traces.
    pub traces: Option<Vec<TraceData>>,
    /// What the token contracts created in it answer about themselves, where they were asked.
    pub tokens: BTreeMap<Address, TokenFacts>,
}

/// What a token contract answers about itself; nothing where it has no sensible answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenFacts {
    pub symbol: Option<String>,
    pub name: Option<String>,
    pub decimals: Option<u8>,
}

/// A signed transaction with its receipt.
#[derive(Debug, Clone)]
pub struct TransactionData {
    pub tx: TxEnvelope,
    pub hash: B256,
    pub from: Address,
    pub receipt: ReceiptData,
}

/// The fields of the receipt. Gas in units, prices in wei per gas.
#[derive(Debug, Clone)]
pub struct ReceiptData {
    /// `None` before Byzantium.
    pub status: Option<bool>,
    /// State root after the transaction, only before Byzantium.
    pub root: Option<B256>,
    pub gas_used: u64,
    pub cumulative_gas_used: u64,
    pub effective_gas_price: u128,
    pub contract_address: Option<Address>,
    pub blob_gas_used: Option<u64>,
    pub blob_gas_price: Option<u128>,
    pub logs: Vec<Log>,
}

/// What a trace describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceKind {
    Call,
    Create,
    Suicide,
    Reward,
}

/// One call, creation, self-destruct or reward, in the order of execution.
#[derive(Debug, Clone)]
pub struct TraceData {
    /// Place of the transaction in the block, `None` for rewards.
    pub transaction_index: Option<u64>,
    pub kind: TraceKind,
    /// `call`, `delegatecall`, `staticcall`, `callcode`; `create`, `create2`.
    pub call_type: Option<&'static str>,
    /// `block` or `uncle`.
    pub reward_type: Option<&'static str>,
    pub from: Option<Address>,
    pub to: Option<Address>,
    /// Wei.
    pub value: U256,
    pub input: Option<Bytes>,
    pub output: Option<Bytes>,
    pub gas: Option<u64>,
    pub gas_used: Option<u64>,
    pub subtraces: u64,
    /// Path of child indices from the transaction's first call.
    pub trace_address: Vec<u32>,
    pub error: Option<String>,
}
