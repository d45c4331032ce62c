//! Reads blocks, transactions with receipts, and logs of a group.

use std::collections::BTreeMap;

use alloy::consensus::{Header, SignableTransaction, TxLegacy};
use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{B256, Log, Signature, U256};
use quarry_types::{Error, ErrorCode, Result};

use super::block::{Block, NUMBER, Transaction, number};
use super::cell::{address, hash, int};
use super::completeness::{self, Places};
use super::file::{Foreign, Kind, refused};
use super::traces;
use crate::chain::{BlockData, ReceiptData, TransactionData};
use crate::proofs::roots::withdrawals_root;

const MICROSECONDS: i64 = 1_000_000;

const TO: &str = "to_address";

/// The first and last block number of a file; `None` without rows.
pub(super) fn range(file: &Foreign) -> Result<Option<(u64, u64)>> {
    let mut range: Option<(u64, u64)> = None;
    for row in 0..file.rows {
        let number = file.needed(&NUMBER, row, int)?;
        range = Some(range.map_or((number, number), |(first, last)| (first.min(number), last.max(number))));
    }
    Ok(range)
}

/// Reads the blocks of these files, complete and in order.
///
/// # Errors
/// An invalid value, a row of a missing block or transaction, a duplicate, a gap, a block that declares more rows
/// than the files have. `receipts`: receipts are in separate files.
pub(super) fn blocks(files: &[Foreign], receipts: bool) -> Result<Vec<Block>> {
    let mut blocks: BTreeMap<u64, Block> = BTreeMap::new();
    let mut places = Places::new();
    let of = |kind: Kind| files.iter().filter(move |file| file.kind == kind);
    for file in of(Kind::Blocks) {
        for row in 0..file.rows {
            let block = block(file, row)?;
            let number = block.data.header.number;
            if blocks.insert(number, block).is_some() {
                let why = format!("block {number} is there twice");
                return Err(refused(&file.path, row, NUMBER[0], &why));
            }
            places.insert(number, (file, row));
        }
    }
    let mut transactions: BTreeMap<(u64, u64), Transaction> = BTreeMap::new();
    for file in of(Kind::Transactions) {
        // Without the column every transaction would be a creation.
        if !file.has(TO) {
            return Err(refused(&file.path, 0, TO, "there is no such column"));
        }
        for row in 0..file.rows {
            let place = place(file, row, &blocks)?;
            if transactions.insert(place, transaction(file, row)?).is_some() {
                return Err(refused(&file.path, row, "transaction_index", "this transaction is there twice"));
            }
        }
    }
    for file in of(Kind::Receipts) {
        for row in 0..file.rows {
            let place = place(file, row, &blocks)?;
            let sent = transactions
                .get_mut(&place)
                .ok_or_else(|| refused(&file.path, row, "transaction_index", "its transaction is not there"))?;
            if file.needed(&["transaction_hash"], row, hash)? != sent.hash {
                return Err(refused(&file.path, row, "transaction_hash", "it is not that of the transaction there"));
            }
            // Without receipts there is no sum of gas.
            if sent.cumulative_gas_used.is_some() {
                return Err(refused(&file.path, row, "transaction_index", "this receipt is there twice"));
            }
            receipt(file, row, sent)?;
        }
    }
    for ((number, place), mut sent) in transactions {
        // `place` checked that the block exists.
        let Some(block) = blocks.get_mut(&number) else { continue };
        if block.transactions.len() as u64 != place {
            let wanted = block.transactions.len();
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!("Transaction {wanted} of block {number} is in none of the files."),
            ));
        }
        // cryo has the gas of each transaction, not the sum.
        let before = block.transactions.last().map_or(Some(0), |before| before.cumulative_gas_used);
        let sum = before.zip(sent.gas_used).and_then(|(before, used)| before.checked_add(used));
        sent.cumulative_gas_used = sent.cumulative_gas_used.or(sum);
        block.data.transactions.push(carrier(&sent));
        block.transactions.push(sent);
    }
    let mut logs: BTreeMap<(u64, u64), (u64, Log)> = BTreeMap::new();
    for file in of(Kind::Logs) {
        for row in 0..file.rows {
            let (number, place) = place(file, row, &blocks)?;
            let index = file.needed(&["log_index"], row, int)?;
            let sent = blocks.get(&number).and_then(|block| block.transactions.get(usize::try_from(place).ok()?));
            let said = file.needed(&["transaction_hash"], row, hash)?;
            if sent.is_none_or(|sent| sent.hash != said) {
                return Err(refused(&file.path, row, "transaction_hash", "its transaction is not there"));
            }
            if logs.insert((number, index), (place, log(file, row)?)).is_some() {
                return Err(refused(&file.path, row, "log_index", "this log is there twice"));
            }
        }
    }
    let mut next = (0, 0, 0);
    for ((number, index), (place, log)) in logs {
        let (expected, least) = if next.0 == number { (next.1, next.2) } else { (0, 0) };
        if index != expected {
            let message = format!("Log {expected} of block {number} is in none of the files.");
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        if place < least {
            let message =
                format!("Log {index} of block {number} is of transaction {place}, but the one before it of {least}.");
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        next = (number, index + 1, place);
        let sent = blocks.get_mut(&number).zip(usize::try_from(place).ok());
        if let Some(sent) = sent.and_then(|(block, place)| block.data.transactions.get_mut(place)) {
            sent.receipt.logs.push(log);
        }
    }
    completeness::check(&blocks, &places, receipts)?;
    traces::fill(files, &mut blocks)?;
    Ok(blocks.into_values().collect())
}

/// The block and the transaction index of a row.
fn place(file: &Foreign, row: usize, blocks: &BTreeMap<u64, Block>) -> Result<(u64, u64)> {
    Ok((number(file, row, blocks)?, file.needed(&["transaction_index"], row, int)?))
}

fn block(file: &Foreign, row: usize) -> Result<Block> {
    let micros = file.needed(&["timestamp"], row, |cell| cell.time())?;
    let header = Header {
        number: file.needed(&NUMBER, row, int)?,
        timestamp: u64::try_from(micros / MICROSECONDS)
            .map_err(|_| refused(&file.path, row, "timestamp", "it is before 1970"))?,
        gas_used: file.needed(&["gas_used"], row, int)?,
        base_fee_per_gas: file.opt(&["base_fee_per_gas"], row, int)?,
        ..Header::default()
    };
    let data = BlockData {
        header,
        hash: file.needed(&["block_hash", "hash"], row, hash)?,
        size: 0,
        total_difficulty: file.opt(
            &["total_difficulty", "total_difficulty_binary", "total_difficulty_string"],
            row,
            |cell| cell.number(),
        )?,
        transactions: Vec::new(),
        withdrawals: withdrawals(file, row)?,
        traces: None,
        tokens: Default::default(),
    };
    Ok(Block {
        data,
        miner: file.needed(&["miner", "author"], row, address)?,
        extra_data: file.opt(&["extra_data"], row, |cell| cell.bytes())?.unwrap_or_default().into(),
        parent_hash: file.opt(&["parent_hash"], row, hash)?,
        nonce: file.opt(&["nonce"], row, |cell| cell.bytes())?,
        mix_hash: file.opt(&["mix_hash"], row, hash)?,
        sha3_uncles: file.opt(&["sha3_uncles"], row, hash)?,
        logs_bloom: file.opt(&["logs_bloom"], row, |cell| cell.bytes())?,
        transactions_root: file.opt(&["transactions_root"], row, hash)?,
        state_root: file.opt(&["state_root"], row, hash)?,
        receipts_root: file.opt(&["receipts_root"], row, hash)?,
        difficulty: file.opt(&["difficulty"], row, |cell| cell.number())?,
        size: file.opt(&["size"], row, int)?,
        gas_limit: file.opt(&["gas_limit"], row, int)?,
        withdrawals_root: file.opt(&["withdrawals_root"], row, hash)?,
        blob_gas_used: file.opt(&["blob_gas_used"], row, int)?,
        excess_blob_gas: file.opt(&["excess_blob_gas"], row, int)?,
        parent_beacon_block_root: file.opt(&["parent_beacon_block_root"], row, hash)?,
        requests_hash: file.opt(&["requests_hash"], row, hash)?,
        block_access_list_hash: file.opt(&["block_access_list_hash"], row, hash)?,
        slot_number: file.opt(&["slot_number"], row, int)?,
        transactions: Vec::new(),
        traced: false,
    })
}

/// The withdrawals of a block, checked against their root; none before Shanghai or if the tool omits them.
fn withdrawals(file: &Foreign, row: usize) -> Result<Option<Vec<Withdrawal>>> {
    const NAME: &str = "withdrawals";
    let root = file.opt(&["withdrawals_root"], row, hash)?.filter(|_| file.has(NAME));
    let Some(root) = root else { return Ok(None) };
    let listed = file.opt(&[NAME], row, |cell| cell.withdrawals())?.unwrap_or_default();
    match withdrawals_root(&listed) {
        made if made == root => Ok(Some(listed)),
        made => Err(refused(&file.path, row, NAME, &format!("they make the root {made}, not {root}"))),
    }
}

fn transaction(file: &Foreign, row: usize) -> Result<Transaction> {
    let from = file.needed(&["from_address"], row, address)?;
    let to = file.opt(&[TO], row, address)?;
    let nonce = file.needed(&["nonce"], row, int)?;
    let status = file.opt(&["success"], row, |cell| cell.flag())?;
    // For mined transactions, nodes return the effective price, whatever the type.
    let gas_price = file.needed(&["gas_price"], row, |cell| cell.number())?;
    let word = |name| file.opt(&[name], row, |cell| cell.number());
    let signature = match (word("v")?, word("r")?, word("s")?) {
        (Some(v), Some(r), Some(s)) => Some([v, r, s]),
        _ => None,
    };
    Ok(Transaction {
        hash: file.needed(&["transaction_hash", "hash"], row, hash)?,
        nonce,
        from,
        to,
        // cryo's optional float column is inexact and ignored.
        value: file.needed(&["value", "value_binary", "value_string", "value_str"], row, |cell| cell.number())?,
        gas: file.needed(&["gas", "gas_limit"], row, int)?,
        gas_price,
        input: file.opt(&["input"], row, |cell| cell.bytes())?.unwrap_or_default(),
        // Nodes from before EIP-2718 omit the type.
        kind: file.opt(&["transaction_type"], row, int)?.unwrap_or_default(),
        chain_id: file.opt(&["chain_id"], row, int)?,
        max_fee_per_gas: file.opt(&["max_fee_per_gas"], row, |cell| cell.number())?,
        max_priority_fee_per_gas: file.opt(&["max_priority_fee_per_gas"], row, |cell| cell.number())?,
        max_fee_per_blob_gas: file.opt(&["max_fee_per_blob_gas"], row, |cell| cell.number())?,
        blob_versioned_hashes: file.opt(&["blob_versioned_hashes"], row, |cell| cell.hashes())?,
        signature,
        gas_used: file.opt(&["gas_used"], row, int)?,
        cumulative_gas_used: None,
        status,
        root: None,
        // As from nodes, also if the creation failed.
        created: (to.is_none() && status.is_some()).then(|| from.create(nonce)),
        effective_gas_price: Some(gas_price),
        blob_gas_used: None,
        blob_gas_price: None,
    })
}

fn receipt(file: &Foreign, row: usize, sent: &mut Transaction) -> Result<()> {
    sent.gas_used = Some(file.needed(&["gas_used"], row, int)?);
    sent.cumulative_gas_used = Some(file.needed(&["cumulative_gas_used"], row, int)?);
    sent.status = file.opt(&["status"], row, |cell| cell.flag())?;
    sent.root = file.opt(&["root"], row, hash)?;
    sent.created = file.opt(&["contract_address"], row, address)?;
    sent.effective_gas_price =
        file.opt(&["effective_gas_price"], row, |cell| cell.number())?.or(sent.effective_gas_price);
    sent.blob_gas_used = file.opt(&["blob_gas_used"], row, int)?;
    sent.blob_gas_price = file.opt(&["blob_gas_price"], row, |cell| cell.number())?;
    Ok(())
}

fn log(file: &Foreign, row: usize) -> Result<Log> {
    let mut topics: Vec<B256> = Vec::with_capacity(4);
    let listed = file.opt(&["topics"], row, |cell| cell.hashes())?;
    topics.extend(listed.unwrap_or_default());
    for name in ["topic0", "topic1", "topic2", "topic3"] {
        topics.extend(file.opt(&[name], row, hash)?);
    }
    let count = topics.len();
    let data = file.opt(&["data"], row, |cell| cell.bytes())?.unwrap_or_default();
    Log::new(file.needed(&["address", "contract_address"], row, address)?, topics, data.into())
        .ok_or_else(|| refused(&file.path, row, "topics", &format!("a log has at most 4 topics, not {count}")))
}

/// Carries hash and logs to the decoder of token transfers, and the receipt to verification. Other fields are unused.
fn carrier(sent: &Transaction) -> TransactionData {
    let signature = Signature::new(U256::ZERO, U256::ZERO, false);
    let receipt = ReceiptData {
        status: sent.status,
        root: sent.root,
        gas_used: 0,
        cumulative_gas_used: sent.cumulative_gas_used.unwrap_or_default(),
        effective_gas_price: 0,
        contract_address: None,
        blob_gas_used: None,
        blob_gas_price: None,
        logs: Vec::new(),
    };
    TransactionData { tx: TxLegacy::default().into_signed(signature).into(), hash: sent.hash, from: sent.from, receipt }
}
