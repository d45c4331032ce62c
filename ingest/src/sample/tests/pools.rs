//! Pool invariants: reserves follow every trade, and the product never decreases.

use std::collections::{BTreeSet, HashMap};

use alloy_primitives::{Address, U256, U512};

use super::view::{BURN, MINT, RANGE_SWAP, SWAP, SYNC, address, kind, listed, moved, word};
use super::*;

#[test]
fn product_of_reserves_decreases_by_burns_only() {
    let (blocks, truth) = chain(1);
    let pools: HashMap<Address, (Address, Address)> = truth["names"]["pools_v2"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pool| (address(&pool["address"]), (address(&pool["token0"]), address(&pool["token1"]))))
        .collect();
    let mut providers = BTreeSet::new();
    let mut reserves: HashMap<Address, (U256, U256)> = HashMap::new();
    let mut held: HashMap<(Address, Address), U256> = HashMap::new();
    let (mut swaps, mut burns) = (0, 0);
    for log in blocks.iter().flat_map(|block| &block.transactions).flat_map(|sent| &sent.receipt.logs) {
        if let Some(moved) = moved(log) {
            if pools.contains_key(&moved.token) && moved.from.is_zero() && !moved.to.is_zero() {
                providers.insert(moved.to);
            }
            if pools.contains_key(&moved.to) {
                *held.entry((moved.to, moved.token)).or_default() += moved.value;
            }
            if pools.contains_key(&moved.from) {
                *held.get_mut(&(moved.from, moved.token)).unwrap() -= moved.value;
            }
        }
        if kind(log) == SYNC {
            let (token0, token1) = pools[&log.address];
            let now = (word(log, 0), word(log, 1));
            assert_eq!((held[&(log.address, token0)], held[&(log.address, token1)]), now);
            reserves.insert(log.address, now);
        }
        let Some(now) = reserves.get(&log.address).copied() else { continue };
        let product = U512::from(now.0) * U512::from(now.1);
        if kind(log) == SWAP {
            let before = (now.0 + word(log, 2) - word(log, 0), now.1 + word(log, 3) - word(log, 1));
            assert!(product >= U512::from(before.0) * U512::from(before.1));
            // The fee of 0.3 % stays in the pool.
            let net = |now: U256, paid: U256| U512::from(now * U256::from(1_000) - paid * U256::from(3));
            let after = net(now.0, word(log, 0)) * net(now.1, word(log, 1));
            assert!(after >= U512::from(before.0) * U512::from(before.1) * U512::from(1_000_000));
            swaps += 1;
        } else if kind(log) == BURN {
            burns += 1;
        } else if kind(log) == MINT {
            assert!(word(log, 0) > U256::ZERO && word(log, 1) > U256::ZERO);
        }
    }
    assert_eq!(providers, listed(&truth["liquidity_providers"]).into_iter().collect(), "A13");
    assert!(swaps > 3_000 && burns > 30, "{swaps} swaps, {burns} burns");
    for pool in truth["names"]["pools_v2"].as_array().unwrap() {
        let last = reserves[&address(&pool["address"])];
        assert_eq!(pool["reserves"], serde_json::json!([last.0.to_string(), last.1.to_string()]));
    }
}

#[test]
fn v3_prices_match_ticks_and_directions() {
    let (blocks, _) = chain(1);
    let mut last: HashMap<Address, U256> = HashMap::new();
    let mut seen = 0;
    for log in blocks.iter().flat_map(|block| &block.transactions).flat_map(|sent| &sent.receipt.logs) {
        if kind(log) != RANGE_SWAP {
            continue;
        }
        let price = word(log, 2);
        // The low 32 bits of a signed word.
        let tick = word(log, 4).as_limbs()[0] as u32 as i32;
        let root: f64 = f64::from(price) / 2f64.powi(96);
        let exact = 2.0 * root.ln() / 1.0001f64.ln();
        assert!((exact.floor() - f64::from(tick)).abs() <= 1.0, "{exact} {tick}");
        if let Some(before) = last.insert(log.address, price) {
            let paid_first = !word(log, 0).bit(255);
            assert_eq!(price < before, paid_first);
        }
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}
