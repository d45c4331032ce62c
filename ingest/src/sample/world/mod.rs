//! The world state: accounts, tokens and pools, changed only by recorded transactions.

mod accounts;
mod exec;
mod frame;
mod keys;
mod ledger;
mod markets;
mod transaction;

pub use accounts::{Accounts, Id};
pub use keys::Keys;
pub use ledger::{Collection, Items, Ledger, Token, TokenId};
pub use markets::{ConcentratedPool, Pool, Sale};
pub use transaction::{Ask, Drafted, Kind};

use alloy_primitives::{Address, B256, Log, LogData};

use super::random::Random;
use transaction::Open;

/// The chain id of the sample chain (EIP-155), so that its transactions are invalid on other chains.
pub const CHAIN_ID: u64 = 90_210_001;

/// One ETH in wei.
pub const ETH: u128 = 1_000_000_000_000_000_000;
/// One gwei in wei.
pub const GWEI: u128 = 1_000_000_000;

/// The block environment of transactions.
#[derive(Debug, Clone, Default)]
pub struct BlockView {
    pub number: u64,
    pub time: u64,
    pub base_fee: u64,
    pub blob_fee: u128,
    pub proposer: Id,
}

/// Accounts of frequently used contracts.
#[derive(Debug, Clone, Default)]
pub struct Sites {
    pub weth: Id,
    pub weth_token: TokenId,
    /// Router of the first pair exchange and of its rival.
    pub routers: [Id; 2],
    pub factories: [Id; 2],
    pub range_factory: Id,
    pub range_router: Id,
    pub market: Id,
    pub disperse: Id,
    pub delegate_code: Id,
}

/// The world state.
pub struct World {
    pub keys: Keys,
    pub random: Random,
    pub accounts: Accounts,
    pub ledger: Ledger,
    pub pools: Vec<Pool>,
    pub range_pools: Vec<ConcentratedPool>,
    pub sites: Sites,
    pub block: BlockView,
    /// Transactions of the current block.
    pub drafted: Vec<Drafted>,
    pub gas_used: u64,
    pub blob_gas_used: u64,
    /// A planned action that was impossible: an error of the plan, reported instead of a chain without it.
    pub fault: Option<String>,
    /// Planned sales of tokens that traders bought.
    pub promised: Vec<Sale>,
    open: Option<Open>,
}

impl World {
    pub fn new(seed: u64) -> World {
        World {
            keys: Keys::new(seed),
            random: Random::stream(seed, "world"),
            accounts: Accounts::default(),
            ledger: Ledger::default(),
            pools: Vec::new(),
            range_pools: Vec::new(),
            sites: Sites::default(),
            block: BlockView::default(),
            drafted: Vec::new(),
            gas_used: 0,
            blob_gas_used: 0,
            fault: None,
            promised: Vec::new(),
            open: None,
        }
    }

    /// Creates an externally owned account.
    pub fn person(&mut self) -> Id {
        let address = self.keys.address(self.accounts.next_id());
        self.accounts.add(address, false)
    }

    pub fn people(&mut self, count: usize) -> Vec<Id> {
        (0..count).map(|_| self.person()).collect()
    }

    pub fn address(&self, id: Id) -> Address {
        self.accounts.get(id).address
    }

    pub fn balance(&self, id: Id) -> u128 {
        self.accounts.get(id).balance
    }

    /// Address of a token's contract.
    pub fn token_address(&self, token: TokenId) -> Address {
        self.address(self.ledger.tokens[token as usize].contract)
    }

    pub fn credit(&mut self, id: Id, wei: u128) {
        self.accounts.get_mut(id).balance += wei;
    }

    /// Subtracts wei, or returns false and does nothing if there is too little.
    #[must_use]
    pub fn debit(&mut self, id: Id, wei: u128) -> bool {
        let account = self.accounts.get_mut(id);
        match account.balance.checked_sub(wei) {
            Some(rest) => {
                account.balance = rest;
                true
            }
            None => false,
        }
    }

    /// Records whether a planned action succeeded.
    pub fn must(&mut self, happened: bool, what: &str) {
        if !happened && self.fault.is_none() {
            self.fault = Some(format!("planned action could not happen in block {}: {what}", self.block.number));
        }
    }

    /// Emits a log of contract `of` in the current transaction.
    pub fn log(&mut self, of: Id, data: LogData) {
        let address = self.address(of);
        if let Some(open) = &mut self.open {
            open.gas += 375 * (1 + data.topics().len() as u64) + 8 * data.data.len() as u64;
            open.logs.push(Log { address, data });
        }
    }

    /// Charges gas for storage and computation of the current transaction.
    pub fn burn(&mut self, gas: u64) {
        if let Some(open) = &mut self.open {
            open.gas += gas;
        }
    }

    /// A pseudo-random hash for seeds, roots and code.
    pub fn any_hash(&mut self) -> B256 {
        self.random.hash()
    }
}
