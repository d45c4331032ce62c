//! Token balances: ERC-20 including liquidity tokens, ERC-721 and ERC-1155.

use alloy_primitives::map::{HashMap, HashSet};

use super::Id;

/// Index of a fungible token.
pub type TokenId = u32;

/// A fungible token.
pub struct Token {
    /// Account of its contract.
    pub contract: Id,
    pub symbol: String,
    pub decimals: u32,
    pub supply: u128,
}

/// An ERC-721 collection; ids start at 1.
pub struct Collection {
    pub contract: Id,
    pub name: String,
    /// Owner and previous owner, by token id minus one.
    pub owners: Vec<(Id, Id)>,
    pub limit: usize,
    /// Indices of tokens that ordinary users do not trade.
    pub reserved: HashSet<usize>,
}

/// An ERC-1155 collection.
pub struct Items {
    pub contract: Id,
    pub kinds: u32,
}

/// All token balances. The maps are only read by key, so their order has no effect.
#[derive(Default)]
pub struct Ledger {
    pub tokens: Vec<Token>,
    pub collections: Vec<Collection>,
    pub items: Vec<Items>,
    fungible: HashMap<(TokenId, Id), u128>,
    item_balances: HashMap<(u32, u32, Id), u64>,
}

impl Ledger {
    pub fn balance(&self, token: TokenId, owner: Id) -> u128 {
        self.fungible.get(&(token, owner)).copied().unwrap_or(0)
    }

    /// Adds to a balance and returns whether it was zero before.
    pub fn credit(&mut self, token: TokenId, owner: Id, amount: u128) -> bool {
        let balance = self.fungible.entry((token, owner)).or_insert(0);
        let fresh = *balance == 0;
        *balance += amount;
        fresh
    }

    /// Subtracts from a balance, or returns false and does nothing if it is too small.
    #[must_use]
    pub fn debit(&mut self, token: TokenId, owner: Id, amount: u128) -> bool {
        if amount == 0 {
            return true;
        }
        let Some(balance) = self.fungible.get_mut(&(token, owner)) else { return false };
        let Some(rest) = balance.checked_sub(amount) else { return false };
        if rest == 0 {
            self.fungible.remove(&(token, owner));
        } else {
            *balance = rest;
        }
        true
    }

    pub fn items_of(&self, items: u32, kind: u32, owner: Id) -> u64 {
        self.item_balances.get(&(items, kind, owner)).copied().unwrap_or(0)
    }

    pub fn credit_items(&mut self, items: u32, kind: u32, owner: Id, count: u64) {
        *self.item_balances.entry((items, kind, owner)).or_insert(0) += count;
    }

    #[must_use]
    pub fn debit_items(&mut self, items: u32, kind: u32, owner: Id, count: u64) -> bool {
        let Some(balance) = self.item_balances.get_mut(&(items, kind, owner)) else { return false };
        let Some(rest) = balance.checked_sub(count) else { return false };
        if rest == 0 {
            self.item_balances.remove(&(items, kind, owner));
        } else {
            *balance = rest;
        }
        true
    }
}
