//! Same seed, same chain; other lengths, same patterns.

use alloy_primitives::{B256, keccak256};

use super::*;
use crate::sample::clock::{DAY, END};

/// A hash of all blocks and the ground truth.
fn print(seed: u64, transactions: u64, days: u32) -> B256 {
    let config = SampleConfig { transactions, seed, days: Some(days) };
    let mut print = B256::ZERO;
    let truth = simulate(config, |part| {
        print = keccak256([print.as_slice(), format!("{part:?}").as_bytes()].concat());
        Ok(())
    })
    .unwrap();
    keccak256([print.as_slice(), serde_json::to_string(&truth).unwrap().as_bytes()].concat())
}

#[test]
fn same_seed_same_chain() {
    let first = print(1, FEWEST_TRANSACTIONS, 90);
    assert_eq!(print(1, FEWEST_TRANSACTIONS, 90), first);
    assert_ne!(print(2, FEWEST_TRANSACTIONS, 90), first);
}

#[test]
fn short_and_long_chains_have_all_patterns() {
    for (seed, transactions, days) in [(3, FEWEST_TRANSACTIONS, FEWEST_DAYS), (4, 162_345, 400)] {
        let (blocks, truth) = of_length(seed, transactions, days);
        rules::money_rules(&blocks, &truth);
        rules::trade_rules(&blocks, &truth);
        rules::nft_rules(&blocks, &truth);
        rules::airdrop_rules(&blocks, &truth);
    }
}

/// With so few transactions a day, planned actions are too late for rules that count hours and days.
#[test]
fn long_quiet_chain_has_the_requested_length() {
    of_length(4, FEWEST_TRANSACTIONS + 12_345, 400);
}

/// A chain with exactly the requested numbers of transactions and days.
fn of_length(seed: u64, transactions: u64, days: u32) -> (Vec<BlockData>, serde_json::Value) {
    println!("{transactions} transactions of seed {seed} in {days} days");
    let (blocks, truth) = simulated(SampleConfig { transactions, seed, days: Some(days) });
    assert_eq!(blocks.iter().map(|block| block.transactions.len() as u64).sum::<u64>(), transactions);
    let time = |block: Option<&BlockData>| block.unwrap().header.timestamp;
    let [first, last] = [time(blocks.first()), time(blocks.last())];
    assert_eq!((first, last / DAY), (END - u64::from(days) * DAY, END / DAY - 1));
    (blocks, truth)
}
