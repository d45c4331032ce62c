//! Same seed, same chain.

use alloy_primitives::{B256, keccak256};

use super::*;

/// A hash over everything in the blocks and in the truth.
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
fn the_same_seed_makes_the_same_chain() {
    let first = print(1, FEWEST_TRANSACTIONS, 90);
    assert_eq!(print(1, FEWEST_TRANSACTIONS, 90), first);
    assert_ne!(print(2, FEWEST_TRANSACTIONS, 90), first);
}

#[test]
fn other_lengths_hold_everything_too() {
    print(3, FEWEST_TRANSACTIONS, FEWEST_DAYS);
    print(4, FEWEST_TRANSACTIONS + 12_345, 400);
}
