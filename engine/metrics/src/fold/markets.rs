//! Uniswap-like pools: which are known, which determine the price of ether, and their reserves.

use std::collections::{BTreeMap, HashMap};

use alloy_primitives::{Address, U256};
use serde::{Deserialize, Serialize};

use super::rows::{Event, PAIR_CREATED, PAIR_SWAP, POOL_CREATED, POOL_SWAP, SYNC};
use quarry_lake::KnownContracts;

/// The pools so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Markets {
    pools: HashMap<Address, Pool>,
    /// Dollars with 18 digits after the point, and wei, of each pool that determines the price.
    reserves: BTreeMap<Address, (U256, U256)>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pool {
    /// V3 rather than V2.
    ranged: bool,
    uniswap: bool,
    pricing: Option<Pricing>,
}

/// How the price of ether is read from a pool.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pricing {
    ether_first: bool,
    /// Decimals of its dollar.
    decimals: u32,
}

impl Markets {
    /// Applies an event and returns whether it is a swap on Uniswap.
    pub fn event(&mut self, event: &Event, contracts: &KnownContracts) -> bool {
        match event.topic0 {
            PAIR_CREATED => self.created(event, false, contracts),
            POOL_CREATED => self.created(event, true, contracts),
            SYNC => self.synced(event),
            PAIR_SWAP | POOL_SWAP => {
                let ranged = event.topic0 == POOL_SWAP;
                return self.pools.get(&event.address).is_some_and(|pool| pool.uniswap && pool.ranged == ranged);
            }
            _ => {}
        }
        false
    }

    /// Anybody may emit such events, so only those of known factories count.
    fn created(&mut self, event: &Event, ranged: bool, contracts: &KnownContracts) {
        let Some(pool) = event.word(usize::from(ranged)).map(|word| Address::from_word(word.into())) else { return };
        let (Some(first), Some(second)) = (event.topic1, event.topic2) else { return };
        let (first, second) = (Address::from_word(first), Address::from_word(second));
        let version = if ranged { 3 } else { 2 };
        let Some(factory) = contracts.factory(event.address).filter(|factory| factory.version == version) else {
            return;
        };
        let pricing = |ether: Address, dollar: Address, ether_first: bool| {
            let dollar = contracts.dollar_tokens.iter().find(|token| token.address == dollar)?;
            (contracts.wrapped_ether == Some(ether)).then_some(Pricing { ether_first, decimals: dollar.decimals })
        };
        let pricing = match ranged {
            true => None,
            false => pricing(first, second, true).or_else(|| pricing(second, first, false)),
        };
        let uniswap = factory.project == "uniswap";
        self.pools.entry(pool).or_insert(Pool { ranged, uniswap, pricing });
    }

    fn synced(&mut self, event: &Event) {
        let Some(pricing) = self.pools.get(&event.address).and_then(|pool| pool.pricing) else { return };
        let (Some(first), Some(second)) = (event.word(0), event.word(1)) else { return };
        let (ether, dollars) = if pricing.ether_first { (first, second) } else { (second, first) };
        // Reserves have 112 bits, so this can't overflow.
        let dollars = dollars.saturating_mul(U256::from(10).pow(U256::from(18 - pricing.decimals)));
        self.reserves.insert(event.address, (dollars, ether));
    }

    /// The reserves of all pools that determine the price.
    pub fn reserves(&self) -> Option<(U256, U256)> {
        let sum = |sum: (U256, U256), held: &(U256, U256)| (sum.0.saturating_add(held.0), sum.1.saturating_add(held.1));
        let total = self.reserves.values().fold((U256::ZERO, U256::ZERO), sum);
        (!total.1.is_zero()).then_some(total)
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{B256, keccak256};

    use super::*;

    #[test]
    fn topics_are_event_hashes() {
        for (topic, event) in [
            (PAIR_CREATED, "PairCreated(address,address,address,uint256)"),
            (POOL_CREATED, "PoolCreated(address,address,uint24,int24,address)"),
            (SYNC, "Sync(uint112,uint112)"),
            (PAIR_SWAP, "Swap(address,uint256,uint256,uint256,uint256,address)"),
            (POOL_SWAP, "Swap(address,address,int256,int256,uint160,uint128,int24)"),
        ] {
            assert_eq!(topic, keccak256(event), "{event}");
        }
    }

    fn event(emitter: Address, topics: [B256; 3], words: &[U256]) -> Event {
        let [topic0, topic1, topic2] = topics;
        let data = words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect();
        let (topic1, topic2) = (Some(topic1), Some(topic2));
        Event { block: 1, transaction: 0, log: 0, address: emitter, topic0, topic1, topic2, data }
    }

    #[test]
    fn only_known_pools_determine_the_price() {
        let mainnet = KnownContracts::shipped(Some(1));
        let (factory, dollar) = (&mainnet.pool_factories[0], &mainnet.dollar_tokens[0]);
        let mut markets = Markets::default();
        let (pool, forged) = (Address::with_last_byte(1), Address::with_last_byte(2));
        let word = |address: Address| U256::from_be_bytes(address.into_word().0);
        let tokens = |topic| [topic, dollar.address.into_word(), mainnet.wrapped_ether.unwrap().into_word()];
        let mut take = |event| markets.event(&event, &mainnet);
        take(event(factory.address, tokens(PAIR_CREATED), &[word(pool), U256::from(1)]));
        take(event(Address::with_last_byte(9), tokens(PAIR_CREATED), &[word(forged), U256::from(1)]));
        let ether = U256::from(10).pow(U256::from(18));
        for address in [pool, forged] {
            let held = [U256::from(2_500_000_000_u64), ether];
            take(event(address, [SYNC, B256::ZERO, B256::ZERO], &held));
        }
        let swap = |address| event(address, [PAIR_SWAP, B256::ZERO, B256::ZERO], &[]);
        assert!(take(swap(pool)));
        assert!(!take(swap(forged)));
        assert!(!take(event(pool, [POOL_SWAP, B256::ZERO, B256::ZERO], &[])), "a pair does not swap as a V3 pool");
        assert_eq!(markets.reserves(), Some((ether * U256::from(2_500), ether)));
    }
}
