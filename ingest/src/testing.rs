//! A small verifiable chain for tests: every block has a legacy and a dynamic-fee transaction, the second of which
//! transfers a token, and a withdrawal.

use alloy::consensus::{Header, SignableTransaction, Transaction, TxEip1559, TxEnvelope, TxLegacy};
use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256, Log, Signature, TxKind, U256, b256};
use secp256k1::{Message, PublicKey, Secp256k1, SecretKey};
use serde_json::{Value, json};

use crate::chain::{BlockData, ReceiptData, TraceData, TraceKind, TransactionData};
use crate::proofs::roots::{receipts_root, transactions_root, withdrawals_root};

/// `Transfer(address,address,uint256)`.
const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");

const BASE_FEE: u64 = 7;
const GAS: u64 = 21_000;

/// Transactions of every block.
pub(crate) const TRANSACTIONS: u64 = 2;

/// Blocks `0..blocks`; chains of another `fork` share the first `common` blocks and differ in all others.
pub(crate) fn chain(id: u64, blocks: u64, fork: u8, common: u64) -> Vec<BlockData> {
    let mut chain: Vec<BlockData> = Vec::new();
    for number in 0..blocks {
        let parent = chain.last().map_or(B256::ZERO, |block| block.hash);
        chain.push(block(id, number, parent, if number < common { 0 } else { fork }));
    }
    chain
}

fn block(id: u64, number: u64, parent_hash: B256, fork: u8) -> BlockData {
    let to = TxKind::Call(Address::with_last_byte(9));
    let old = TxLegacy { chain_id: Some(id), nonce: number, gas_price: 10, gas_limit: GAS, to, ..TxLegacy::default() };
    let fees = TxEip1559 {
        chain_id: id,
        nonce: number,
        gas_limit: 90_000,
        max_fee_per_gas: 20,
        to,
        value: U256::from(fork),
        ..TxEip1559::default()
    };
    let word = |number: u8| B256::with_last_byte(number);
    let transfer = Log::new_unchecked(Address::with_last_byte(8), vec![TRANSFER, word(1), word(2)], word(5).into());
    let transactions = vec![
        sent(old.clone().into_signed(sign(1, old.signature_hash())).into(), 1, vec![], 0),
        sent(fees.clone().into_signed(sign(2, fees.signature_hash())).into(), 2, vec![transfer], 1),
    ];
    let withdrawals =
        vec![Withdrawal { index: number, validator_index: 3, address: Address::with_last_byte(4), amount: 5 }];
    let header = Header {
        number,
        parent_hash,
        timestamp: 1_700_000_000 + 12 * number,
        extra_data: vec![fork].into(),
        base_fee_per_gas: Some(BASE_FEE),
        gas_limit: 30_000_000,
        ..Header::default()
    };
    let mut block = BlockData {
        header,
        hash: B256::ZERO,
        size: 544,
        total_difficulty: None,
        transactions,
        withdrawals: Some(withdrawals),
        traces: None,
        tokens: Default::default(),
    };
    seal(&mut block);
    block
}

/// Computes the roots and the hash of a block.
pub(crate) fn seal(block: &mut BlockData) {
    let (receipts_root, logs_bloom) = receipts_root(&block.transactions);
    block.header.transactions_root = transactions_root(&block.transactions);
    block.header.receipts_root = receipts_root;
    block.header.logs_bloom = logs_bloom;
    block.header.withdrawals_root = block.withdrawals.as_deref().map(withdrawals_root);
    block.header.gas_used = block.transactions.last().map_or(0, |sent| sent.receipt.cumulative_gas_used);
    block.hash = block.header.hash_slow();
}

/// A signed, successful transaction with index `place`.
pub(crate) fn sent(tx: TxEnvelope, signer: u8, logs: Vec<Log>, place: u64) -> TransactionData {
    let receipt = ReceiptData {
        status: Some(true),
        root: None,
        gas_used: GAS,
        cumulative_gas_used: GAS * (place + 1),
        effective_gas_price: tx.effective_gas_price(Some(BASE_FEE)),
        contract_address: None,
        blob_gas_used: None,
        blob_gas_price: None,
        logs,
    };
    TransactionData { hash: *tx.tx_hash(), from: address(signer), tx, receipt }
}

/// The top-level call of a transaction, without children.
pub(crate) fn call(place: u64, sent: &TransactionData) -> TraceData {
    TraceData {
        transaction_index: Some(place),
        kind: TraceKind::Call,
        call_type: Some("call"),
        reward_type: None,
        from: Some(sent.from),
        to: sent.tx.to(),
        value: sent.tx.value(),
        input: Some(sent.tx.input().clone()),
        output: None,
        gas: Some(sent.tx.gas_limit()),
        gas_used: Some(sent.receipt.gas_used),
        subtraces: 0,
        trace_address: Vec::new(),
        error: None,
    }
}

/// The same in the JSON of nodes: the fields of an `action`, and of a call frame.
pub(crate) fn call_json(sent: &TransactionData) -> serde_json::Map<String, Value> {
    let TraceData { from, to, value, input, gas, .. } = call(0, sent);
    let members =
        json!({"from": from, "to": to, "value": value, "input": input, "gas": format!("{:#x}", gas.unwrap_or(0))});
    members.as_object().cloned().unwrap_or_default()
}

/// Signs with the test key of this number.
pub(crate) fn sign(signer: u8, hash: B256) -> Signature {
    let signed = Secp256k1::new().sign_ecdsa_recoverable(&Message::from_digest(hash.0), &key(signer));
    let (recovery, bytes) = signed.serialize_compact();
    let (r, s) = bytes.split_at(32);
    Signature::new(U256::from_be_slice(r), U256::from_be_slice(s), i32::from(recovery) % 2 == 1)
}

pub(crate) fn address(signer: u8) -> Address {
    let point = PublicKey::from_secret_key(&Secp256k1::new(), &key(signer)).serialize_uncompressed();
    Address::from_raw_public_key(&point[1..])
}

fn key(signer: u8) -> SecretKey {
    SecretKey::from_slice(&[signer; 32]).expect("a small number is a key")
}
