//! Rows of `token_transfers`, decoded from logs: ERC-20, ERC-721, ERC-1155 single and batch.

use std::ops::Range;

use alloy_primitives::{Address, B256, U256, b256};
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use super::logs::{self, LogRow};
use crate::chain::BlockData;

/// `Transfer(address,address,uint256)` of ERC-20 and ERC-721.
const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
/// `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155.
const TRANSFER_SINGLE: B256 = b256!("c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62");
/// `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155.
const TRANSFER_BATCH: B256 = b256!("4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb");

const WORD: usize = 32;

/// A token transfer of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Transfer {
    standard: &'static str,
    from: Address,
    to: Address,
    value: U256,
    token_id: Option<U256>,
    operator: Option<Address>,
    batch_index: i32,
}

struct TransferRow<'a> {
    log: &'a LogRow<'a>,
    transfer: Transfer,
}

impl Row for TransferRow<'_> {
    fn block(&self) -> &BlockData {
        self.log.block()
    }
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let logs = logs::rows(blocks);
    let mut rows = Vec::with_capacity(logs.len() / 2);
    for log in &logs {
        transfers(log.log.topics(), &log.log.data.data, |transfer| rows.push(TransferRow { log, transfer }));
    }
    Columns::of(Table::TokenTransfers, &rows)
        .text("standard", |row| row.transfer.standard)
        .address("token_address", |row| row.log.log.address)
        .address("from_address", |row| row.transfer.from)
        .address("to_address", |row| row.transfer.to)
        .uint256("value", |row| row.transfer.value)
        .decimal_if_it_fits("value_decimal", |row| Some(row.transfer.value))
        .uint256_opt("token_id", |row| row.transfer.token_id)
        .address_opt("operator_address", |row| row.transfer.operator)
        .int32("batch_index", |row| row.transfer.batch_index)
        .hash("transaction_hash", |row| row.log.transaction.hash)
        .int("transaction_index", |row| row.log.transaction_index)
        .int("log_index", |row| row.log.index)
        .block()
        .finish()
}

/// Yields the transfers of a log: none for other events and malformed data.
fn transfers(topics: &[B256], data: &[u8], mut found: impl FnMut(Transfer)) {
    match topics.first() {
        Some(&TRANSFER) => {
            if let Some(transfer) = plain(topics, data) {
                found(transfer);
            }
        }
        Some(&TRANSFER_SINGLE) => {
            if let Some(transfer) = single(topics, data) {
                found(transfer);
            }
        }
        Some(&TRANSFER_BATCH) => batch_of(topics, data, found),
        _ => {}
    }
}

/// ERC-721 has three indexed arguments, ERC-20 two, and old tokens none or only the sender. Without the third topic an
/// amount and an id look alike, so those count as ERC-20.
fn plain(topics: &[B256], data: &[u8]) -> Option<Transfer> {
    let [from, to, number] = arguments(topics, data)?;
    let (from, to, number) = (address(from)?, address(to)?, U256::from_be_bytes(number.0));
    let nft = topics.len() == 4;
    Some(Transfer {
        standard: if nft { "erc721" } else { "erc20" },
        from,
        to,
        value: if nft { U256::ONE } else { number },
        token_id: nft.then_some(number),
        operator: None,
        batch_index: 0,
    })
}

fn single(topics: &[B256], data: &[u8]) -> Option<Transfer> {
    let [operator, from, to, id, value] = arguments(topics, data)?;
    Some(Transfer {
        standard: "erc1155",
        from: address(from)?,
        to: address(to)?,
        value: U256::from_be_bytes(value.0),
        token_id: Some(U256::from_be_bytes(id.0)),
        operator: Some(address(operator)?),
        batch_index: 0,
    })
}

fn batch_of(topics: &[B256], data: &[u8], mut found: impl FnMut(Transfer)) {
    let &[_, operator, from, to] = topics else { return };
    let (Some(operator), Some(from), Some(to)) = (address(operator), address(from), address(to)) else { return };
    let (Some(ids), Some(values)) = (array(data, 0), array(data, 1)) else { return };
    if ids.len() != values.len() {
        return;
    }
    let pairs = data[ids].chunks_exact(WORD).zip(data[values].chunks_exact(WORD));
    for (batch_index, (id, value)) in (0..).zip(pairs) {
        found(Transfer {
            standard: "erc1155",
            from,
            to,
            value: U256::from_be_slice(value),
            token_id: Some(U256::from_be_slice(id)),
            operator: Some(operator),
            batch_index,
        });
    }
}

/// The arguments of an event of N words: topics, then data, without trailing data.
fn arguments<const N: usize>(topics: &[B256], data: &[u8]) -> Option<[B256; N]> {
    let indexed = topics.get(1..)?;
    if indexed.len() > N || data.len() != (N - indexed.len()) * WORD {
        return None;
    }
    let mut arguments = [B256::ZERO; N];
    let words = data.chunks_exact(WORD).map(B256::from_slice);
    for (argument, word) in arguments.iter_mut().zip(indexed.iter().copied().chain(words)) {
        *argument = word;
    }
    Some(arguments)
}

/// An address as an ABI word; `None` if the upper 12 bytes are not zero.
fn address(word: B256) -> Option<Address> {
    word[..12].iter().all(|&byte| byte == 0).then(|| Address::from_word(word))
}

/// The range in `data` of the items of the dynamic array whose offset is word `head`.
fn array(data: &[u8], head: usize) -> Option<Range<usize>> {
    let start = number(data, head * WORD)?;
    let length = number(data, start)?.checked_mul(WORD)?;
    let from = start.checked_add(WORD)?;
    let to = from.checked_add(length)?;
    (to <= data.len()).then_some(from..to)
}

/// The word at a byte offset if it is a valid offset or length.
fn number(data: &[u8], at: usize) -> Option<usize> {
    let word = data.get(at..at.checked_add(WORD)?)?;
    usize::try_from(U256::from_be_slice(word)).ok()
}

#[cfg(test)]
#[path = "token_transfers_tests.rs"]
mod tests;
