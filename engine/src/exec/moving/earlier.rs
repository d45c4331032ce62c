//! Values of rows above, and numbers of rows.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, UInt64Array};
use arrow::compute::concat;
use datafusion::common::{Result, ScalarValue};

use crate::functions::Moving;

/// `lag`: the value some rows above.
pub(super) struct Earlier {
    /// What stands where the partition has no such row, as often as one is missing at its start.
    defaults: ArrayRef,
    /// The last rows of the partition, below the defaults that nothing has taken the place of.
    held: ArrayRef,
}

impl Earlier {
    pub fn new(rows: usize, default: ScalarValue) -> Result<Earlier> {
        let defaults = default.to_array_of_size(rows)?;
        Ok(Earlier { held: Arc::clone(&defaults), defaults })
    }
}

impl Moving for Earlier {
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let all = concat(&[self.held.as_ref(), column.as_ref()])?;
        self.held = all.slice(column.len(), self.held.len());
        Ok(all.slice(0, column.len()))
    }

    fn restart(&mut self) {
        self.held = Arc::clone(&self.defaults);
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
