//! Goes through the chain once, block by block, and keeps what metrics need of its past: every address with its balance
//! and last activity, pools and their reserves, and the open period of each resolution. A period that ends becomes one
//! value per metric; nothing is ever read again.

mod apply;
mod ledger;
mod markets;
mod rows;

use std::sync::Arc;

use alloy_primitives::{Address, B256};
use serde::{Deserialize, Serialize};

pub(super) use ledger::{Account, Overlay};
pub(super) use rows::Source;

use super::period::{Period, Standing};
use super::resolution::Resolution;
use super::series::Tracks;
use markets::Markets;
use quarry_lake::{BlockRange, KnownContracts};
use quarry_types::{Error, ErrorCode, Result};

/// Periods without a block that are filled in; a longer silence is no silence but a clock that jumped.
const MOST_EMPTY: usize = 10_000;
/// Transactions of the blocks that are read at once.
const STEP_TRANSACTIONS: u64 = 50_000;
const MOST_BLOCKS: i64 = 5_000;

/// The newest block that was taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Last {
    pub number: i64,
    pub hash: B256,
    /// Seconds since 1970.
    pub time: i64,
}

/// The open period of one resolution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Open {
    /// Seconds since 1970; nothing before the first block.
    pub start: Option<i64>,
    pub period: Period,
}

/// All that is kept of the blocks so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct State {
    /// First block.
    pub from: i64,
    pub last: Option<Last>,
    pub standing: Standing,
    pub open: [Open; Resolution::ALL.len()],
    /// What prices start from.
    pub contracts: Arc<KnownContracts>,
    pub markets: Markets,
    /// Kept in a file of their own.
    #[serde(skip)]
    pub accounts: Overlay<Address, Account>,
    /// Last time each token moved.
    #[serde(skip)]
    pub tokens: Overlay<Address, i64>,
}

impl State {
    pub fn new(from: i64, contracts: Arc<KnownContracts>) -> State {
        State {
            from,
            last: None,
            standing: Standing::default(),
            open: Default::default(),
            contracts,
            markets: Markets::default(),
            accounts: Overlay::default(),
            tokens: Overlay::default(),
        }
    }

    /// The block that comes next.
    pub fn next(&self) -> i64 {
        self.last.map_or(self.from, |last| last.number + 1)
    }

    /// Takes in the blocks up to `to`; values of periods that end go to `tracks`.
    pub async fn advance(&mut self, source: &Source<'_>, to: i64, tracks: &mut Tracks) -> Result<()> {
        use quarry_lake::tables::Table;
        let blocks = source.snapshot.rows(Table::Blocks).max(1);
        let in_a_block = (source.snapshot.rows(Table::Transactions) / blocks).max(1);
        let step = i64::try_from(STEP_TRANSACTIONS / in_a_block).unwrap_or(MOST_BLOCKS).clamp(1, MOST_BLOCKS);
        let mut from = self.next();
        while from <= to {
            let range = BlockRange { from, to: to.min(from + step - 1) };
            let rows = source.rows(range).await?;
            self.apply(rows, tracks)?;
            if self.accounts.size() + self.tokens.size() > source.memory_limit {
                return Err(too_large(source.memory_limit));
            }
            from = range.to + 1;
        }
        Ok(())
    }

    /// Makes what was taken in part of what clones share.
    pub fn settle(&mut self) {
        self.accounts.settle();
        self.tokens.settle();
    }

    /// Ends the periods that are over at a time and begins the ones that hold it.
    fn roll(&mut self, time: i64, tracks: &mut Tracks) {
        for resolution in Resolution::ALL {
            let start = resolution.start(time);
            let open = &mut self.open[resolution as usize];
            match open.start {
                Some(held) if held >= start => continue,
                Some(held) => {
                    tracks.push(resolution, held, &open.period, &self.standing);
                    let empty = Period { circulating_before: self.standing.circulating, ..Period::default() };
                    let silent = std::iter::successors(Some(resolution.next(held)), |at| Some(resolution.next(*at)));
                    let silent: Vec<i64> = silent.take_while(|at| *at < start).take(MOST_EMPTY + 1).collect();
                    if silent.len() <= MOST_EMPTY {
                        silent.iter().for_each(|at| tracks.push(resolution, *at, &empty, &self.standing));
                    }
                }
                None => {}
            }
            open.start = Some(start);
            open.period = Period { circulating_before: self.standing.circulating, ..Period::default() };
        }
    }

    /// The values of the periods that are still open.
    pub fn close(&self, tracks: &mut Tracks) {
        for resolution in Resolution::ALL {
            let open = &self.open[resolution as usize];
            if let Some(start) = open.start {
                tracks.push(resolution, start, &open.period, &self.standing);
            }
        }
    }
}

/// So many addresses that the process would be at risk.
fn too_large(limit: usize) -> Error {
    let message = format!(
        "The metrics of this chain need more memory than the {} MB they may have (the setting metrics_memory_limit).",
        limit >> 20
    );
    Error::new(ErrorCode::MemoryLimit, message)
}

/// A sum that left its range.
fn overflow() -> Error {
    Error::new(ErrorCode::Arithmetic, "A sum over the chain does not fit 38 digits, so its metrics can't be told.")
}
