//! Blocks and helpers for the tests of this module.

use alloy::consensus::{Header, SignableTransaction, TxEnvelope, TxLegacy};
use alloy_primitives::{Address, B256, Bytes, Log, Signature, TxKind, U256};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use quarry_lake::tables::Table;

use crate::chain::{BlockData, ReceiptData, TraceData, TraceKind, TransactionData};

/// An empty block.
pub(super) fn block(number: u64) -> BlockData {
    BlockData {
        header: Header { number, timestamp: 1_600_000_000 + 12 * number, ..Header::default() },
        hash: B256::with_last_byte(number as u8),
        size: 500,
        total_difficulty: None,
        transactions: Vec::new(),
        withdrawals: None,
        traces: None,
        tokens: Default::default(),
    }
}

pub(super) fn transaction(nonce: u64, logs: Vec<Log>) -> TransactionData {
    let tx = TxLegacy {
        chain_id: Some(1),
        nonce,
        gas_price: 7,
        gas_limit: 21_000,
        to: TxKind::Call(Address::with_last_byte(2)),
        value: U256::from(5),
        input: Bytes::new(),
    };
    signed(tx.into_signed(signature()).into(), logs)
}

pub(super) fn signed(tx: TxEnvelope, logs: Vec<Log>) -> TransactionData {
    let receipt = ReceiptData {
        status: Some(true),
        root: None,
        gas_used: 21_000,
        cumulative_gas_used: 21_000,
        effective_gas_price: 9,
        contract_address: None,
        blob_gas_used: None,
        blob_gas_price: None,
        logs,
    };
    TransactionData { hash: *tx.tx_hash(), tx, from: Address::with_last_byte(1), receipt }
}

pub(super) fn signature() -> Signature {
    Signature::new(U256::from(11), U256::from(12), true)
}

pub(super) fn log(address: u8, topics: Vec<B256>, data: Vec<u8>) -> Log {
    Log::new(Address::with_last_byte(address), topics, data.into()).expect("at most four topics")
}

/// A call with this trace address and transaction index.
pub(super) fn call(transaction_index: u64, trace_address: &[u32]) -> TraceData {
    TraceData {
        transaction_index: Some(transaction_index),
        kind: TraceKind::Call,
        call_type: Some("call"),
        reward_type: None,
        from: Some(Address::with_last_byte(1)),
        to: Some(Address::with_last_byte(2)),
        value: U256::ZERO,
        input: Some(Bytes::new()),
        output: Some(Bytes::new()),
        gas: Some(100),
        gas_used: Some(50),
        subtraces: 0,
        trace_address: trace_address.to_vec(),
        error: None,
    }
}

/// The only batch, which belongs to this table.
pub(super) fn only(table: Table, blocks: &[BlockData]) -> RecordBatch {
    let batches = super::batches(blocks).expect("blocks decode");
    let found = batches.into_iter().find(|(of, _)| *of == table);
    let (_, batch) = found.unwrap_or_else(|| panic!("no rows of {}", table.name()));
    assert_eq!(batch.schema(), table.schema());
    batch
}

/// A column of whole numbers, nulls as `None`.
pub(super) fn ints(batch: &RecordBatch, name: &str) -> Vec<Option<i64>> {
    batch[name].as_primitive::<Int64Type>().iter().collect()
}

/// A column of fixed-size bytes as hex without leading zeros, nulls as `-`.
pub(super) fn hexes(batch: &RecordBatch, name: &str) -> Vec<String> {
    let array = batch[name].as_fixed_size_binary();
    let hex = |bytes: &[u8]| format!("{:x}", U256::from_be_slice(bytes));
    array.iter().map(|value| value.map_or("-".to_string(), hex)).collect()
}

/// A column of text, nulls as `-`.
pub(super) fn texts(batch: &RecordBatch, name: &str) -> Vec<String> {
    batch[name].as_string_view().iter().map(|value| value.unwrap_or("-").to_string()).collect()
}

/// Rows of a column as arrow prints them, nulls as empty text.
pub(super) fn shown(batch: &RecordBatch, name: &str) -> Vec<String> {
    let array: &dyn Array = &batch[name];
    let options = arrow::util::display::FormatOptions::default();
    let formatter = arrow::util::display::ArrayFormatter::try_new(array, &options).expect("a known type");
    (0..array.len()).map(|row| formatter.value(row).to_string()).collect()
}
