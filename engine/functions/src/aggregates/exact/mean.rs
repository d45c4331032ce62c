//! Exact means: sums as `sum` keeps them, and how many values they have. A mean of whole numbers is the double next to it,
//! one of decimals is rounded half away from zero.

use alloy_primitives::aliases::{I512, U512};
use arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray};
use arrow::datatypes::{ArrowPrimitiveType, DataType, Decimal128Type, Decimal256Type, Float64Type, Int64Type, i256};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use super::distinct::DistinctSum;
use super::number::{Decimal, Kind, Number, Unsigned, Whole, Wide, too_large};

/// Type of a mean of 256-bit numbers: four digits after the point, as means of other decimals have.
pub(crate) const MEAN: DataType = DataType::Decimal256(76, 4);

/// The largest whole number up to which a double holds each.
const EACH: u128 = 1 << f64::MANTISSA_DIGITS;

/// A kind of number that has a mean.
pub(crate) trait Means: Kind {
    type Mean: ArrowPrimitiveType;

    /// The mean of so many numbers with so many digits behind those of the numbers; `None` when there is no room for it.
    fn mean(self, sum: Self::Sum, count: i64, digits: u32) -> Option<<Self::Mean as ArrowPrimitiveType>::Native>;

    /// A column of means.
    fn means(self, sums: &[Self::Sum], counts: &[i64], answer: &Answer) -> Result<ArrayRef> {
        let mean = |(sum, count): (&Self::Sum, &i64)| match count {
            0 => Ok(None),
            count => self.mean(*sum, *count, answer.digits).map(Some).ok_or_else(too_large),
        };
        let means: PrimitiveArray<Self::Mean> = sums.iter().zip(counts).map(mean).collect::<Result<_>>()?;
        Ok(std::sync::Arc::new(means.with_data_type(answer.to.clone())))
    }

    /// One mean, null of no values.
    fn one_mean(self, sum: Self::Sum, count: i64, answer: &Answer) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.means(&[sum], &[count], answer)?, 0)
    }
}

/// What a mean is told as.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub to: DataType,
    /// How many digits it has behind those of the numbers.
    pub digits: u32,
}

impl Means for Whole {
    type Mean = Float64Type;

    fn mean(self, sum: i128, count: i64, _: u32) -> Option<f64> {
        Some(quotient(sum, count))
    }
}

impl Means for Unsigned {
    type Mean = Float64Type;

    fn mean(self, sum: i128, count: i64, _: u32) -> Option<f64> {
        Some(quotient(sum, count))
    }
}

impl Means for Decimal {
    type Mean = Decimal128Type;

    fn mean(self, sum: i128, count: i64, digits: u32) -> Option<i128> {
        let mean = Wide.mean(i256::from_i128(sum), count, digits)?.to_i128()?;
        (mean.unsigned_abs() < 10u128.pow(38)).then_some(mean)
    }
}

impl Means for Wide {
    type Mean = Decimal256Type;

    fn mean(self, sum: i256, count: i64, digits: u32) -> Option<i256> {
        let scaled = sum.to_i128().zip(10i128.checked_pow(digits)).and_then(|(sum, unit)| sum.checked_mul(unit));
        match scaled {
            Some(scaled) => Some(i256::from_i128(rounded(scaled, count.into()))),
            None => Number.mean(quarry_types::uint256::Number::from(sum).widen(), count, digits),
        }
    }
}

impl Means for Number {
    type Mean = Decimal256Type;

    fn mean(self, sum: I512, count: i64, digits: u32) -> Option<i256> {
        let count = I512::try_from(count).ok()?;
        let scaled = sum.checked_mul(I512::try_from(10i128.checked_pow(digits)?).ok()?)?;
        let (quotient, rest) = (scaled.checked_div(count)?, scaled.checked_rem(count)?);
        let half = rest.unsigned_abs() * U512::from(2) >= count.unsigned_abs();
        let away = I512::try_from(match (half, scaled.is_negative()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        });
        quarry_types::uint256::Number::narrow(quotient.checked_add(away.ok()?)?)?.to_decimal()
    }
}

/// The double next to a quotient. A sum that no double holds is divided as a whole number of 128 bits: the quotient then has
/// more binary digits than a double, and its last one says whether a rest was left, so that it is rounded once.
fn quotient(sum: i128, count: i64) -> f64 {
    let (size, by) = (sum.unsigned_abs(), u128::from(count.unsigned_abs()));
    if size <= EACH {
        return sum as f64 / count as f64;
    }
    let shift = size.leading_zeros();
    let scaled = size << shift;
    let sticky = (scaled / by) | u128::from(scaled % by != 0);
    let mean = sticky as f64 * 0.5f64.powi(shift as i32);
    if sum < 0 { -mean } else { mean }
}

/// A quotient rounded half away from zero.
fn rounded(sum: i128, count: i128) -> i128 {
    let away = (sum % count).unsigned_abs() * 2 >= count.unsigned_abs();
    sum / count + if away { sum.signum() } else { 0 }
}

/// Sum and number of the values of one group, over which a window may slide.
#[derive(Debug)]
pub(crate) struct Mean<K: Means> {
    kind: K,
    answer: Answer,
    /// Type of an unfinished sum.
    state: DataType,
    sum: K::Sum,
    count: i64,
}

impl<K: Means> Mean<K> {
    pub fn new(kind: K, answer: Answer, state: DataType) -> Mean<K> {
        Mean { kind, answer, state, sum: K::Sum::default(), count: 0 }
    }
}

impl<K: Means> Accumulator for Mean<K> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let value = self.kind.read(&values[0], false);
        for row in (0..values[0].len()).filter(|&row| values[0].is_valid(row)) {
            self.sum = self.kind.add(self.sum, value(row)).ok_or_else(too_large)?;
            self.count += 1;
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let value = self.kind.read(&states[0], true);
        let counts = states[1].as_primitive::<Int64Type>();
        for row in (0..states[0].len()).filter(|&row| states[0].is_valid(row)) {
            self.sum = self.kind.add(self.sum, value(row)).ok_or_else(too_large)?;
            self.count += counts.value(row);
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let value = self.kind.read(&values[0], false);
        for row in (0..values[0].len()).filter(|&row| values[0].is_valid(row)) {
            self.sum = self.kind.subtract(self.sum, value(row)).ok_or_else(too_large)?;
            self.count -= 1;
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.kind.one_mean(self.sum, self.count, &self.answer)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let sum = self.kind.write(vec![self.sum], vec![true], &self.state)?;
        Ok(vec![ScalarValue::try_from_array(&sum, 0)?, ScalarValue::Int64(Some(self.count))])
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The mean of the distinct values of one group.
#[derive(Debug)]
pub(crate) struct DistinctMean<K: Means> {
    kind: K,
    answer: Answer,
    values: DistinctSum<K>,
}

impl<K: Means> DistinctMean<K> {
    pub fn new(kind: K, answer: Answer, state: DataType) -> DistinctMean<K> {
        DistinctMean { kind, answer, values: DistinctSum::new(kind, state) }
    }
}

impl<K: Means> Accumulator for DistinctMean<K> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.values.update_batch(values)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.values.merge_batch(states)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let (sum, count) = self.values.sum()?;
        self.kind.one_mean(sum, count, &self.answer)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.values.state()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_once() {
        assert_eq!(Whole.mean(13, 10, 0), Some(1.3));
        // 2^53 + 1 is no double; twice of it divided by two is the nearest one.
        assert_eq!(Whole.mean((1 << 54) + 2, 2, 0), Some(9_007_199_254_740_992.0));
        assert_eq!(Whole.mean(i128::from(u64::MAX) * 3 + 3, 6, 0), Some(9_223_372_036_854_775_808.0));
        // 2^53 + 1.9: the whole part alone would be rounded to 2^53.
        assert_eq!(Whole.mean(((1 << 53) + 1) * 10 + 9, 10, 0), Some(9_007_199_254_740_994.0));
        assert_eq!(Whole.mean(-(((1 << 53) + 1) * 10 + 9), 10, 0), Some(-9_007_199_254_740_994.0));
        for (sum, count, digits, wanted) in
            [(10, 3, 0, 3), (5, 2, 0, 3), (-5, 2, 0, -3), (20, 3, 0, 7), (1, 3, 4, 3_333), (2, 3, 4, 6_667)]
        {
            assert_eq!(Decimal.mean(sum, count, digits), Some(wanted), "{sum}/{count}");
            let wide = i256::from_i128(wanted);
            assert_eq!(Wide.mean(i256::from_i128(sum), count, digits), Some(wide), "{sum}/{count}");
            let sum = I512::try_from(sum).unwrap();
            assert_eq!(Number.mean(sum, count, digits), Some(wide), "{sum}/{count}");
        }
        assert_eq!(Decimal.mean(10i128.pow(37), 1, 1), None);
        let large = i256::from_i128(10i128.pow(38)).wrapping_mul(i256::from_i128(10i128.pow(36)));
        assert_eq!(Wide.mean(large, 5, 1), Some(large.wrapping_mul(i256::from_i128(2))));
        assert_eq!(Wide.mean(large, 5, 4), None);
    }
}
