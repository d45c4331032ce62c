//! Accounts: externally owned and contracts. Balances are exact and never negative.

use alloy_primitives::Address;

/// Index of an account.
pub type Id = u32;

/// The state of an account. Kept small: a chain of ten million transactions has hundreds of thousands.
#[derive(Debug, Clone)]
pub struct Account {
    pub address: Address,
    /// Wei.
    pub balance: u128,
    pub nonce: u32,
    /// Number of sent transactions, and of failed ones.
    pub sent: u32,
    pub failed: u32,
    /// Times of the first and last sent transaction, in seconds.
    pub first_sent: u32,
    pub last_sent: u32,
    pub is_contract: bool,
}

/// All accounts in the order of creation.
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
            // The first creation of a contract has nonce 1 (EIP-161).
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
