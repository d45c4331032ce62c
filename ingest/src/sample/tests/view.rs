//! The chain as rows for rules: transactions, payments, token transfers and logs, in order.

use alloy::consensus::Transaction;
use alloy_primitives::{Address, B256, Bytes, Log, U256, b256};

use super::BlockData;

pub const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
pub const APPROVAL: B256 = b256!("8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925");
pub const SWAP: B256 = b256!("d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822");
pub const RANGE_SWAP: B256 = b256!("c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67");
pub const SYNC: B256 = b256!("1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1");
pub const MINT: B256 = b256!("4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f");
pub const BURN: B256 = b256!("dccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496");
pub const VOTE: B256 = b256!("b8e138887d0aa13bab447e82de9d5c1777041ecd21ca36ba824ff1e6c07ddda4");
pub const SALE: B256 = b256!("9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31");

/// A transaction with the fields that rules need.
pub struct Sent<'a> {
    pub block: u64,
    pub time: u64,
    pub index: usize,
    pub from: Address,
    pub to: Option<Address>,
    pub value: U256,
    pub input: &'a Bytes,
    pub done: bool,
    pub logs: &'a [Log],
}

impl Sent<'_> {
    pub fn day(&self) -> u64 {
        self.time / 86_400
    }
}

pub fn sent(blocks: &[BlockData]) -> Vec<Sent<'_>> {
    let mut all = Vec::new();
    for block in blocks {
        for (index, data) in block.transactions.iter().enumerate() {
            all.push(Sent {
                block: block.header.number,
                time: block.header.timestamp,
                index,
                from: data.from,
                to: data.tx.to(),
                value: data.tx.value(),
                input: data.tx.input(),
                done: data.receipt.status == Some(true),
                logs: &data.receipt.logs,
            });
        }
    }
    all
}

/// topic0, zero without topics.
pub fn kind(log: &Log) -> B256 {
    log.data.topics().first().copied().unwrap_or_default()
}

pub fn topic_address(log: &Log, place: usize) -> Address {
    Address::from_word(log.data.topics()[place])
}

/// A 32-byte word of the data.
pub fn word(log: &Log, place: usize) -> U256 {
    U256::from_be_slice(&log.data.data[32 * place..32 * place + 32])
}

/// An ERC-20 transfer.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    pub token: Address,
    pub from: Address,
    pub to: Address,
    pub value: U256,
}

pub fn moved(log: &Log) -> Option<Moved> {
    (kind(log) == TRANSFER && log.data.topics().len() == 3).then(|| Moved {
        token: log.address,
        from: topic_address(log, 1),
        to: topic_address(log, 2),
        value: word(log, 0),
    })
}

/// An ERC-721 transfer: collection, token id, sender, receiver.
pub fn moved_nft(log: &Log) -> Option<(Address, U256, Address, Address)> {
    (kind(log) == TRANSFER && log.data.topics().len() == 4).then(|| {
        (log.address, U256::from_be_bytes(log.data.topics()[3].0), topic_address(log, 1), topic_address(log, 2))
    })
}

/// Addresses in a JSON array of the ground truth.
pub fn listed(value: &serde_json::Value) -> Vec<Address> {
    value.as_array().unwrap().iter().map(address).collect()
}

pub fn address(value: &serde_json::Value) -> Address {
    value.as_str().unwrap().parse().unwrap()
}
