//! Applications of eight types, with one function and one event each.

use alloy::sol_types::{SolCall, SolEvent};
use alloy_primitives::{LogData, U256};
use serde::Serialize;

use super::abi::Dapp;
use crate::sample::world::{Ask, ETH, Id, World};

/// The eight types of application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DappKind {
    Games,
    Finance,
    Betting,
    Market,
    Social,
    Others,
    Utilities,
    HighRisk,
}

impl DappKind {
    pub const ALL: [DappKind; 8] = [
        DappKind::Games,
        DappKind::Finance,
        DappKind::Betting,
        DappKind::Market,
        DappKind::Social,
        DappKind::Others,
        DappKind::Utilities,
        DappKind::HighRisk,
    ];
}

/// A call of an application.
#[derive(Debug, Clone, Copy)]
pub struct Visit {
    pub who: Id,
    pub contract: Id,
    pub kind: DappKind,
    pub fails: bool,
}

impl World {
    pub fn visit(&mut self, visit: Visit) -> bool {
        let Visit { who, contract, kind, fails } = visit;
        let (user, number, word) = (self.address(who), U256::from(self.random.below(10_000)), self.any_hash());
        let (input, value, event): (Vec<u8>, u128, LogData) = match kind {
            DappKind::Games => (
                Dapp::playCall { round: number }.abi_encode(),
                0,
                Dapp::Played { player: user, round: number }.encode_log_data(),
            ),
            DappKind::Betting => {
                let (wei, outcome) = (self.random.amount(ETH / 10_000, ETH / 100), word[0] % 2);
                let event = Dapp::BetPlaced { player: user, market: number, outcome, amount: U256::from(wei) };
                (Dapp::placeBetCall { market: number, outcome }.abi_encode(), wei, event.encode_log_data())
            }
            DappKind::Finance => {
                let wei = self.random.amount(ETH / 1_000, ETH / 10);
                let amount = U256::from(wei);
                (Dapp::supplyCall { amount }.abi_encode(), wei, Dapp::Supplied { user, amount }.encode_log_data())
            }
            DappKind::Market => {
                let price = U256::from(self.random.amount(ETH / 100, 10 * ETH));
                let event = Dapp::Listed { seller: user, item: number, price };
                (Dapp::listCall { item: number, price }.abi_encode(), 0, event.encode_log_data())
            }
            DappKind::Social => (
                Dapp::postCall { content: word }.abi_encode(),
                0,
                Dapp::Posted { author: user, content: word }.encode_log_data(),
            ),
            DappKind::Others => (
                Dapp::registerCall { name: word }.abi_encode(),
                0,
                Dapp::Registered { owner: user, name: word }.encode_log_data(),
            ),
            DappKind::Utilities => (
                Dapp::verifyCall { document: word }.abi_encode(),
                0,
                Dapp::Verified { user, document: word }.encode_log_data(),
            ),
            DappKind::HighRisk => {
                let wei = self.random.amount(ETH / 1_000, ETH / 20);
                let event = Dapp::Invested { user, referrer: user, amount: U256::from(wei) };
                (Dapp::investCall { referrer: user }.abi_encode(), wei, event.encode_log_data())
            }
        };
        let mut ask = Ask::call(who, contract, input, 120_000).paying(value);
        ask.error = fails.then_some("Reverted");
        if !self.begin(ask) {
            return false;
        }
        if fails {
            self.burn(4_000);
        } else {
            self.burn(24_000);
            self.log(contract, event);
        }
        self.finish(Vec::new());
        true
    }
}
