//! The simulated world: accounts, tokens and pools, changed only by transactions that are recorded as they happen.

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
pub use markets::{Pool, RangePool, Sale};
pub use transaction::{Ask, Drafted, Kind};

use alloy_primitives::{Address, B256, Log, LogData};

use super::dice::Dice;
use transaction::Open;

/// The sample chain's own EIP-155 id: its transactions are valid nowhere else.
pub const CHAIN_ID: u64 = 90_210_001;

/// One ETH in wei.
pub const ETH: u128 = 1_000_000_000_000_000_000;
/// One gwei in wei.
pub const GWEI: u128 = 1_000_000_000;

/// What transactions of the present block see.
#[derive(Debug, Clone, Default)]
pub struct BlockView {
    pub number: u64,
    pub time: u64,
    pub base_fee: u64,
    pub blob_fee: u128,
    pub proposer: Id,
}

/// Accounts of contracts that many actions need.
#[derive(Debug, Clone, Default)]
pub struct Sites {
    pub weth: Id,
    pub weth_token: TokenId,
    /// Router of the first exchange of pairs and of its rival.
    pub routers: [Id; 2],
    pub factories: [Id; 2],
    pub range_factory: Id,
    pub range_router: Id,
    pub market: Id,
    pub disperse: Id,
    pub delegate_code: Id,
}

/// Everything that exists.
pub struct World {
    pub keys: Keys,
    pub dice: Dice,
    pub accounts: Accounts,
    pub ledger: Ledger,
    pub pools: Vec<Pool>,
    pub range_pools: Vec<RangePool>,
    pub sites: Sites,
    pub block: BlockView,
    /// Transactions of the present block.
    pub drafted: Vec<Drafted>,
    pub gas_used: u64,
    pub blob_gas_used: u64,
    /// A planned action that could not happen: a mistake of the plan, reported instead of a chain without it.
    pub fault: Option<String>,
    /// Sales that planned traders will make of what they bought.
    pub promised: Vec<Sale>,
    open: Option<Open>,
}

impl World {
    pub fn new(seed: u64) -> World {
        World {
            keys: Keys::new(seed),
            dice: Dice::stream(seed, "world"),
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

    /// A new person with a key and nothing else.
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

    /// Takes wei, or tells that there is too little and takes nothing.
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

    /// Notes that a planned action must have happened.
    pub fn must(&mut self, happened: bool, what: &str) {
        if !happened && self.fault.is_none() {
            self.fault = Some(format!("planned action could not happen in block {}: {what}", self.block.number));
        }
    }

    /// Emits a log of contract `of` in the open transaction.
    pub fn log(&mut self, of: Id, data: LogData) {
        let address = self.address(of);
        if let Some(open) = &mut self.open {
            open.gas += 375 * (1 + data.topics().len() as u64) + 8 * data.data.len() as u64;
            open.logs.push(Log { address, data });
        }
    }

    /// Gas of storage and computation inside the open transaction.
    pub fn burn(&mut self, gas: u64) {
        if let Some(open) = &mut self.open {
            open.gas += gas;
        }
    }

    /// A hash nobody chose: seeds, roots and code that only have to look real.
    pub fn any_hash(&mut self) -> B256 {
        self.dice.hash()
    }
}
