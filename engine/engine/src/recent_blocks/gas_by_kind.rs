//! The gas of a block by kind of transaction. The kind of a transaction follows from its fields and its events.

use std::collections::HashMap;

use alloy_primitives::{B256, b256};
use arrow::array::{Array, AsArray};
use arrow::datatypes::Int64Type;
use arrow::record_batch::RecordBatch;

/// `Swap` of Uniswap V2 pairs and V3 pools, and of their forks.
const SWAPS: [B256; 2] = [
    b256!("d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822"),
    b256!("c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"),
];
/// `Transfer` of ERC-20 (two indexed arguments) and ERC-721 (three).
const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
/// `TransferSingle` and `TransferBatch` of ERC-1155, `OrderFulfilled` of Seaport.
const NFTS: [B256; 3] = [
    b256!("c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"),
    b256!("4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"),
    b256!("9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31"),
];

/// The columns of [`GasCounter::add_transactions`].
pub(super) const TRANSACTION_COLUMNS: [&str; 5] =
    ["block_number", "transaction_index", "to_address", "input", "receipt_gas_used"];
/// The columns of [`GasCounter::add_logs`].
pub(super) const LOG_COLUMNS: [&str; 4] = ["block_number", "transaction_index", "topic0", "topic3"];

/// Gas used in one block, by kind of transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct GasByKind {
    /// Swapped on an exchange of the Uniswap family.
    pub swap: i64,
    /// Moved NFTs (ERC-721, ERC-1155) or filled an order for them.
    pub nft: i64,
    /// Moved ERC-20 tokens.
    pub token: i64,
    /// Moved ether and called nothing.
    pub transfer: i64,
    /// Created a contract.
    pub creation: i64,
    pub other: i64,
}

/// The kind of a transaction by its events. If it has several, the last one here counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EventKind {
    Token,
    Nft,
    Swap,
}

/// Sums the gas of blocks. Logs are added before transactions.
#[derive(Debug, Default)]
pub(super) struct GasCounter {
    /// By block number and index of the transaction.
    event_kinds: HashMap<(i64, i64), EventKind>,
    /// By block number.
    pub by_block: HashMap<i64, GasByKind>,
}

impl GasCounter {
    pub fn add_logs(&mut self, batch: &RecordBatch) {
        let (blocks, indexes) = (numbers(batch, 0), numbers(batch, 1));
        let (topics, last_topics) = (batch.column(2).as_fixed_size_binary(), batch.column(3));
        for row in (0..batch.num_rows()).filter(|row| topics.is_valid(*row)) {
            let topic = topics.value(row);
            let kind = match topic {
                _ if SWAPS.iter().any(|swap| swap == topic) => EventKind::Swap,
                _ if NFTS.iter().any(|nft| nft == topic) => EventKind::Nft,
                _ if TRANSFER == topic && last_topics.is_valid(row) => EventKind::Nft,
                _ if TRANSFER == topic => EventKind::Token,
                _ => continue,
            };
            let known = self.event_kinds.entry((blocks.value(row), indexes.value(row))).or_insert(kind);
            *known = kind.max(*known);
        }
    }

    pub fn add_transactions(&mut self, batch: &RecordBatch) {
        let (blocks, indexes, gas) = (numbers(batch, 0), numbers(batch, 1), numbers(batch, 4));
        let (receivers, inputs) = (batch.column(2), batch.column(3));
        for row in (0..batch.num_rows()).filter(|row| gas.is_valid(*row)) {
            let block = self.by_block.entry(blocks.value(row)).or_default();
            let kind = match self.event_kinds.get(&(blocks.value(row), indexes.value(row))) {
                _ if receivers.is_null(row) => &mut block.creation,
                Some(EventKind::Swap) => &mut block.swap,
                Some(EventKind::Nft) => &mut block.nft,
                Some(EventKind::Token) => &mut block.token,
                None if is_empty(inputs, row) => &mut block.transfer,
                None => &mut block.other,
            };
            *kind += gas.value(row);
        }
    }
}

fn numbers(batch: &RecordBatch, column: usize) -> &arrow::array::Int64Array {
    batch.column(column).as_primitive::<Int64Type>()
}

/// Whether a value of a binary column has no bytes.
fn is_empty(column: &dyn Array, row: usize) -> bool {
    match column.as_binary_view_opt() {
        Some(view) => view.value(row).is_empty(),
        None => column.as_binary::<i32>().value(row).is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, Int64Array};

    use super::*;

    const ONE: B256 = B256::with_last_byte(1);

    fn bytes(values: &[Option<&[u8]>], width: i32) -> ArrayRef {
        Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values.iter().copied(), width).unwrap())
    }

    fn ints(values: &[i64]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    fn batch<const N: usize>(names: [&str; N], columns: [ArrayRef; N]) -> RecordBatch {
        RecordBatch::try_from_iter(names.into_iter().zip(columns)).unwrap()
    }

    /// Transactions 0 to 6 of block 7 use 1, 10, 100, … gas: a creation, a swap that also moves tokens, an ERC-721 transfer,
    /// an order for NFTs, an ERC-20 transfer, plain ether, a call without events.
    #[test]
    fn every_transaction_has_one_kind() {
        let topics = [TRANSFER, TRANSFER, SWAPS[1], TRANSFER, NFTS[2], TRANSFER, ONE];
        let topics: Vec<Option<&[u8]>> = topics.iter().map(|topic| Some(topic.as_slice())).collect();
        let fourth = [None, None, None, Some(ONE.as_slice()), None, None, None];
        let logs = [ints(&[7; 7]), ints(&[0, 1, 1, 2, 3, 4, 6]), bytes(&topics, 32), bytes(&fourth, 32)];
        let receivers: Vec<Option<&[u8]>> = (0..7).map(|row| (row > 0).then_some(&[9u8; 20][..])).collect();
        let inputs: Vec<&[u8]> = (0..7).map(|row| if row == 5 { &b""[..] } else { b"call" }).collect();
        let transactions = [
            ints(&[7; 7]),
            ints(&[0, 1, 2, 3, 4, 5, 6]),
            bytes(&receivers, 20),
            Arc::new(BinaryArray::from(inputs)),
            ints(&[1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]),
        ];
        let mut gas = GasCounter::default();
        gas.add_logs(&batch(LOG_COLUMNS, logs));
        gas.add_transactions(&batch(TRANSACTION_COLUMNS, transactions));
        let expected =
            GasByKind { creation: 1, swap: 10, nft: 1_100, token: 10_000, transfer: 100_000, other: 1_000_000 };
        assert_eq!(gas.by_block[&7], expected);
    }
}
