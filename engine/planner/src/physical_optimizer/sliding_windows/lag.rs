//! `lag` and `row_number`, column by column.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, UInt64Array};
use arrow::compute::concat;
use datafusion::common::{Result, ScalarValue};

use quarry_functions::Moving;

/// `lag`: the value some rows above.
pub(super) struct Lag {
    /// The default of the first rows of a partition, as many times as the offset.
    defaults: ArrayRef,
    /// The last rows of the partition, at most as many as the offset.
    last_rows: ArrayRef,
}

impl Lag {
    pub fn new(rows: usize, default: ScalarValue) -> Result<Lag> {
        let defaults = default.to_array_of_size(rows)?;
        Ok(Lag { last_rows: defaults.slice(0, 0), defaults })
    }
}

impl Moving for Lag {
    /// The cost follows from the rows of the column and of the partition, not from the offset: partitions may be many and
    /// small.
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let rows = column.len();
        let missing = (self.defaults.len() - self.last_rows.len()).min(rows);
        let above = (rows - missing).min(self.last_rows.len());
        let own = rows - missing - above;
        let values = concat(
            &[&self.defaults.slice(0, missing), &self.last_rows.slice(0, above), &column.slice(0, own)]
                .map(AsRef::as_ref),
        )?;
        let offset = self.defaults.len();
        self.last_rows = if rows >= offset {
            column.slice(rows - offset, offset)
        } else {
            let all = concat(&[self.last_rows.as_ref(), column.as_ref()])?;
            let count = all.len().min(offset);
            all.slice(all.len() - count, count)
        };
        Ok(values)
    }

    fn restart(&mut self) {
        self.last_rows = self.defaults.slice(0, 0);
    }
}

/// `row_number`.
#[derive(Default)]
pub(super) struct RowNumber {
    last: u64,
}

impl Moving for RowNumber {
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let first = self.last + 1;
        self.last += column.len() as u64;
        Ok(Arc::new(UInt64Array::from_iter_values(first..=self.last)))
    }

    fn restart(&mut self) {
        self.last = 0;
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{AsArray, Int64Array};
    use arrow::datatypes::Int64Type;

    use super::*;

    fn column(values: &[i64]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    #[test]
    fn values_come_from_earlier_batches() {
        let mut lag = Lag::new(3, ScalarValue::Int64(Some(-1))).unwrap();
        let mut next =
            |values: &[i64]| lag.next(&column(values)).unwrap().as_primitive::<Int64Type>().values().to_vec();
        assert_eq!(next(&[1, 2]), [-1, -1]);
        assert!(next(&[]).is_empty());
        assert_eq!(next(&[3, 4, 5, 6, 7]), [-1, 1, 2, 3, 4]);
        assert_eq!(next(&[8]), [5]);
        assert_eq!(next(&[9, 10, 11, 12]), [6, 7, 8, 9]);
        lag.restart();
        assert_eq!(lag.next(&column(&[1])).unwrap().as_primitive::<Int64Type>().values(), &[-1]);
    }

    #[test]
    fn rows_in_memory_do_not_depend_on_the_offset() {
        let mut lag = Lag::new(60_000, ScalarValue::Int64(None)).unwrap();
        assert_eq!(lag.next(&column(&[1, 2])).unwrap().null_count(), 2);
        assert_eq!(lag.last_rows.len(), 2);
        lag.restart();
        assert_eq!(lag.last_rows.len(), 0);
    }
}
