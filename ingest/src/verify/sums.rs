//! Checks daily rollups against the transactions.

use std::collections::VecDeque;
use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::Int64Type;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Rollups, Snapshot};
use quarry_types::Result;

use super::compare;
use super::stored::Stored;
use crate::proofs::{Check, Mismatch};

/// The rollups of published ranges, which are recomputed while their transactions are read.
pub(super) struct Sums {
    /// Ranges that are checked whole, in ascending order. The first is current.
    ranges: VecDeque<BlockRange>,
    made: Made,
    stored: Stored,
}

/// The partial result of a range.
#[derive(Default)]
struct Made {
    rollups: Rollups,
    rows: Vec<(Table, RecordBatch)>,
    /// Whether a transaction of the range is wrong, which makes the comparison pointless.
    is_spoiled: bool,
}

impl Sums {
    /// Loads the ranges within this range. Ranges of older versions have no rollups, or not all.
    pub(super) fn new(folder: &Path, snapshot: &Snapshot, within: BlockRange) -> Sums {
        let whole = |range: &&BlockRange| within.from <= range.from && range.to <= within.to;
        let ranges = snapshot.ranges.iter().filter(whole).filter(|range| !snapshot.outdated.contains(range));
        let stored = Stored::of(&Table::DERIVED, folder, snapshot, within);
        Sums { ranges: ranges.copied().collect(), made: Made::default(), stored }
    }

    /// Adds all transactions up to and including block `to`, and whether they are correct. Returns the differences of
    /// ranges that end there.
    ///
    /// # Errors
    /// An unreadable file.
    pub(super) fn take(&mut self, transactions: Option<&RecordBatch>, to: i64, right: bool) -> Result<Vec<Mismatch>> {
        let mut found = Vec::new();
        while let Some(&range) = self.ranges.front().filter(|range| range.from <= to) {
            if let Some(batch) = transactions {
                self.made.add(batch, range);
            }
            self.made.is_spoiled |= !right;
            if range.to > to {
                break;
            }
            self.ranges.pop_front();
            let made = std::mem::take(&mut self.made);
            // Ranges that are not checked.
            self.stored.take(range.from - 1)?;
            let stored = self.stored.take(range.to)?;
            found.extend(made.differences(range, &stored)?);
        }
        Ok(found)
    }
}

impl Made {
    /// Adds the transactions of the current range.
    fn add(&mut self, batch: &RecordBatch, range: BlockRange) {
        let blocks = batch["block_number"].as_primitive::<Int64Type>().values();
        let start = blocks.partition_point(|block| *block < range.from);
        let end = blocks.partition_point(|block| *block <= range.to);
        match self.rollups.add(&batch.slice(start, end - start)) {
            Ok(rows) => self.rows.extend(rows),
            // Invalid transactions may overflow.
            Err(_) => self.is_spoiled = true,
        }
    }

    fn differences(mut self, range: BlockRange, stored: &[(Table, RecordBatch)]) -> Result<Vec<Mismatch>> {
        if self.is_spoiled {
            return Ok(Vec::new());
        }
        self.rows.extend(self.rollups.finish()?);
        let mut expected = Vec::new();
        for table in Table::DERIVED {
            let parts = self.rows.iter().filter(|(of, _)| *of == table).map(|(_, batch)| batch);
            expected.push((table, concat_batches(&table.schema(), parts)?));
        }
        let found = compare::differences(&Table::DERIVED, stored, &expected);
        // An invalid row may have any block number.
        let within = |block: u64| block.clamp(range.from.unsigned_abs(), range.to.unsigned_abs());
        Ok(found.into_iter().map(|one| Mismatch { block: within(one.block), check: Check::Rows, ..one }).collect())
    }
}
