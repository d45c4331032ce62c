//! `percentile_cont` of doubles: the stock one cuts what lies between two values after six digits, so that the share 0.29 of
//! eleven values in wei lies some 10^12 below where it is.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::{DataType, FieldRef, Float64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::percentile_cont::percentile_cont_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, Signature,
};

use crate::aggregates::constant::constant;

/// Digits of what lies between two values: a share has few, and doubles add some at the end.
const STEPS: f64 = 1e12;

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    Arc::new(AggregateUDF::new_from_impl(PercentileCont { stock: percentile_cont_udaf() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PercentileCont {
    stock: Arc<AggregateUDF>,
}

/// Whether the stock function answers all the same.
fn by_stock(args: &AccumulatorArgs) -> bool {
    args.is_distinct || *args.expr_fields[0].data_type() != DataType::Float64
}

impl AggregateUDFImpl for PercentileCont {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn aliases(&self) -> &[String] {
        self.stock.aliases()
    }

    fn signature(&self) -> &Signature {
        self.stock.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.stock.return_type(types)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.stock.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let share = args.exprs.get(1).and_then(|share| constant(share, "").ok()?.first().copied());
        // It says what is wrong with the share, too.
        let Some(share) = share.filter(|share| !by_stock(&args) && (0.0..=1.0).contains(share)) else {
            return self.stock.accumulator(args);
        };
        let descending = args.order_bys.first().is_some_and(|order| order.options.descending);
        let share = if descending { 1.0 - share } else { share };
        Ok(Box::new(Values { share, values: VecDeque::new() }))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        by_stock(&args) && self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.stock.create_groups_accumulator(args)
    }

    fn supports_within_group_clause(&self) -> bool {
        self.stock.supports_within_group_clause()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}

#[derive(Debug)]
struct Values {
    share: f64,
    /// All that are known, as they came.
    values: VecDeque<f64>,
}

impl Values {
    fn add(&mut self, array: &ArrayRef) {
        self.values.extend(array.as_primitive::<Float64Type>().iter().flatten());
    }
}

/// What lies at a share of the way through values in no order.
fn at(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = (share * last as f64 * STEPS).round() / STEPS;
    let below = (place.floor() as usize).min(last);
    let (_, lower, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let lower = *lower;
    let part = ((place - below as f64) * STEPS).round() / STEPS;
    let upper = above.iter().copied().min_by(f64::total_cmp).filter(|_| part > 0.0);
    Some(upper.map_or(lower, |upper| lower + (upper - lower) * part))
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.add(&arrays[0]);
        Ok(())
    }

    /// The rows that leave a frame are those that came first.
    fn retract_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let gone = arrays[0].len() - arrays[0].null_count();
        self.values.drain(..gone.min(self.values.len()));
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().for_each(|values| self.add(&values));
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = Float64Array::from_iter_values(self.values.iter().copied());
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(values)).build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut values: Vec<f64> = self.values.iter().copied().collect();
        Ok(ScalarValue::Float64(at(&mut values, self.share)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.capacity() * size_of::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_two_values_is_not_cut() {
        let wei: Vec<f64> = (0..11).rev().map(|value| f64::from(value) * 1e18).collect();
        let of = |share| at(&mut wei.clone(), share).unwrap();
        assert_eq!([0.0, 0.29, 0.3, 0.33, 0.5, 1.0].map(of), [0.0, 2.9e18, 3e18, 3.3e18, 5e18, 1e19]);
        assert_eq!(at(&mut [], 0.5), None);
        assert_eq!(at(&mut [7.0], 0.9), Some(7.0));
    }
}
