//! Aggregates that keep of each group what tells whether one of its rows meets two comparisons, and the calls that ask it.
//! Planned in where a join only asks whether a row has such a partner (`exec::faster::partners`); people don't call them.
//!
//! - [`pareto_frontier`]: the pairs of which no other is better in both, for `a < x and b > y`, say;
//! - [`best_and_second_best`]: the best row, and the best of those with another second value, for `a < x and b <> y`.

mod best_and_second_best;
mod groups;
mod pareto_frontier;
mod state;

use std::marker::PhantomData;
use std::sync::Arc;

use arrow::array::{Array, AsArray, BooleanArray};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, Expr, GroupsAccumulator, Operator, ScalarFunctionArgs,
    ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use best_and_second_best::Two;
use groups::{Groups, OfAll};
use pareto_frontier::Points;
use state::{Kept, Order};

pub use pareto_frontier::has_order;

/// The pairs of two values of a group, for comparisons `x op value`.
pub fn pareto_frontier(values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    gathered::<Points>(ops.map(Order::from_operator), values)
}

/// Whether a group has a pair for which both comparisons hold.
pub fn pareto_frontier_reaches(stairs: Expr, values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    reached::<Points>(ops.map(Order::from_operator), stairs, values)
}

/// The two rows of a group, for comparisons `x op best` and `y <> other`.
pub fn best_and_second_best(best: Expr, other: Expr, op: Operator) -> Expr {
    gathered::<Two>(Order::from_operator(op), [best, other])
}

/// Whether a group has a row for which both comparisons hold.
pub fn best_and_second_best_reaches(kept: Expr, best: Expr, other: Expr, op: Operator) -> Expr {
    reached::<Two>(Order::from_operator(op), kept, [best, other])
}

fn gathered<K: Kept>(order: K::Order, values: [Expr; 2]) -> Expr {
    let signature = Signature::any(2, Volatility::Immutable);
    AggregateUDF::new_from_impl(Gather::<K> { order, signature, kept: PhantomData }).call(values.into())
}

fn reached<K: Kept>(order: K::Order, kept: Expr, [x, y]: [Expr; 2]) -> Expr {
    let signature = Signature::any(3, Volatility::Immutable);
    ScalarUDF::new_from_impl(Reaches::<K> { order, signature, kept: PhantomData }).call(vec![kept, x, y])
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Gather<K: Kept> {
    order: K::Order,
    signature: Signature,
    kept: PhantomData<K>,
}

impl<K: Kept> AggregateUDFImpl for Gather<K> {
    fn name(&self) -> &str {
        K::NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OfAll(Groups::<K>::new(self.order))))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Groups::<K>::new(self.order)))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reaches<K: Kept> {
    order: K::Order,
    signature: Signature,
    kept: PhantomData<K>,
}

impl<K: Kept> ScalarUDFImpl for Reaches<K> {
    fn name(&self) -> &str {
        K::ASKED
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let (kept, rows) = (arrays[0].as_binary_view(), K::rows(&arrays[1..], self.order)?);
        let reached = |row: usize| kept.is_valid(row) && K::reaches(kept.value(row), &rows, row, self.order);
        let reached = BooleanArray::from_iter((0..kept.len()).map(|row| Some(reached(row))));
        Ok(ColumnarValue::Array(Arc::new(reached)))
    }
}
