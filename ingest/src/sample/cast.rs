//! Who plays which part: kept so that traffic and plants use the same people, and the truth can name them.

use super::contracts::DappKind;
use super::world::{Id, TokenId};

/// Accounts of addresses that belong to nobody: zero, dead, the identity precompile, the deposit contract of the beacon
/// chain.
pub const FIXED: [Id; 4] = [0, 1, 2, 3];
/// Where tokens and ETH go to be burned.
pub const DEAD: Id = 1;

/// An exchange: customers pay to their deposit addresses, which pay everything to the hot wallet.
pub struct Exchange {
    pub name: &'static str,
    pub hot: Id,
    /// Deposit addresses with the customers that use them, once money went through.
    pub deposits: Vec<(Id, Vec<Id>)>,
}

pub struct Dapp {
    pub name: &'static str,
    pub kind: DappKind,
    pub contracts: Vec<Id>,
}

/// Everyone and everything with a part.
pub struct Cast {
    pub exchanges: Vec<Exchange>,
    pub whales: Vec<Id>,
    pub makers: Vec<Id>,
    pub treasury: Id,
    pub sequencers: Vec<Id>,
    pub inboxes: Vec<Id>,
    pub coins: Vec<TokenId>,
    /// Pools of the first venue with WETH, without the one that the vampire drains.
    pub pools: Vec<usize>,
    pub rival_pools: Vec<usize>,
    /// Victim and attacker.
    pub vampire_pools: [usize; 2],
    pub governor: Id,
    pub farm: Id,
    pub distributors: Vec<Id>,
    pub dapps: Vec<Dapp>,
    pub planted_providers: Vec<Id>,
    /// Proposers of at least one block in a hundred.
    pub pool_operators: Vec<Id>,
}

impl Cast {
    pub fn new(exchanges: Vec<Exchange>, whales: Vec<Id>, makers: Vec<Id>, treasury: Id, sequencers: Vec<Id>) -> Cast {
        Cast {
            exchanges,
            whales,
            makers,
            treasury,
            sequencers,
            inboxes: Vec::new(),
            coins: Vec::new(),
            pools: Vec::new(),
            rival_pools: Vec::new(),
            vampire_pools: [0, 0],
            governor: 0,
            farm: 0,
            distributors: Vec::new(),
            dapps: Vec::new(),
            planted_providers: Vec::new(),
            pool_operators: Vec::new(),
        }
    }

    /// The applications of a type.
    pub fn dapps_of(&self, kind: DappKind) -> Vec<&Dapp> {
        self.dapps.iter().filter(|dapp| dapp.kind == kind).collect()
    }
}
