//! A chain that grows and is reorganised, with the server after it.

use std::time::Duration;

use serde_json::json;

use super::{Gone, User, Work};
use crate::dice::Dice;
use crate::node::Node;
use crate::wait::wait_for;

const LIMIT: Duration = Duration::from_secs(60);

pub struct Following<'a> {
    pub node: &'a Node,
}

impl Work for Following<'_> {
    /// Moves the chain on and waits until the server has its newest block.
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone> {
        for _ in 0..=dice.below(3) {
            match dice.below(4) {
                0 => drop(self.node.call("anvil_reorg", json!([1 + dice.below(6), []]))),
                _ => self.node.mine(1 + dice.below(3) as u32),
            }
        }
        self.caught_up(user).map(|()| true)
    }

    fn check(&mut self, user: &User<'_>, _all: bool) {
        self.caught_up(user).unwrap_or_else(|Gone| panic!("the server is gone"));
    }
}

impl Following<'_> {
    fn caught_up(&self, user: &User<'_>) -> Result<(), Gone> {
        let newest = self.node.call("eth_getBlockByNumber", json!(["latest", false]))["hash"].clone();
        wait_for("the node's newest block in the server's lake", LIMIT, || {
            match user.call("GET", "/api/chain/status", None) {
                Ok(status) => (status["head"]["hash"] == newest).then_some(Ok(())),
                Err(Gone) => Some(Err(Gone)),
            }
        })
    }
}
