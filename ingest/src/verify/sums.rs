//! Sums by day beside the transactions that they sum up.

use std::collections::VecDeque;
use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::Int64Type;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Rollups, Snapshot};
use quarry_types::{Error, Result};

use super::compare;
use super::stored::Stored;
use crate::proofs::{Check, Mismatch};

/// The sums of published ranges, each of which has its own; they are made again while its transactions come by.
pub(super) struct Sums {
    /// Those that are checked whole, in rising order. The first is under way.
    ranges: VecDeque<BlockRange>,
    made: Made,
    stored: Stored,
}

/// What was made of a range so far.
#[derive(Default)]
struct Made {
    rollups: Rollups,
    rows: Vec<(Table, RecordBatch)>,
    /// Whether its transactions are known to be wrong, so that what follows from them says nothing.
    is_spoiled: bool,
}

impl Sums {
    /// Of the ranges within this one. Those of older versions have none, or not all of them.
    pub(super) fn new(folder: &Path, snapshot: &Snapshot, within: BlockRange) -> Sums {
        let whole = |range: &&BlockRange| within.from <= range.from && range.to <= within.to;
        let ranges = snapshot.ranges.iter().filter(whole).filter(|range| !snapshot.dated.contains(range));
        let stored = Stored::of(&Table::DERIVED, folder, snapshot, within);
        Sums { ranges: ranges.copied().collect(), made: Made::default(), stored }
    }

    /// Takes all transactions of the next blocks, up to and with `to`, and whether they are right. Answers what differs in ranges
    /// that end there.
    ///
    /// # Errors
    /// A file that can't be read.
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
            // Rows of ranges that are not checked.
            self.stored.take(range.from - 1)?;
            let stored = self.stored.take(range.to)?;
            found.extend(made.differences(range, &stored)?);
        }
        Ok(found)
    }
}

impl Made {
    /// Adds those of these transactions that are of the range.
    fn add(&mut self, batch: &RecordBatch, range: BlockRange) {
        let blocks = batch["block_number"].as_primitive::<Int64Type>().values();
        let start = blocks.partition_point(|block| *block < range.from);
        let end = blocks.partition_point(|block| *block <= range.to);
        match self.rollups.add(&batch.slice(start, end - start)) {
            Ok(rows) => self.rows.extend(rows),
            // Numbers of transactions that are wrong may have no sum.
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
            expected.push((table, concat_batches(&table.schema(), parts).map_err(Error::internal)?));
        }
        let found = compare::differences(&Table::DERIVED, stored, &expected);
        // A row that is wrong altogether may name any block.
        let within = |block: u64| block.clamp(range.from.unsigned_abs(), range.to.unsigned_abs());
        Ok(found.into_iter().map(|one| Mismatch { block: within(one.block), check: Check::Rows, ..one }).collect())
    }
}
