//! What is kept of a group.

use std::fmt::Debug;
use std::hash::Hash;

use arrow::array::ArrayRef;
use datafusion::common::Result;
use datafusion::logical_expr::Operator;

/// What an ordering comparison `x op value` asks of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Order {
    /// Whether the greater is the better: `x < value` holds of some value if it holds of the greatest.
    pub(super) greatest: bool,
    pub(super) or_equal: bool,
}

impl Order {
    pub(super) fn from_operator(op: Operator) -> Order {
        Order {
            greatest: matches!(op, Operator::Lt | Operator::LtEq),
            or_equal: matches!(op, Operator::LtEq | Operator::GtEq),
        }
    }
}

/// What is kept of a group.
pub(super) trait Kept: Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// Name of the aggregate.
    const NAME: &'static str;
    /// Name of the call that asks.
    const ASKED: &'static str;
    /// The order of what is compared.
    type Order: Debug + Copy + Eq + Hash + Send + Sync;
    /// Two columns of rows, as they are compared.
    type Rows;

    fn rows(values: &[ArrayRef], order: Self::Order) -> Result<Self::Rows>;

    /// Adds a row, unless one of its values is null.
    fn add(&mut self, rows: &Self::Rows, row: usize);

    /// Adds what was written of other rows.
    fn merge(&mut self, written: &[u8]);

    fn written(self) -> Vec<u8>;

    /// Bytes that it takes beside itself.
    fn size(&self) -> usize;

    /// Whether the stored state belongs to a row after this one.
    fn reaches(written: &[u8], rows: &Self::Rows, row: usize, order: Self::Order) -> bool;
}
