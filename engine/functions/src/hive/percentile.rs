//! `percentile`: exact, on a line between the two nearest values; `percentile_approx`: as Hive reads it out of the bars of a
//! histogram, with as many bars as values unless the call limits them.

use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl};
use datafusion::physical_plan::PhysicalExpr;

use crate::aggregates::collected_numbers::CollectedNumbers;
use crate::aggregates::constant_argument::constant_numbers;
use crate::aggregates::distinct_values::{self, distinct};
use crate::aggregates::methods::name_and_signature;
use crate::aggregates::streaming_histogram::{self, StreamingHistogram};
use crate::lists::build::list_field;
use crate::prelude::*;

const APPROX: &str = "percentile_approx";
const MAX_BARS: f64 = 100_000.0;

#[derive(Debug, PartialEq, Eq, Hash)]
struct Percentile {
    name: &'static str,
    signature: Signature,
}

pub(super) fn functions() -> [AggregateUDF; 2] {
    ["percentile", APPROX].map(|name| {
        let signature = Signature::user_defined(Volatility::Immutable);
        AggregateUDF::new_from_impl(Percentile { name, signature })
    })
}

fn doubles() -> DataType {
    DataType::new_list(DataType::Float64, true)
}

impl AggregateUDFImpl for Percentile {
    name_and_signature!();

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let share = match types.get(1) {
            Some(DataType::List(_)) => doubles(),
            Some(_) => DataType::Float64,
            None => return Err(invalid(format!("{} expects a number and a percentile from 0 to 1.", self.name))),
        };
        if types.len() > if self.name == APPROX { 3 } else { 2 } {
            return Err(invalid(format!("Too many arguments for {}.", self.name)));
        }
        let mut coerced = vec![DataType::Float64, share];
        coerced.extend(types.iter().skip(2).map(|_| DataType::Float64));
        Ok(coerced)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.get(1) {
            Some(DataType::List(_)) => Ok(doubles()),
            _ => Ok(DataType::Float64),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.is_distinct {
            return Ok(vec![distinct_values::state_field(args.name, &DataType::Float64)]);
        }
        if args.input_fields.len() > 2 {
            return Ok(vec![streaming_histogram::state_field(args.name)]);
        }
        Ok(vec![list_field(&format!("{}_values", args.name), DataType::Float64)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let is_distinct = args.is_distinct;
        let percentiles = self.percentiles(args)?;
        Ok(if is_distinct { distinct(DataType::Float64, percentiles) } else { percentiles })
    }
}

impl Percentile {
    /// An accumulator of all values, distinct or not.
    fn percentiles(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let shares = constant_shares(&args.exprs[1])?;
        let is_list = matches!(args.return_field.data_type(), DataType::List(_));
        if let Some(bars) = args.exprs.get(2) {
            let bars = constant_numbers(bars, "The number of bars must be a constant.")?;
            return match bars.first() {
                Some(bars) if (2.0..=MAX_BARS).contains(bars) => {
                    Ok(Box::new(Approximate { histogram: StreamingHistogram::new(*bars as usize), shares, is_list }))
                }
                _ => Err(invalid(format!("percentile_approx supports 2 to {MAX_BARS} bars."))),
            };
        }
        let percentile = if self.name == APPROX { approximate_percentile } else { exact_percentile };
        Ok(CollectedNumbers::boxed(move |values| {
            values.sort_by(f64::total_cmp);
            answer(shares.iter().map(|share| percentile(values, *share)).collect(), is_list, values.is_empty())
        }))
    }
}

/// The shares of a call, which are the same for every row.
fn constant_shares(expr: &Arc<dyn PhysicalExpr>) -> Result<Vec<f64>> {
    let shares = constant_numbers(expr, "The percentile must be a constant number.")?;
    if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
        return Err(invalid("A percentile must be from 0 to 1."));
    }
    Ok(shares)
}

/// One number, or a list of them; null when there were no values.
fn answer(percentiles: Vec<Option<f64>>, is_list: bool, no_values: bool) -> Result<ScalarValue> {
    if !is_list {
        return Ok(ScalarValue::Float64(percentiles.first().copied().flatten()));
    }
    if no_values {
        return ScalarValue::try_from(&doubles());
    }
    Ok(SingleRowListArrayBuilder::new(Arc::new(Float64Array::from(percentiles))).build_list_scalar())
}

#[derive(Debug)]
struct Approximate {
    histogram: StreamingHistogram,
    shares: Vec<f64>,
    is_list: bool,
}

impl Accumulator for Approximate {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.histogram.update_batch(arrays)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.histogram.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.histogram.state()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let percentiles: Vec<_> = self.shares.iter().map(|share| self.histogram.percentile(*share)).collect();
        let no_values = percentiles.iter().all(Option::is_none);
        answer(percentiles, self.is_list, no_values)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.histogram.size()
    }
}

/// The value at a share of the way through sorted values, on a line from the value before the one in which it is reached.
fn approximate_percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let bins = sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64));
    streaming_histogram::percentile(bins, sorted.len() as f64, share)
}

/// The value at a share of the way through sorted values, on a line between the two nearest ones.
fn exact_percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = (sorted.len().checked_sub(1)?) as f64 * share;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}
