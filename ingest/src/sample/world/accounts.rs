//! Everyone with an address: people with keys and contracts. Balances are exact and never fall below zero.

use alloy_primitives::Address;

/// Place of an account in the world's list.
pub type Id = u32;

/// What the world knows of an address. Kept small: a chain of ten million transactions has hundreds of thousands.
#[derive(Debug, Clone)]
pub struct Account {
    pub address: Address,
    /// Wei.
    pub balance: u128,
    pub nonce: u32,
    /// Transactions sent, and how many of them failed.
    pub sent: u32,
    pub failed: u32,
    /// Seconds of the first and last transaction sent.
    pub first_sent: u32,
    pub last_sent: u32,
    pub is_contract: bool,
}

/// All accounts, in the order in which they came into being.
#[derive(Default)]
pub struct Accounts(Vec<Account>);

impl Accounts {
    pub fn next_id(&self) -> Id {
        self.0.len() as Id
    }

    pub fn add(&mut self, address: Address, is_contract: bool) -> Id {
        let id = self.next_id();
        self.0.push(Account {
            address,
            balance: 0,
            // A contract's first own creation has nonce 1 (EIP-161).
            nonce: u32::from(is_contract),
            sent: 0,
            failed: 0,
            first_sent: 0,
            last_sent: 0,
            is_contract,
        });
        id
    }

    pub fn get(&self, id: Id) -> &Account {
        &self.0[id as usize]
    }

    pub fn get_mut(&mut self, id: Id) -> &mut Account {
        &mut self.0[id as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (Id, &Account)> {
        self.0.iter().enumerate().map(|(id, account)| (id as Id, account))
    }
}
