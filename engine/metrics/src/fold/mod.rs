//! The pass over the chain, block by block. It keeps the state that metrics need: every address with its balance and last activity,
//! pools and their reserves, and the open period of each resolution. A period that ends becomes one value for each metric. No block
//! is read twice.

mod accounts;
mod apply;
mod markets;
mod rows;

use std::sync::Arc;

use alloy_primitives::{Address, B256};
use serde::{Deserialize, Serialize};

pub(super) use accounts::{Account, Overlay};
pub(super) use rows::Source;

use super::period::{ChainState, Period};
use super::resolution::Resolution;
use super::series::SeriesValues;
use markets::Markets;
use quarry_lake::{BlockRange, KnownContracts};
use quarry_types::{Error, ErrorCode, Result};

/// Periods without blocks that are filled in; a longer gap is a jump of the clock.
const MAX_EMPTY_PERIODS: usize = 10_000;
/// Transactions of the blocks of a step.
const STEP_TRANSACTIONS: u64 = 50_000;
const MAX_STEP_BLOCKS: i64 = 5_000;

/// The newest applied block.
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
    /// Seconds since 1970; `None` before the first block.
    pub start: Option<i64>,
    pub period: Period,
}

/// The state after the blocks so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct State {
    /// First block.
    pub from: i64,
    pub last: Option<Last>,
    pub standing: ChainState,
    pub open: [Open; Resolution::ALL.len()],
    /// The contracts from which prices are computed.
    pub contracts: Arc<KnownContracts>,
    pub markets: Markets,
    /// Saved in a separate file.
    #[serde(skip)]
    pub accounts: Overlay<Address, Account>,
    /// Time of the last transfer of each token.
    #[serde(skip)]
    pub tokens: Overlay<Address, i64>,
}

impl State {
    pub fn new(from: i64, contracts: Arc<KnownContracts>) -> State {
        State {
            from,
            last: None,
            standing: ChainState::default(),
            open: Default::default(),
            contracts,
            markets: Markets::default(),
            accounts: Overlay::default(),
            tokens: Overlay::default(),
        }
    }

    /// The next block.
    pub fn next(&self) -> i64 {
        self.last.map_or(self.from, |last| last.number + 1)
    }

    /// Applies the blocks up to `to`. Values of periods that end are appended to `tracks`.
    pub async fn advance(&mut self, source: &Source<'_>, to: i64, tracks: &mut SeriesValues) -> Result<()> {
        use quarry_lake::tables::Table;
        let blocks = source.snapshot.rows(Table::Blocks).max(1);
        let in_a_block = (source.snapshot.rows(Table::Transactions) / blocks).max(1);
        let step = i64::try_from(STEP_TRANSACTIONS / in_a_block).unwrap_or(MAX_STEP_BLOCKS).clamp(1, MAX_STEP_BLOCKS);
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

    /// Moves the changes to the values that clones share.
    pub fn settle(&mut self) {
        self.accounts.settle();
        self.tokens.settle();
    }

    /// Ends the periods before a time and starts those that contain it.
    fn roll(&mut self, time: i64, tracks: &mut SeriesValues) {
        for resolution in Resolution::ALL {
            let start = resolution.start(time);
            let open = &mut self.open[resolution as usize];
            match open.start {
                Some(held) if held >= start => continue,
                Some(held) => {
                    tracks.push(resolution, held, &open.period, &self.standing);
                    let empty = Period { circulating_before: self.standing.circulating, ..Period::default() };
                    let silent = std::iter::successors(Some(resolution.next(held)), |at| Some(resolution.next(*at)));
                    let silent: Vec<i64> = silent.take_while(|at| *at < start).take(MAX_EMPTY_PERIODS + 1).collect();
                    if silent.len() <= MAX_EMPTY_PERIODS {
                        silent.iter().for_each(|at| tracks.push(resolution, *at, &empty, &self.standing));
                    }
                }
                None => {}
            }
            open.start = Some(start);
            open.period = Period { circulating_before: self.standing.circulating, ..Period::default() };
        }
    }

    /// Appends the values of the open periods.
    pub fn close(&self, tracks: &mut SeriesValues) {
        for resolution in Resolution::ALL {
            let open = &self.open[resolution as usize];
            if let Some(start) = open.start {
                tracks.push(resolution, start, &open.period, &self.standing);
            }
        }
    }
}

/// The error of a chain with too many addresses.
fn too_large(limit: usize) -> Error {
    let message = format!(
        "The metrics of this chain need more memory than the limit of {} MB (the setting metrics_memory_limit).",
        limit >> 20
    );
    Error::new(ErrorCode::MemoryLimit, message)
}

/// The error of an overflow.
fn overflow() -> Error {
    Error::new(ErrorCode::Arithmetic, "A sum over the chain has more than 38 digits, so its metrics can't be computed.")
}
