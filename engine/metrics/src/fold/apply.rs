//! Applies blocks to the state.

use std::iter::Peekable;
use std::vec::IntoIter;

use alloy_primitives::Address;

use super::accounts::NEVER;
use super::rows::{Block, BlockRow, Rows, Trace, Transaction};
use super::{Account, Last, Period, State, overflow};
use crate::series::SeriesValues;
use quarry_types::Result;

/// Takes the rows of one block.
fn take_block<T: BlockRow>(rows: &mut Peekable<IntoIter<T>>, block: i64) -> Vec<T> {
    while rows.next_if(|row| row.block() < block).is_some() {}
    std::iter::from_fn(|| rows.next_if(|row| row.block() == block)).collect()
}

impl State {
    /// Applies the rows of the next blocks.
    pub(super) fn apply(&mut self, rows: Rows, tracks: &mut SeriesValues) -> Result<()> {
        let mut transactions = rows.transactions.into_iter().peekable();
        let mut traces = rows.traces.into_iter().peekable();
        let mut withdrawals = rows.withdrawals.into_iter().peekable();
        let mut transfers = rows.transfers.into_iter().peekable();
        let mut contracts = rows.contracts.into_iter().peekable();
        let mut events = rows.events.into_iter().peekable();
        for block in rows.blocks {
            let number = block.block;
            // The genesis block of mainnet has no time.
            if block.time > 0 {
                self.roll(block.time, tracks);
            }
            self.header(&block);
            let transactions = take_block(&mut transactions, number);
            let traces = take_block(&mut traces, number);
            for transaction in &transactions {
                self.transaction(&block, transaction)?;
            }
            self.ether(&block, &transactions, &traces)?;
            for withdrawal in take_block(&mut withdrawals, number) {
                self.pay(withdrawal.address, withdrawal.value)?;
            }
            for _contract in take_block(&mut contracts, number) {
                self.count(|period| period.contracts += 1);
            }
            for transfer in take_block(&mut transfers, number) {
                self.count(|period| match transfer.fungible {
                    true => period.fungible_moves += 1,
                    false => period.unique_moves += 1,
                });
                let last = std::mem::replace(self.tokens.entry(transfer.token, || NEVER), block.time);
                self.count_since(last, |period| period.active_tokens += 1);
            }
            let mut swapped = None;
            for event in take_block(&mut events, number) {
                if self.markets.event(&event, &self.contracts) && swapped != Some(event.transaction) {
                    swapped = Some(event.transaction);
                    self.count(|period| period.swaps += 1);
                }
            }
            self.standing.reserves = self.markets.reserves();
            self.last = Some(Last { number, hash: block.hash, time: block.time });
        }
        Ok(())
    }

    fn header(&mut self, block: &Block) {
        let parent = self.last.filter(|last| last.number + 1 == block.block && last.time > 0);
        self.count(|period| {
            if let Some(size) = block.size {
                period.sized_blocks += 1;
                period.size += i128::from(size);
            }
            if let Some(difficulty) = block.difficulty {
                period.rated_blocks += 1;
                period.difficulty += difficulty;
            }
            if let Some(parent) = parent {
                period.intervals += 1;
                period.interval_seconds += block.time - parent.time;
                period.work += block.difficulty.unwrap_or_default();
            }
        });
    }

    fn transaction(&mut self, block: &Block, transaction: &Transaction) -> Result<()> {
        let moved = !transaction.failed && transaction.value > 0;
        let mut fits = true;
        self.count(|period| {
            period.transactions += 1;
            if let Some(gas) = transaction.gas {
                fits &= period.gas.add(i128::from(gas)).is_some();
            }
            fits &= period.prices.add(transaction.price).is_some();
            if moved {
                period.transfers += 1;
                match period.volume.checked_add(transaction.value) {
                    Some(volume) => period.volume = volume,
                    None => fits = false,
                }
            }
        });
        if transaction.failed {
            return if fits { Ok(()) } else { Err(overflow()) };
        }
        for who in [Some(transaction.from), transaction.to].into_iter().flatten() {
            let account = self.accounts.entry(who, Account::default);
            let new = !std::mem::replace(&mut account.known, true);
            let last = std::mem::replace(&mut account.active, block.time);
            self.count_since(last, |period| period.active_addresses += 1);
            if new {
                self.count(|period| period.new_addresses += 1);
            }
        }
        if moved {
            let sender = self.accounts.entry(transaction.from, Account::default);
            let last = std::mem::replace(&mut sender.sent, block.time);
            self.count_since(last, |period| period.senders += 1);
            if let Some(to) = transaction.to {
                let receiver = self.accounts.entry(to, Account::default);
                let last = std::mem::replace(&mut receiver.received, block.time);
                self.count_since(last, |period| period.receivers += 1);
            }
        }
        if fits { Ok(()) } else { Err(overflow()) }
    }

    /// Updates balances by the traces of a block, or without traces by its transactions, and by fees and rewards.
    fn ether(&mut self, block: &Block, transactions: &[Transaction], traces: &[Trace]) -> Result<()> {
        let base_fee = i128::from(block.base_fee.unwrap_or_default());
        for transaction in transactions {
            let gas = i128::from(transaction.gas.unwrap_or_default());
            let fee = gas.checked_mul(transaction.price).ok_or_else(overflow)?;
            let burned = gas.checked_mul(base_fee).ok_or_else(overflow)?;
            self.pay(transaction.from, -fee.checked_add(transaction.blob_fee).ok_or_else(overflow)?)?;
            self.pay(block.miner, fee - burned)?;
        }
        for trace in traces.iter().filter(|trace| trace.reward) {
            if let Some(to) = trace.to {
                self.pay(to, trace.value)?;
            }
        }
        if traces.iter().any(|trace| !trace.reward) {
            for trace in traces.iter().filter(|trace| !trace.reward && trace.value > 0) {
                self.move_ether(trace.from, trace.to, trace.value)?;
            }
            return Ok(());
        }
        for transaction in transactions.iter().filter(|transaction| !transaction.failed && transaction.value > 0) {
            let to = transaction.to.or(transaction.created);
            self.move_ether(Some(transaction.from), to, transaction.value)?;
        }
        Ok(())
    }

    fn move_ether(&mut self, from: Option<Address>, to: Option<Address>, value: i128) -> Result<()> {
        if let Some(from) = from {
            self.pay(from, -value)?;
        }
        to.map_or(Ok(()), |to| self.pay(to, value))
    }

    /// Adds to a balance. The circulating supply is the sum of all balances except that of the deposit contract.
    fn pay(&mut self, who: Address, value: i128) -> Result<()> {
        if value == 0 {
            return Ok(());
        }
        let account = self.accounts.entry(who, Account::default);
        let before = account.balance;
        account.balance = before.checked_add(value).ok_or_else(overflow)?;
        self.standing.balance_changed(before, account.balance);
        if Some(who) != self.contracts.deposit_contract {
            self.standing.circulating = self.standing.circulating.checked_add(value).ok_or_else(overflow)?;
        }
        Ok(())
    }

    /// Updates every open period.
    fn count(&mut self, mut add: impl FnMut(&mut Period)) {
        self.open.iter_mut().for_each(|open| add(&mut open.period));
    }

    /// Updates the open periods that started after `last`.
    fn count_since(&mut self, last: i64, mut add: impl FnMut(&mut Period)) {
        for open in &mut self.open {
            if open.start.is_some_and(|start| last < start) {
                add(&mut open.period);
            }
        }
    }
}
