//! Replays ETH and token balances from the blocks: none ever becomes negative.

use std::collections::{HashMap, HashSet};

use alloy_primitives::{Address, U256};

use super::view::{address, kind, moved, moved_nft, topic_address, word};
use super::*;
use crate::chain::TraceKind;

#[derive(Default)]
struct Balances(HashMap<Address, U256>);

impl Balances {
    fn add(&mut self, who: Address, wei: U256) {
        *self.0.entry(who).or_default() += wei;
    }

    #[track_caller]
    fn take(&mut self, who: Address, wei: U256, block: u64) {
        let held = self.0.entry(who).or_default();
        *held = held.checked_sub(wei).unwrap_or_else(|| panic!("{who} falls below zero in block {block}"));
    }
}

#[test]
fn ether_comes_from_withdrawals_and_rewards_only() {
    let (blocks, truth) = chain(1);
    let mut purse = Balances::default();
    for block in &blocks {
        let number = block.header.number;
        let base_fee = U256::from(block.header.base_fee_per_gas.unwrap());
        let mut traces = block.traces.as_ref().unwrap().iter().peekable();
        for (index, sent) in block.transactions.iter().enumerate() {
            let (used, price) = (U256::from(sent.receipt.gas_used), U256::from(sent.receipt.effective_gas_price));
            let blobs = sent.receipt.blob_gas_used.unwrap_or(0) as u128 * sent.receipt.blob_gas_price.unwrap_or(0);
            purse.take(sent.from, used * price + U256::from(blobs), number);
            purse.add(block.header.beneficiary, used * (price - base_fee));
            let mut calls = 0;
            while let Some(trace) = traces.next_if(|trace| trace.transaction_index == Some(index as u64)) {
                calls += 1;
                assert_eq!(trace.error.is_some(), sent.receipt.status == Some(false));
                if trace.error.is_none() && trace.call_type != Some("staticcall") {
                    purse.take(trace.from.unwrap(), trace.value, number);
                    purse.add(trace.to.unwrap(), trace.value);
                }
            }
            assert!(calls > 0, "a transaction without traces");
        }
        for reward in traces {
            assert_eq!((reward.kind, reward.to), (TraceKind::Reward, Some(block.header.beneficiary)));
            purse.add(block.header.beneficiary, reward.value);
        }
        for paid in block.withdrawals.as_ref().unwrap() {
            purse.add(paid.address, U256::from(paid.amount) * U256::from(1_000_000_000));
        }
    }
    let contracts: HashSet<_> = blocks
        .iter()
        .flat_map(|block| block.traces.iter().flatten())
        .filter(|trace| trace.kind == TraceKind::Create)
        .filter_map(|trace| trace.to)
        .collect();
    let thousand = U256::from(1_000) * U256::from(10).pow(U256::from(18));
    let rich = purse.0.iter().filter(|(who, wei)| **wei >= thousand && !contracts.contains(*who)).count();
    let whales = truth["whales"].as_array().unwrap();
    assert!(whales.len() >= 14 && whales.len() == rich, "B5");
    for whale in whales {
        let expected: U256 = whale["balance_wei"].as_str().unwrap().parse().unwrap();
        assert_eq!(purse.0[&address(&whale["address"])], expected);
    }
}

#[test]
fn tokens_are_minted_before_they_move() {
    let (blocks, truth) = chain(1);
    let weth = address(&truth["names"]["weth"]);
    let mut purses: HashMap<Address, Balances> = HashMap::new();
    let mut owners: HashMap<(Address, U256), Address> = HashMap::new();
    let mut unique = 0;
    for block in &blocks {
        for log in block.transactions.iter().flat_map(|sent| &sent.receipt.logs) {
            if let Some(moved) = moved(log) {
                let purse = purses.entry(moved.token).or_default();
                if moved.from != Address::ZERO {
                    purse.take(moved.from, moved.value, block.header.number);
                }
                purse.add(moved.to, moved.value);
            } else if log.address == weth && log.data.topics().len() == 2 {
                let (who, wad) = (topic_address(log, 1), word(log, 0));
                let purse = purses.entry(weth).or_default();
                if kind(log) == alloy_primitives::keccak256("Deposit(address,uint256)") {
                    purse.add(who, wad);
                } else {
                    purse.take(who, wad, block.header.number);
                }
            } else if let Some((collection, id, from, to)) = moved_nft(log) {
                let before = owners.insert((collection, id), to).unwrap_or(Address::ZERO);
                assert_eq!(before, from);
                unique += 1;
            }
        }
    }
    for token in truth["names"]["erc20"].as_array().unwrap() {
        let symbol = token["symbol"].as_str().unwrap();
        let Some(top) = truth["top_holders"].get(symbol) else { continue };
        let mut held: Vec<_> = purses[&address(&token["address"])].0.iter().map(|(who, held)| (*held, *who)).collect();
        held.sort_unstable_by(|a, b| b.cmp(a));
        let held: Vec<_> = held
            .iter()
            .take(10)
            .map(|(held, who)| serde_json::json!({ "address": who, "balance": held.to_string() }))
            .collect();
        assert_eq!(top, &serde_json::json!(held), "B7 of {symbol}");
    }
    assert!(purses.len() > 30 && unique > 1_000, "{} tokens, {unique} moves of unique ones", purses.len());
}
