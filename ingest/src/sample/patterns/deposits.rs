//! Deposit addresses with several customers: rules A1, A2 and B9.

use serde_json::json;

use super::Stage;
use crate::sample::clock::DAY;
use crate::sample::world::{ETH, Id};

/// The rest for the fee of a deposit address, below 0.01 ETH.
const KEPT: u128 = ETH / 300;

impl Stage<'_> {
    /// Entities of two or three accounts with a common deposit address, some with an address at a second exchange.
    pub(super) fn exchange_clusters(&mut self) {
        let mut entities = Vec::new();
        for number in 0..24 {
            let exchange = number % self.participants.exchanges.len();
            let time = self.on(3 + number as u64 % 20);
            let users = self.funded(2 + number % 2, time, 5 * ETH);
            let mut deposits = vec![self.deposit(exchange, &users, time + DAY)];
            if number.is_multiple_of(4) {
                let second = (exchange + 1) % self.participants.exchanges.len();
                deposits.push(self.deposit(second, &users[..1], time + 3 * DAY));
            }
            entities.push(json!({ "users": self.addresses(&users), "deposit_addresses": self.addresses(&deposits) }));
        }
        self.note("deposit_clusters", json!(entities));
    }

    /// Each account pays twice; the deposit address forwards the payment within a day.
    fn deposit(&mut self, exchange: usize, users: &[Id], from: u64) -> Id {
        let (address, hot) = (self.world.person(), self.participants.exchanges[exchange].hot);
        self.participants.exchanges[exchange].deposits.push((address, users.to_vec()));
        for user in users.iter().copied() {
            for round in 0..2 {
                let wei = self.random.amount(ETH / 10, ETH);
                let time = from + round * 5 * DAY + self.random.below(DAY);
                self.plan.at(time, 42_000, move |world| {
                    let paid = world.pay(user, address, wei) && world.pay(address, hot, wei - KEPT);
                    world.must(paid, "a shared deposit address");
                });
            }
        }
        address
    }
}
