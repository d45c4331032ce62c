//! ETH payments, ERC-20 tokens and wrapped ether.

use alloy::sol_types::{SolCall, SolEvent, SolValue};
use alloy_primitives::{Address, U256};

use super::abi::{Disperse, Erc20, Weth};
use crate::sample::world::{Ask, Id, TokenId, World};

impl World {
    /// A plain payment.
    pub fn pay(&mut self, from: Id, to: Id, wei: u128) -> bool {
        self.send(Ask::call(from, to, Vec::new(), 21_000).paying(wei))
    }

    /// A transaction without effects besides its value, or a failed one.
    pub fn send(&mut self, ask: Ask) -> bool {
        let done = self.begin(ask);
        if done {
            self.finish(Vec::new());
        }
        done
    }

    /// Moves tokens in the current transaction. The caller has checked the balance.
    pub fn move_token(&mut self, token: TokenId, from: Id, to: Id, amount: u128) {
        let enough = self.ledger.debit(token, from, amount);
        self.must(enough, "more tokens moved than held");
        if !enough {
            return;
        }
        let fresh = self.ledger.credit(token, to, amount);
        self.burn(if fresh { 27_000 } else { 10_000 });
        let contract = self.ledger.tokens[token as usize].contract;
        let (from, to) = (self.address(from), self.address(to));
        self.log(contract, Erc20::Transfer { from, to, value: U256::from(amount) }.encode_log_data());
    }

    /// Mints liquidity tokens in the current transaction.
    pub fn mint_token(&mut self, token: TokenId, to: Id, amount: u128) {
        self.ledger.tokens[token as usize].supply += amount;
        self.ledger.credit(token, to, amount);
        self.burn(30_000);
        let contract = self.ledger.tokens[token as usize].contract;
        let (from, to) = (Address::ZERO, self.address(to));
        self.log(contract, Erc20::Transfer { from, to, value: U256::from(amount) }.encode_log_data());
    }

    /// Burns tokens in the current transaction.
    pub fn burn_token(&mut self, token: TokenId, from: Id, amount: u128) {
        let enough = self.ledger.debit(token, from, amount);
        self.must(enough, "more tokens burned than held");
        self.ledger.tokens[token as usize].supply -= amount;
        self.burn(10_000);
        let contract = self.ledger.tokens[token as usize].contract;
        let (from, to) = (self.address(from), Address::ZERO);
        self.log(contract, Erc20::Transfer { from, to, value: U256::from(amount) }.encode_log_data());
    }

    /// `transferFrom` of a token, called by contract `by`.
    pub fn pull(&mut self, by: Id, token: TokenId, from: Id, to: Id, amount: u128) {
        let contract = self.ledger.tokens[token as usize].contract;
        let call =
            Erc20::transferFromCall { from: self.address(from), to: self.address(to), amount: U256::from(amount) };
        self.enter(by, contract, 0, call.abi_encode());
        self.move_token(token, from, to, amount);
        self.leave(true.abi_encode());
    }

    /// `transfer` of a token, called by contract `by`.
    pub fn push_token(&mut self, by: Id, token: TokenId, to: Id, amount: u128) {
        let contract = self.ledger.tokens[token as usize].contract;
        let call = Erc20::transferCall { to: self.address(to), amount: U256::from(amount) };
        self.enter(by, contract, 0, call.abi_encode());
        self.move_token(token, by, to, amount);
        self.leave(true.abi_encode());
    }

    /// Contract `by` wraps ETH.
    pub fn wrap_inside(&mut self, by: Id, amount: u128) {
        let (weth, token) = (self.sites.weth, self.sites.weth_token);
        self.enter(by, weth, amount, Weth::depositCall {}.abi_encode());
        self.wrapped(token, by, amount);
        self.leave(Vec::new());
    }

    fn wrapped(&mut self, token: TokenId, owner: Id, amount: u128) {
        self.ledger.tokens[token as usize].supply += amount;
        let fresh = self.ledger.credit(token, owner, amount);
        self.burn(if fresh { 22_000 } else { 5_000 });
        let (contract, dst) = (self.sites.weth, self.address(owner));
        self.log(contract, Weth::Deposit { dst, wad: U256::from(amount) }.encode_log_data());
    }

    /// Contract `by` unwraps WETH.
    pub fn unwrap_inside(&mut self, by: Id, amount: u128) {
        let weth = self.sites.weth;
        self.enter(by, weth, 0, Weth::withdrawCall { wad: U256::from(amount) }.abi_encode());
        self.unwrapped(by, amount);
        self.leave(Vec::new());
    }

    fn unwrapped(&mut self, owner: Id, amount: u128) {
        let (weth, token) = (self.sites.weth, self.sites.weth_token);
        let enough = self.ledger.debit(token, owner, amount);
        self.must(enough, "more WETH unwrapped than held");
        self.ledger.tokens[token as usize].supply -= amount;
        self.burn(5_000);
        let src = self.address(owner);
        self.log(weth, Weth::Withdrawal { src, wad: U256::from(amount) }.encode_log_data());
        self.enter(weth, owner, amount, Vec::new());
        self.leave(Vec::new());
    }

    pub fn transfer_token(&mut self, from: Id, token: TokenId, to: Id, amount: u128) -> bool {
        if self.ledger.balance(token, from) < amount {
            return false;
        }
        let contract = self.ledger.tokens[token as usize].contract;
        let input = Erc20::transferCall { to: self.address(to), amount: U256::from(amount) }.abi_encode();
        if !self.begin(Ask::call(from, contract, input, 90_000)) {
            return false;
        }
        self.move_token(token, from, to, amount);
        self.finish(true.abi_encode());
        true
    }

    pub fn approve(&mut self, owner: Id, token: TokenId, spender: Id, amount: U256) -> bool {
        let contract = self.ledger.tokens[token as usize].contract;
        let (from, spender) = (self.address(owner), self.address(spender));
        if !self.begin(Ask::call(owner, contract, Erc20::approveCall { spender, amount }.abi_encode(), 80_000)) {
            return false;
        }
        self.burn(22_000);
        self.log(contract, Erc20::Approval { owner: from, spender, value: amount }.encode_log_data());
        self.finish(true.abi_encode());
        true
    }

    /// A spender moves tokens of an owner that approved it.
    pub fn transfer_from(&mut self, spender: Id, token: TokenId, from: Id, to: Id, amount: u128) -> bool {
        if self.ledger.balance(token, from) < amount {
            return false;
        }
        let contract = self.ledger.tokens[token as usize].contract;
        let call =
            Erc20::transferFromCall { from: self.address(from), to: self.address(to), amount: U256::from(amount) };
        if !self.begin(Ask::call(spender, contract, call.abi_encode(), 100_000)) {
            return false;
        }
        self.move_token(token, from, to, amount);
        self.finish(true.abi_encode());
        true
    }

    pub fn wrap(&mut self, owner: Id, amount: u128) -> bool {
        let (weth, token) = (self.sites.weth, self.sites.weth_token);
        if !self.begin(Ask::call(owner, weth, Weth::depositCall {}.abi_encode(), 60_000).paying(amount)) {
            return false;
        }
        self.wrapped(token, owner, amount);
        self.finish(Vec::new());
        true
    }

    pub fn unwrap(&mut self, owner: Id, amount: u128) -> bool {
        let (weth, token) = (self.sites.weth, self.sites.weth_token);
        if self.ledger.balance(token, owner) < amount {
            return false;
        }
        let input = Weth::withdrawCall { wad: U256::from(amount) }.abi_encode();
        if !self.begin(Ask::call(owner, weth, input, 80_000)) {
            return false;
        }
        self.unwrapped(owner, amount);
        self.finish(Vec::new());
        true
    }

    /// Pays the same amount to several accounts in one transaction.
    pub fn disperse_ether(&mut self, from: Id, to: &[Id], each: u128) -> bool {
        let site = self.sites.disperse;
        let recipients = to.iter().map(|id| self.address(*id)).collect();
        let values = vec![U256::from(each); to.len()];
        let input = Disperse::disperseEtherCall { recipients, values }.abi_encode();
        let cap = 60_000 + 40_000 * to.len() as u64;
        if !self.begin(Ask::call(from, site, input, cap).paying(each * to.len() as u128)) {
            return false;
        }
        for id in to {
            self.enter(site, *id, each, Vec::new());
            self.leave(Vec::new());
        }
        self.finish(Vec::new());
        true
    }

    /// Sends the same amount of a token to several accounts in one transaction.
    pub fn disperse_token(&mut self, from: Id, token: TokenId, to: &[Id], each: u128) -> bool {
        if self.ledger.balance(token, from) < each * to.len() as u128 {
            return false;
        }
        let site = self.sites.disperse;
        let recipients = to.iter().map(|id| self.address(*id)).collect();
        let values = vec![U256::from(each); to.len()];
        let input = Disperse::disperseTokenCall { token: self.token_address(token), recipients, values }.abi_encode();
        let cap = 80_000 + 45_000 * to.len() as u64;
        if !self.begin(Ask::call(from, site, input, cap)) {
            return false;
        }
        for id in to {
            self.pull(site, token, from, *id, each);
        }
        self.finish(Vec::new());
        true
    }
}
