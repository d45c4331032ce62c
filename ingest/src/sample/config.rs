//! The length and the seed of a sample chain.

use quarry_types::{Error, ErrorCode, Result};

/// Minimum transactions and days for all patterns.
pub const FEWEST_TRANSACTIONS: u64 = 50_000;
pub const FEWEST_DAYS: u32 = 62;
/// Maximum transactions: two blocks in five slots, each at most a hundred times the usual size.
const MOST_TRANSACTIONS: u64 = 1_000_000_000;
const MOST_DAYS: u32 = 3_650;
const USUAL_DAYS: u32 = 90;

/// What to simulate.
#[derive(Debug, Clone, Copy)]
pub struct SampleConfig {
    pub transactions: u64,
    pub seed: u64,
    /// 90 when not given.
    pub days: Option<u32>,
}

impl SampleConfig {
    pub(super) fn days(&self) -> u32 {
        self.days.unwrap_or(USUAL_DAYS)
    }

    pub(super) fn check(&self) -> Result<()> {
        if !(FEWEST_TRANSACTIONS..=MOST_TRANSACTIONS).contains(&self.transactions) {
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!(
                    "The sample chain needs {FEWEST_TRANSACTIONS} to {MOST_TRANSACTIONS} transactions to hold \
                     everything that is planted in it, not {}.",
                    self.transactions
                ),
            ));
        }
        if !(FEWEST_DAYS..=MOST_DAYS).contains(&self.days()) {
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!("The sample chain needs {FEWEST_DAYS} to {MOST_DAYS} days, not {}.", self.days()),
            ));
        }
        Ok(())
    }
}
