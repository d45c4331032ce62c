//! `percentile_cont` of doubles: the built-in one cuts the distance between two values after six digits, so that the share 0.29 of
//! eleven values in wei lies some 10^12 below where it is.

use datafusion::functions_aggregate::percentile_cont::percentile_cont_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator};

use super::collected_numbers::CollectedNumbers;
use super::constant_argument::constant_numbers;
use super::methods::as_builtin;
use crate::prelude::*;

/// Positions between two values are rounded to this many steps: a share has few digits, and arithmetic of doubles adds others
/// at the end.
const STEPS: f64 = 1e12;

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    Arc::new(AggregateUDF::new_from_impl(PercentileCont { builtin: percentile_cont_udaf() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PercentileCont {
    builtin: Arc<AggregateUDF>,
}

fn is_left_to_builtin(args: &AccumulatorArgs) -> bool {
    args.is_distinct || *args.expr_fields[0].data_type() != DataType::Float64
}

impl AggregateUDFImpl for PercentileCont {
    as_builtin! {
        name() -> &str;
        aliases() -> &[String];
        signature() -> &Signature;
        return_type(types: &[DataType]) -> Result<DataType>;
        state_fields(args: StateFieldsArgs) -> Result<Vec<FieldRef>>;
        create_groups_accumulator(args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>>;
        supports_within_group_clause() -> bool;
        documentation() -> Option<&Documentation>;
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let share = args.exprs.get(1).and_then(|share| constant_numbers(share, "").ok()?.first().copied());
        // The built-in function says what is wrong with a share.
        let Some(share) = share.filter(|share| !is_left_to_builtin(&args) && (0.0..=1.0).contains(share)) else {
            return self.builtin.accumulator(args);
        };
        let descending = args.order_bys.first().is_some_and(|order| order.options.descending);
        let share = if descending { 1.0 - share } else { share };
        Ok(CollectedNumbers::boxed(move |values| Ok(ScalarValue::Float64(percentile(values, share)))))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        is_left_to_builtin(&args) && self.builtin.groups_accumulator_supported(args)
    }
}

/// The value at a share of the way through values in any order.
fn percentile(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = (share * last as f64 * STEPS).round() / STEPS;
    let below = (place.floor() as usize).min(last);
    let (_, lower, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let lower = *lower;
    let part = ((place - below as f64) * STEPS).round() / STEPS;
    let upper = above.iter().copied().min_by(f64::total_cmp).filter(|_| part > 0.0);
    Some(upper.map_or(lower, |upper| lower + (upper - lower) * part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_between_two_values_is_not_cut() {
        let wei: Vec<f64> = (0..11).rev().map(|value| f64::from(value) * 1e18).collect();
        let of = |share| percentile(&mut wei.clone(), share).unwrap();
        assert_eq!([0.0, 0.29, 0.3, 0.33, 0.5, 1.0].map(of), [0.0, 2.9e18, 3e18, 3.3e18, 5e18, 1e19]);
        assert_eq!(percentile(&mut [], 0.5), None);
        assert_eq!(percentile(&mut [7.0], 0.9), Some(7.0));
    }
}
