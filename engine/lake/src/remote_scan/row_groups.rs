//! The row groups and rows that a scan reads of a file, in a message.

use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::parquet::{ParquetAccessPlan, RowGroupAccess};
use parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use serde::{Deserialize, Serialize};

/// Row groups that a Parquet file has at most: their numbers have 16 bits.
const MAX_ROW_GROUPS: usize = i16::MAX as usize;

/// The content of a [`ParquetAccessPlan`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowGroups {
    /// Row groups of the file.
    count: usize,
    /// Those to read. If some of the rows are skipped: how many are skipped, read, skipped and so on in turns.
    read: Vec<(usize, Option<Vec<usize>>)>,
}

impl RowGroups {
    pub(super) fn from_access_plan(plan: &ParquetAccessPlan) -> RowGroups {
        let read = plan.inner().iter().enumerate().filter_map(|(group, access)| match access {
            RowGroupAccess::Skip => None,
            RowGroupAccess::Scan => Some((group, None)),
            RowGroupAccess::Selection(rows) => Some((group, Some(lengths(rows)))),
        });
        RowGroups { count: plan.len(), read: read.collect() }
    }

    /// # Errors
    /// No file has such row groups.
    pub(super) fn access_plan(&self) -> Result<ParquetAccessPlan> {
        if self.count > MAX_ROW_GROUPS {
            return internal_err!("a file with {} row groups", self.count);
        }
        let mut plan = ParquetAccessPlan::new_none(self.count);
        for (group, rows) in &self.read {
            if *group >= self.count {
                return internal_err!("row group {group} of {}", self.count);
            }
            let access = match rows {
                Some(lengths) => RowGroupAccess::Selection(selection(lengths)?),
                None => RowGroupAccess::Scan,
            };
            plan.set(*group, access);
        }
        Ok(plan)
    }
}

fn lengths(rows: &RowSelection) -> Vec<usize> {
    let mut lengths = Vec::new();
    for selector in rows.iter() {
        // The rows at even positions are skipped.
        if lengths.len() % 2 == usize::from(selector.skip) {
            lengths.push(0);
        }
        lengths.push(selector.row_count);
    }
    lengths
}

fn selection(lengths: &[usize]) -> Result<RowSelection> {
    if lengths.iter().try_fold(0_usize, |sum, rows| sum.checked_add(*rows)).is_none() {
        return internal_err!("a row group with too many rows");
    }
    let selectors = lengths.iter().enumerate().map(|(at, rows)| RowSelector { row_count: *rows, skip: at % 2 == 0 });
    Ok(selectors.collect())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn some(ranges: [Range<usize>; 2]) -> RowGroupAccess {
        RowGroupAccess::Selection(RowSelection::from_consecutive_ranges(ranges.into_iter(), 1000))
    }

    #[test]
    fn the_same_rows_are_read_after_a_message() {
        let plan = ParquetAccessPlan::new(vec![
            RowGroupAccess::Skip,
            RowGroupAccess::Scan,
            some([0..10, 990..1000]),
            RowGroupAccess::Skip,
            some([5..6, 7..900]),
            some([0..400, 400..1000]),
        ]);
        let sent = RowGroups::from_access_plan(&plan);
        let text = serde_json::to_string(&sent).unwrap();
        let arrived: RowGroups = serde_json::from_str(&text).unwrap();
        assert_eq!(arrived, sent);
        assert_eq!(arrived.access_plan().unwrap(), plan);
        for plan in [ParquetAccessPlan::new_all(3), ParquetAccessPlan::new_none(3), ParquetAccessPlan::new_none(0)] {
            assert_eq!(RowGroups::from_access_plan(&plan).access_plan().unwrap(), plan);
        }
    }

    #[test]
    fn row_groups_that_no_file_has_are_refused() {
        for (count, read) in
            [(2, vec![(2, None)]), (usize::MAX, vec![]), (1, vec![(0, Some(vec![0, usize::MAX, 0, 1]))])]
        {
            assert!(RowGroups { count, read }.access_plan().is_err(), "{count}");
        }
    }
}
