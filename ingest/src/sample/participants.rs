//! The named participants of the simulation, shared by traffic, patterns and the ground truth.

use super::contracts::DappKind;
use super::world::{Id, TokenId};

/// Addresses without an owner: zero, dead, the identity precompile, the deposit contract of the beacon chain.
pub const FIXED: [Id; 4] = [0, 1, 2, 3];
/// Recipients of burned tokens and ETH.
pub const DEAD: Id = 1;

/// An exchange: customers pay to deposit addresses, which forward everything to the hot wallet.
pub struct Exchange {
    pub name: &'static str,
    pub hot: Id,
    /// Used deposit addresses with their customers.
    pub deposits: Vec<(Id, Vec<Id>)>,
}

pub struct Dapp {
    pub name: &'static str,
    pub kind: DappKind,
    pub contracts: Vec<Id>,
}

/// All participants.
pub struct Participants {
    pub exchanges: Vec<Exchange>,
    pub whales: Vec<Id>,
    pub makers: Vec<Id>,
    pub treasury: Id,
    pub sequencers: Vec<Id>,
    pub inboxes: Vec<Id>,
    pub coins: Vec<TokenId>,
    /// The first exchange's pools with WETH, without the pool of the vampire attack.
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

impl Participants {
    pub fn new(
        exchanges: Vec<Exchange>,
        whales: Vec<Id>,
        makers: Vec<Id>,
        treasury: Id,
        sequencers: Vec<Id>,
    ) -> Participants {
        Participants {
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
