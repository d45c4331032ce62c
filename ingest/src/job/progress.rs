//! Progress of a run.

use std::time::Duration;

use tokio::time::Instant;

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IngestProgress {
    /// Blocks to fetch: the requested range without blocks that the lake already has, unless they are overwritten.
    pub blocks_total: u64,
    /// Blocks fetched.
    pub blocks_done: u64,
    /// Published blocks.
    pub blocks_published: u64,
    /// Rows of all tables passed to the writer.
    pub rows: u64,
    pub elapsed: Duration,
    pub blocks_per_second: f64,
    /// Estimated time left; `None` before the first block.
    pub remaining: Option<Duration>,
}

/// Counters of a run.
pub(super) struct Meter {
    pub(super) started: Instant,
    pub(super) total: u64,
    pub(super) done: u64,
    pub(super) published: u64,
    pub(super) rows: u64,
}

impl Meter {
    pub(super) fn new(total: u64) -> Meter {
        Meter { started: Instant::now(), total, done: 0, published: 0, rows: 0 }
    }

    pub(super) fn read(&self) -> IngestProgress {
        let elapsed = self.started.elapsed();
        let blocks_per_second = self.done as f64 / elapsed.as_secs_f64().max(0.001);
        let left = self.total.saturating_sub(self.done) as f64;
        let remaining = (self.done > 0).then(|| Duration::try_from_secs_f64(left / blocks_per_second).ok()).flatten();
        IngestProgress {
            blocks_total: self.total,
            blocks_done: self.done,
            blocks_published: self.published,
            rows: self.rows,
            elapsed,
            blocks_per_second,
            remaining,
        }
    }
}
