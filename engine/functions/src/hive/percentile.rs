//! `percentile`: exact, with a line drawn between the two nearest values; `percentile_approx`: as Hive reads it out of the bars
//! of a histogram, of which there are as many as values when the call does not say how many.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};
use datafusion::physical_plan::PhysicalExpr;

use crate::aggregates::bars::{self, Bars};
use crate::aggregates::constant::constant;
use crate::aggregates::distinct;
use quarry_types::invalid;

/// The one that counts in bars, and how many of them may be asked for.
const APPROX: &str = "percentile_approx";
const MOST_BARS: f64 = 100_000.0;

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
    DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)))
}

impl AggregateUDFImpl for Percentile {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let share = match types.get(1) {
            Some(DataType::List(_)) => doubles(),
            Some(_) => DataType::Float64,
            None => return Err(invalid(format!("{} takes a number and a share between 0 and 1.", self.name))),
        };
        if types.len() > if self.name == APPROX { 3 } else { 2 } {
            return Err(invalid(format!("{} takes fewer arguments.", self.name)));
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
            return Ok(vec![distinct::state_field(args.name, &DataType::Float64)]);
        }
        if args.input_fields.len() > 2 {
            return Ok(vec![bars::state_field(args.name)]);
        }
        Ok(vec![Arc::new(Field::new(format!("{}_values", args.name), doubles(), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let is_distinct = args.is_distinct;
        let all = self.of_all(args)?;
        Ok(if is_distinct { distinct::once(DataType::Float64, all) } else { all })
    }
}

impl Percentile {
    fn of_all(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let shares = shares(&args.exprs[1])?;
        let many = matches!(args.return_field.data_type(), DataType::List(_));
        if let Some(most) = args.exprs.get(2) {
            let most = constant(most, "The number of bars is the same for every row.")?;
            return match most.first() {
                Some(most) if (2.0..=MOST_BARS).contains(most) => {
                    Ok(Box::new(Approximate { bars: Bars::new(*most as usize), shares, many }))
                }
                _ => Err(invalid(format!("percentile_approx counts in 2 to {MOST_BARS} bars."))),
            };
        }
        let of = if self.name == APPROX { by_bars } else { between };
        Ok(Box::new(Values { values: Vec::new(), shares, many, of }))
    }
}

/// The shares that the query asks for; they are the same for every row.
fn shares(expr: &Arc<dyn PhysicalExpr>) -> Result<Vec<f64>> {
    let shares = constant(expr, "The share of a percentile is a number, the same for every row.")?;
    if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
        return Err(invalid("The share of a percentile lies between 0 and 1."));
    }
    Ok(shares)
}

#[derive(Debug)]
struct Values {
    values: Vec<f64>,
    shares: Vec<f64>,
    many: bool,
    /// The value at a share of the way through sorted values.
    of: fn(&[f64], f64) -> Option<f64>,
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.values.extend(arrays[0].as_primitive::<Float64Type>().iter().flatten());
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            self.values.extend(list.as_primitive::<Float64Type>().iter().flatten());
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: Vec<ScalarValue> = self.values.iter().map(|value| ScalarValue::Float64(Some(*value))).collect();
        Ok(vec![ScalarValue::List(ScalarValue::new_list_nullable(&values, &DataType::Float64))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.values.sort_by(f64::total_cmp);
        let found = self.shares.iter().map(|share| (self.of)(&self.values, *share)).collect();
        answer(found, self.many, self.values.is_empty())
    }

    fn size(&self) -> usize {
        size_of::<Values>() + self.values.capacity() * size_of::<f64>()
    }
}

/// One number, or an array of them; null when there was no value.
fn answer(found: Vec<Option<f64>>, many: bool, none: bool) -> Result<ScalarValue> {
    if !many {
        return Ok(ScalarValue::Float64(found.first().copied().flatten()));
    }
    if none {
        return ScalarValue::try_from(&doubles());
    }
    let array: ArrayRef = Arc::new(Float64Array::from(found));
    Ok(ScalarValue::List(Arc::new(arrow::array::ListArray::new(
        Arc::new(Field::new_list_field(DataType::Float64, true)),
        arrow::buffer::OffsetBuffer::from_lengths([array.len()]),
        array,
        None,
    ))))
}

#[derive(Debug)]
struct Approximate {
    bars: Bars,
    shares: Vec<f64>,
    many: bool,
}

impl Accumulator for Approximate {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.bars.update_batch(arrays)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.bars.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.bars.state()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let found: Vec<Option<f64>> = self.shares.iter().map(|share| self.bars.share(*share)).collect();
        let none = found.iter().all(Option::is_none);
        answer(found, self.many, none)
    }

    fn size(&self) -> usize {
        size_of::<Approximate>() + self.bars.size()
    }
}

/// On a line from the value before the one in which the share is reached.
fn by_bars(sorted: &[f64], share: f64) -> Option<f64> {
    let bars = sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64));
    bars::at_share(bars, sorted.len() as f64, share)
}

/// On a line between the two nearest values.
fn between(sorted: &[f64], share: f64) -> Option<f64> {
    let place = (sorted.len().checked_sub(1)?) as f64 * share;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}
