//! `skewness`, `kurtosis` and `entropy`: the shape of a distribution.
//!
//! Moments of two parts of the values are merged by the formulas of Pébay, "Formulas for Robust, One-Pass
//! Parallel Computation of Covariances and Arbitrary-Order Statistical Moments" (2008).

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation};

use super::adapted::adapted;
use super::distinct_values::{self, distinct};
use super::methods::name_and_signature;
use super::sliding::moments::own_deviation;
use super::sliding::{Merge, SlidingAccumulator, SlidingAggregate, SlidingFrame};
use crate::prelude::*;
use crate::wrappers::adapt::Coercion;

const SKEWNESS_DOC: Doc = Doc {
    signature: "skewness(number)",
    text: "The skewness of a group: negative if its values are skewed toward small numbers, positive if toward large ones; null for fewer than three values.",
    example: "select skewness(gas_used) from blocks",
};
const KURTOSIS_DOC: Doc = Doc {
    signature: "kurtosis(number)",
    text: "The excess kurtosis of a group: how heavy its tails are relative to a normal distribution, which has 0; null for fewer than four values.",
    example: "select kurtosis(gas_used) from blocks",
};
const ENTROPY_DOC: Doc = Doc {
    signature: "entropy(count)",
    text: "The entropy of counts in bits, which measures how evenly their total is distributed: 0 if one of them has all of it.",
    example: "select entropy(transaction_count) from blocks",
};

pub(crate) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let all = [
        ShapeStatistic::udaf("skewness", SKEWNESS_DOC, skewness as fn(Moments) -> Option<f64>),
        ShapeStatistic::udaf("kurtosis", KURTOSIS_DOC, kurtosis as fn(Moments) -> Option<f64>),
        ShapeStatistic::udaf("entropy", ENTROPY_DOC, entropy as fn(Shares) -> Option<f64>),
    ];
    all.map(|function| adapted(&Arc::new(function), Coercion::Doubles, &[])).into()
}

/// A summary of numbers that is stored as doubles.
trait Summary: Merge + Debug + Send + Sync + 'static {
    /// Names of the doubles.
    const NAMES: &'static [&'static str];

    fn new(value: f64) -> Result<Self>;
    fn into_doubles(self) -> Vec<f64>;
    fn from_doubles(doubles: &[f64]) -> Self;
}

/// The count of values, their mean, and the sums of the second, third and fourth powers of their deviations from it.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
    cubes: f64,
    fourths: f64,
}

impl Merge for Moments {
    fn merge(self, later: Moments) -> Moments {
        if self.count == 0.0 {
            return later;
        }
        if later.count == 0.0 {
            return self;
        }
        let (a, b) = (self.count, later.count);
        let n = a + b;
        // How far the mean moves from that of the first part, and from that of the second.
        let by = later.mean - self.mean;
        let (to, back) = (by * b / n, by * a / n);
        Moments {
            count: n,
            mean: self.mean + to,
            squares: self.squares + later.squares + by * to * a,
            cubes: self.cubes
                + later.cubes
                + by * to * a * (back - to)
                + 3.0 * (back * later.squares - to * self.squares),
            fourths: self.fourths
                + later.fourths
                + by * to * a * (back * back - back * to + to * to)
                + 6.0 * (back * back * later.squares + to * to * self.squares)
                + 4.0 * (back * later.cubes - to * self.cubes),
        }
    }
}

impl Summary for Moments {
    const NAMES: &'static [&'static str] = &["count", "mean", "squares", "cubes", "fourths"];

    fn new(value: f64) -> Result<Moments> {
        Ok(Moments { count: 1.0, mean: value, squares: own_deviation(value), ..Moments::default() })
    }

    fn into_doubles(self) -> Vec<f64> {
        vec![self.count, self.mean, self.squares, self.cubes, self.fourths]
    }

    fn from_doubles(doubles: &[f64]) -> Moments {
        let at = |index: usize| doubles.get(index).copied().unwrap_or_default();
        Moments { count: at(0), mean: at(1), squares: at(2), cubes: at(3), fourths: at(4) }
    }
}

fn skewness(all: Moments) -> Option<f64> {
    let Moments { count, squares, cubes, .. } = all;
    (count > 2.0 && squares != 0.0).then(|| count.sqrt() * cubes / squares.powf(1.5))
}

fn kurtosis(all: Moments) -> Option<f64> {
    let Moments { count: n, squares, fourths, .. } = all;
    let rest = (n - 2.0) * (n - 3.0);
    let normal = 3.0 * (n - 1.0) * (n - 1.0) / rest;
    (n > 3.0 && squares != 0.0).then(|| (n - 1.0) * n * (n + 1.0) / rest * (fourths / squares / squares) - normal)
}

/// The sum of counts, and the sum of each times its logarithm.
#[derive(Debug, Clone, Copy, Default)]
struct Shares {
    sum: f64,
    weighted: f64,
}

impl Merge for Shares {
    fn merge(self, later: Shares) -> Shares {
        Shares { sum: self.sum + later.sum, weighted: self.weighted + later.weighted }
    }
}

impl Summary for Shares {
    const NAMES: &'static [&'static str] = &["sum", "weighted"];

    fn new(count: f64) -> Result<Shares> {
        match count {
            0.0 => Ok(Shares::default()),
            count if count < 0.0 => Err(invalid("A count of entropy can't be negative.")),
            count => Ok(Shares { sum: count, weighted: count * count.log2() }),
        }
    }

    fn into_doubles(self) -> Vec<f64> {
        vec![self.sum, self.weighted]
    }

    fn from_doubles(doubles: &[f64]) -> Shares {
        let at = |index: usize| doubles.get(index).copied().unwrap_or_default();
        Shares { sum: at(0), weighted: at(1) }
    }
}

fn entropy(all: Shares) -> Option<f64> {
    if all.sum == 0.0 {
        return Some(0.0);
    }
    let bits = all.sum.log2() - all.weighted / all.sum;
    Some(if bits < 0.0 { 0.0 } else { bits })
}

#[derive(Debug)]
struct ShapeStatistic<T> {
    name: &'static str,
    signature: Signature,
    documentation: Documentation,
    answer: fn(T) -> Option<f64>,
}

impl<T: Summary> ShapeStatistic<T> {
    fn udaf(name: &'static str, doc: Doc, answer: fn(T) -> Option<f64>) -> AggregateUDF {
        let signature = Signature::exact(vec![DataType::Float64], Volatility::Immutable);
        AggregateUDF::new_from_impl(ShapeStatistic { name, signature, documentation: doc.documentation(), answer })
    }
}

// Names are unique among our functions.
impl<T> PartialEq for ShapeStatistic<T> {
    fn eq(&self, other: &ShapeStatistic<T>) -> bool {
        self.name == other.name
    }
}

impl<T> Eq for ShapeStatistic<T> {}

impl<T> Hash for ShapeStatistic<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl<T: Summary> AggregateUDFImpl for ShapeStatistic<T> {
    name_and_signature!();

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.is_distinct {
            return Ok(vec![distinct_values::state_field(args.name, &DataType::Float64)]);
        }
        let field = |part: &&str| Arc::new(Field::new(format_state_name(args.name, part), DataType::Float64, true));
        Ok(T::NAMES.iter().map(field).collect())
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let all = Box::new(SummaryAccumulator { summary: T::default(), answer: self.answer });
        match args.is_distinct {
            true => Ok(distinct(DataType::Float64, all)),
            false => Ok(all),
        }
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match args.is_distinct {
            true => self.accumulator(args),
            false => Ok(Box::new(SlidingAccumulator(SlidingSummary {
                frame: SlidingFrame::<T>::default(),
                answer: self.answer,
            }))),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

fn values(array: &ArrayRef) -> impl Iterator<Item = f64> {
    array.as_primitive::<Float64Type>().iter().flatten()
}

#[derive(Debug)]
struct SummaryAccumulator<T> {
    summary: T,
    answer: fn(T) -> Option<f64>,
}

impl<T: Summary> Accumulator for SummaryAccumulator<T> {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        for value in values(&arrays[0]) {
            self.summary = self.summary.merge(T::new(value)?);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for row in 0..states[0].len() {
            let part: Vec<f64> = states.iter().map(|state| state.as_primitive::<Float64Type>().value(row)).collect();
            self.summary = self.summary.merge(T::from_doubles(&part));
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(self.summary.into_doubles().into_iter().map(ScalarValue::from).collect())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64((self.answer)(self.summary)))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

#[derive(Debug)]
struct SlidingSummary<T> {
    frame: SlidingFrame<T>,
    answer: fn(T) -> Option<f64>,
}

impl<T: Summary> SlidingAggregate for SlidingSummary<T> {
    fn enter(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        values(&arrays[0]).try_for_each(|value| T::new(value).map(|value| self.frame.enter(value)))
    }

    fn leave(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        values(&arrays[0]).for_each(|_| self.frame.leave());
        Ok(())
    }

    fn answer(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64((self.answer)(self.frame.summary())))
    }

    fn size(&self) -> usize {
        self.frame.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<T: Summary>(values: &[f64]) -> T {
        values.iter().fold(T::default(), |all, value| all.merge(T::new(*value).unwrap()))
    }

    #[test]
    fn statistics_of_parts_are_those_of_the_whole() {
        let values = [2.0, 8.0, 0.0, 4.0, 1.0, 9.0, 9.0, 0.0];
        let close = |left: Option<f64>, right: f64| (left.unwrap() - right).abs() < 1e-12;
        // By the definitions; the mean is 4.125.
        let sum = |power: i32| values.iter().map(|value| (value - 4.125f64).powi(power)).sum::<f64>();
        let skewed = 8f64.sqrt() * sum(3) / sum(2).powf(1.5);
        let tails = 7.0 * 8.0 * 9.0 / 30.0 * sum(4) / sum(2).powi(2) - 3.0 * 49.0 / 30.0;
        for cut in 0..values.len() {
            let parts = all::<Moments>(&values[..cut]).merge(all(&values[cut..]));
            assert!(close(skewness(parts), skewed) && close(kurtosis(parts), tails), "{parts:?}");
        }
        assert_eq!((skewness(all(&[1.0, 2.0])), kurtosis(all(&[1.0, 2.0, 4.0]))), (None, None));
        assert_eq!(skewness(all(&[0.1; 5])), None);
        assert!(close(entropy(all(&[1.0, 1.0, 2.0])), 1.5));
        assert_eq!((entropy(all(&[0.0])), entropy(all(&[7.0])), entropy(all(&[]))), (Some(0.0), Some(0.0), Some(0.0)));
        assert!(Shares::new(-1.0).is_err());
    }
}
