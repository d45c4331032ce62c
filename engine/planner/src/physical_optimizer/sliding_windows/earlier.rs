//! Values of rows above, and numbers of rows.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, UInt64Array};
use arrow::compute::concat;
use datafusion::common::{Result, ScalarValue};

use quarry_functions::Moving;

/// `lag`: the value some rows above.
pub(super) struct Earlier {
    /// What stands where the partition has no such row: for the first rows of each, one for each that is looked above.
    defaults: ArrayRef,
    /// The last rows of the partition, no more than are looked above.
    held: ArrayRef,
}

impl Earlier {
    pub fn new(rows: usize, default: ScalarValue) -> Result<Earlier> {
        let defaults = default.to_array_of_size(rows)?;
        Ok(Earlier { held: defaults.slice(0, 0), defaults })
    }
}

impl Moving for Earlier {
    /// What costs follows from the rows of the column and of the partition, not from how far above it looks: partitions may
    /// be many and small.
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let rows = column.len();
        let missing = (self.defaults.len() - self.held.len()).min(rows);
        let above = (rows - missing).min(self.held.len());
        let own = rows - missing - above;
        let answer = concat(
            &[&self.defaults.slice(0, missing), &self.held.slice(0, above), &column.slice(0, own)].map(AsRef::as_ref),
        )?;
        let most = self.defaults.len();
        self.held = if rows >= most {
            column.slice(rows - most, most)
        } else {
            let all = concat(&[self.held.as_ref(), column.as_ref()])?;
            let kept = all.len().min(most);
            all.slice(all.len() - kept, kept)
        };
        Ok(answer)
    }

    fn restart(&mut self) {
        self.held = self.defaults.slice(0, 0);
    }
}

/// `row_number`.
#[derive(Default)]
pub(super) struct Numbers {
    last: u64,
}

impl Moving for Numbers {
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
    fn rows_above_are_those_of_the_columns_before() {
        let mut earlier = Earlier::new(3, ScalarValue::Int64(Some(-1))).unwrap();
        let mut next =
            |values: &[i64]| earlier.next(&column(values)).unwrap().as_primitive::<Int64Type>().values().to_vec();
        assert_eq!(next(&[1, 2]), [-1, -1]);
        assert!(next(&[]).is_empty());
        assert_eq!(next(&[3, 4, 5, 6, 7]), [-1, 1, 2, 3, 4]);
        assert_eq!(next(&[8]), [5]);
        assert_eq!(next(&[9, 10, 11, 12]), [6, 7, 8, 9]);
        earlier.restart();
        assert_eq!(earlier.next(&column(&[1])).unwrap().as_primitive::<Int64Type>().values(), &[-1]);
    }

    #[test]
    fn what_is_kept_and_copied_follows_from_the_rows_not_from_how_far_above_one_looks() {
        let mut earlier = Earlier::new(60_000, ScalarValue::Int64(None)).unwrap();
        assert_eq!(earlier.next(&column(&[1, 2])).unwrap().null_count(), 2);
        assert_eq!(earlier.held.len(), 2);
        earlier.restart();
        assert_eq!(earlier.held.len(), 0);
    }
}
