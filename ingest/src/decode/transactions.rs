//! Rows of `transactions`, each with its receipt.

use alloy::consensus::transaction::{Transaction, to_eip155_value};
use alloy::consensus::{TxEnvelope, Typed2718};
use alloy_primitives::U256;
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use super::nested;
use crate::chain::{BlockData, ReceiptData, TransactionData};

/// A transaction with its index.
struct TransactionRow<'a> {
    block: &'a BlockData,
    index: u64,
    data: &'a TransactionData,
}

impl Row for TransactionRow<'_> {
    fn block(&self) -> &BlockData {
        self.block
    }
}

fn transaction_rows<'a>(blocks: &[&'a BlockData]) -> Vec<TransactionRow<'a>> {
    let rows = |block: &&'a BlockData| {
        let block = *block;
        let row = move |(index, data)| TransactionRow { block, index, data };
        (0..).zip(&block.transactions).map(row)
    };
    blocks.iter().flat_map(rows).collect()
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let rows = transaction_rows(blocks);
    let access_lists = nested::access_lists(rows.iter().map(|row| row.data.tx.access_list()));
    let authorizations = nested::authorization_lists(rows.iter().map(|row| row.data.tx.authorization_list()));
    let blob_hashes = nested::hash_lists(rows.iter().map(|row| row.data.tx.blob_versioned_hashes()));
    let columns = Columns::of(Table::Transactions, &rows)
        .hash("hash", |row| row.data.hash)
        .int("nonce", |row| row.data.tx.nonce())
        .int("transaction_index", |row| row.index)
        .address("from_address", |row| row.data.from)
        .address_opt("to_address", |row| row.data.tx.to())
        .wei("value", |row| row.data.tx.value())
        .int("gas", |row| row.data.tx.gas_limit())
        .wei("gas_price", |row| U256::from(gas_price(row)))
        .bytes("input", |row| row.data.tx.input());
    receipt_columns(columns)
        .block()
        .wei_opt("max_fee_per_gas", |row| dynamic_fee(row).then(|| U256::from(row.data.tx.max_fee_per_gas())))
        .wei_opt("max_priority_fee_per_gas", |row| row.data.tx.max_priority_fee_per_gas().map(U256::from))
        .wei_opt("max_fee_per_blob_gas", |row| row.data.tx.max_fee_per_blob_gas().map(U256::from))
        .int("transaction_type", |row| u64::from(row.data.tx.ty()))
        .int_opt("chain_id", |row| row.data.tx.chain_id())
        .array("access_list", access_lists)
        .array("authorization_list", authorizations)
        .array("blob_versioned_hashes", blob_hashes)
        .int32("y_parity", |row| i32::from(row.data.tx.signature().v()))
        .uint256("v", |row| signature_v(&row.data.tx))
        .uint256("r", |row| row.data.tx.signature().r())
        .uint256("s", |row| row.data.tx.signature().s())
        .int_opt("base_fee_per_gas", |row| row.block.header.base_fee_per_gas)
        .finish()
}

fn receipt_columns<'a, 'b>(columns: Columns<'a, TransactionRow<'b>>) -> Columns<'a, TransactionRow<'b>> {
    let receipt = |row: &'a TransactionRow<'b>| -> &'a ReceiptData { &row.data.receipt };
    columns
        .int_opt("receipt_cumulative_gas_used", |row| Some(receipt(row).cumulative_gas_used))
        .int_opt("receipt_gas_used", |row| Some(receipt(row).gas_used))
        .address_opt("receipt_contract_address", |row| receipt(row).contract_address)
        .hash_opt("receipt_root", |row| receipt(row).root)
        .int_opt("receipt_status", |row| receipt(row).status.map(u64::from))
        .wei_opt("receipt_effective_gas_price", |row| Some(U256::from(receipt(row).effective_gas_price)))
        .int_opt("receipt_blob_gas_used", |row| receipt(row).blob_gas_used)
        .wei_opt("receipt_blob_gas_price", |row| receipt(row).blob_gas_price.map(U256::from))
}

/// As signed for types 0 and 1, the effective price otherwise.
fn gas_price(row: &TransactionRow<'_>) -> u128 {
    row.data.tx.gas_price().unwrap_or(row.data.receipt.effective_gas_price)
}

fn dynamic_fee(row: &TransactionRow<'_>) -> bool {
    row.data.tx.is_dynamic_fee()
}

/// v as encoded: 27 or 28, with the chain id since EIP-155, the parity in typed transactions.
fn signature_v(tx: &TxEnvelope) -> U256 {
    let parity = tx.signature().v();
    match tx {
        TxEnvelope::Legacy(legacy) => U256::from(to_eip155_value(parity, legacy.tx().chain_id)),
        _ => U256::from(parity as u8),
    }
}
