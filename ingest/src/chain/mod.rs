//! Blocks with receipts and, if known, traces. Nodes, files and the sample chain produce them; `decode` converts them
//! to rows.

mod size;
pub(crate) mod trace_types;
mod transaction;

use std::collections::BTreeMap;

use alloy::consensus::{Header, TxEnvelope};
use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256, Bytes, Log, U256};

pub(crate) use transaction::{TransactionFields, unknown_type};

/// A complete block.
#[derive(Debug, Clone)]
pub struct BlockData {
    pub header: Header,
    /// Hash of the source; verification recomputes it.
    pub hash: B256,
    /// Bytes of the RLP-encoded block.
    pub size: u64,
    pub total_difficulty: Option<U256>,
    pub transactions: Vec<TransactionData>,
    /// `None` before Shanghai.
    pub withdrawals: Option<Vec<Withdrawal>>,
    /// In execution order; `None` if the source has no traces.
    pub traces: Option<Vec<TraceData>>,
    /// Metadata of the token contracts that the block creates, if it was requested.
    pub tokens: BTreeMap<Address, TokenFacts>,
}

/// The metadata of a token contract; a field is `None` without a valid response.
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

/// The kind of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceKind {
    Call,
    Create,
    Suicide,
    Reward,
}

/// A call, creation, self-destruct or reward, in execution order.
#[derive(Debug, Clone)]
pub struct TraceData {
    /// Transaction index, `None` for rewards.
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
    /// Path of child indices from the top-level call.
    pub trace_address: Vec<u32>,
    pub error: Option<String>,
}
