//! Pools of the Uniswap kinds: which are known, which tell the price of ether, and what they hold.

use std::collections::{BTreeMap, HashMap, HashSet};

use alloy_primitives::{Address, U256, address};
use serde::{Deserialize, Serialize};

use super::rows::{Contract, Event, PAIR_CREATED, PAIR_SWAP, POOL_CREATED, POOL_SWAP, SYNC};
use quarry_lake::Origin;

const UNISWAP_V2: Address = address!("5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f");
const UNISWAP_V3: Address = address!("1f98431c8ad98523631ae4a59f267346ea31f984");
const SUSHISWAP: Address = address!("c0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac");
const WETH: Address = address!("c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");
/// Tokens that follow the dollar, with their decimals: USDC, USDT, DAI.
const DOLLARS: [(Address, u32); 3] = [
    (address!("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"), 6),
    (address!("dac17f958d2ee523a2206206994597c13d831ec7"), 6),
    (address!("6b175474e89094c44da98b954eedeac495271d0f"), 18),
];

/// Everything known of markets so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Markets {
    /// On the sample chain every pool counts, and tokens are known by their symbols: nobody forges them there.
    sample: bool,
    ether: HashSet<Address>,
    /// With their decimals, 18 at most.
    dollars: HashMap<Address, u32>,
    pools: HashMap<Address, Pool>,
    /// Dollars with 18 digits after the point, and wei, of each pool that tells the price.
    reserves: BTreeMap<Address, (U256, U256)>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pool {
    /// V3 rather than V2.
    ranged: bool,
    uniswap: bool,
    pricing: Option<Pricing>,
}

/// How a pool tells the price of ether.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pricing {
    ether_first: bool,
    /// Decimals of its dollar.
    decimals: u32,
}

impl Markets {
    pub fn new(origin: Option<Origin>) -> Markets {
        if origin == Some(Origin::Sample) {
            return Markets { sample: true, ..Markets::default() };
        }
        Markets { ether: HashSet::from([WETH]), dollars: HashMap::from(DOLLARS), ..Markets::default() }
    }

    /// A contract that came into being.
    pub fn contract(&mut self, contract: &Contract) {
        match contract.symbol.as_deref() {
            Some("WETH") if self.sample => drop(self.ether.insert(contract.address)),
            Some("USDQ" | "USDR") if self.sample => {
                if let Some(decimals) = contract.decimals.filter(|decimals| *decimals <= 18) {
                    self.dollars.insert(contract.address, decimals);
                }
            }
            _ => {}
        }
    }

    /// Takes an event; answers whether it is a swap on Uniswap.
    pub fn event(&mut self, event: &Event) -> bool {
        match event.topic0 {
            PAIR_CREATED => self.created(event, false),
            POOL_CREATED => self.created(event, true),
            SYNC => self.synced(event),
            PAIR_SWAP | POOL_SWAP => {
                let ranged = event.topic0 == POOL_SWAP;
                return self.pools.get(&event.address).is_some_and(|pool| pool.uniswap && pool.ranged == ranged);
            }
            _ => {}
        }
        false
    }

    /// Anybody may emit the event of a pool of somebody else; the first one for an address is the factory's own.
    fn created(&mut self, event: &Event, ranged: bool) {
        let Some(pool) = event.word(usize::from(ranged)).map(|word| Address::from_word(word.into())) else { return };
        let (Some(first), Some(second)) = (event.topic1, event.topic2) else { return };
        let (first, second) = (Address::from_word(first), Address::from_word(second));
        let trusted = self.sample || [UNISWAP_V2, SUSHISWAP].contains(&event.address);
        let uniswap = self.sample || event.address == if ranged { UNISWAP_V3 } else { UNISWAP_V2 };
        if !trusted && !uniswap {
            return;
        }
        let pricing = |ether: Address, dollar: Address, ether_first: bool| {
            let decimals = *self.dollars.get(&dollar)?;
            self.ether.contains(&ether).then_some(Pricing { ether_first, decimals })
        };
        let pricing = match trusted && !ranged {
            true => pricing(first, second, true).or_else(|| pricing(second, first, false)),
            false => None,
        };
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

    /// What all pools that tell the price hold together.
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
    fn topics_are_the_hashes_of_their_events() {
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
    fn a_pool_of_ether_and_dollars_tells_the_price_and_a_forged_one_does_not() {
        let mut markets = Markets::new(Some(Origin::Node));
        let (pool, forged) = (Address::with_last_byte(1), Address::with_last_byte(2));
        let word = |address: Address| U256::from_be_bytes(address.into_word().0);
        let tokens = |topic| [topic, DOLLARS[0].0.into_word(), WETH.into_word()];
        markets.event(&event(UNISWAP_V2, tokens(PAIR_CREATED), &[word(pool), U256::from(1)]));
        markets.event(&event(Address::with_last_byte(9), tokens(PAIR_CREATED), &[word(forged), U256::from(1)]));
        assert_eq!(markets.reserves(), None);
        let ether = U256::from(10).pow(U256::from(18));
        for of in [pool, forged] {
            let held = [U256::from(2_500_000_000_u64), ether];
            markets.event(&event(of, [SYNC, B256::ZERO, B256::ZERO], &held));
        }
        assert_eq!(markets.reserves(), Some((ether * U256::from(2_500), ether)));
        let swap = |of| event(of, [PAIR_SWAP, B256::ZERO, B256::ZERO], &[]);
        assert!(markets.event(&swap(pool)));
        assert!(!markets.event(&swap(forged)));
        assert!(
            !markets.event(&event(pool, [POOL_SWAP, B256::ZERO, B256::ZERO], &[])),
            "a pair does not swap as a V3 pool"
        );
    }
}
