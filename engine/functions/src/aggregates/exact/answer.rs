//! The answers of exact sums: the sum itself, or the mean. A mean of whole numbers is the nearest double, one of decimals is
//! rounded half away from zero.

use std::fmt::Debug;

use alloy_primitives::aliases::{I512, U512};
use arrow::array::PrimitiveArray;
use arrow::datatypes::{
    ArrowPrimitiveType, Decimal128Type, Decimal256Type, IntervalMonthDayNano, IntervalMonthDayNanoType, i256,
};

use super::exact_sum::{
    Decimal128Values, Decimal256Values, ExactSum, Int64Values, IntervalSum, IntervalValues, UInt64Values,
    Uint256Values, to_interval, too_large,
};
use crate::prelude::*;

/// The type of means of 256-bit numbers: four digits after the point, as means of other decimals have.
pub(crate) const UINT256_MEAN: DataType = DataType::Decimal256(76, 4);

/// Doubles hold every whole number up to this one.
const LARGEST_EXACT: u128 = 1 << f64::MANTISSA_DIGITS;

/// The lengths of a month and of a day when an interval is divided, as in PostgreSQL.
const DAYS_OF_MONTH: i128 = 30;
const NANOSECONDS_OF_DAY: i128 = 86_400_000_000_000;
/// The smallest unit of times, a microsecond, in nanoseconds.
const SMALLEST: i128 = 1_000;

/// Makes answers of sums and counts of values; null where the count is 0.
pub(crate) trait Answer<K: ExactSum>: Debug + Send + Sync + 'static {
    /// Whether the state has the count as well as the sum.
    const HAS_COUNT: bool;

    /// The type of partial sums.
    fn state_type(&self, kind: K) -> DataType;

    fn all(&self, kind: K, sums: Vec<K::Sum>, counts: &[i64]) -> Result<ArrayRef>;

    fn one(&self, kind: K, sum: K::Sum, count: i64) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.all(kind, vec![sum], &[count])?, 0)
    }
}

/// The sum as a type.
#[derive(Debug, Clone)]
pub(crate) struct SumAs(pub DataType);

impl<K: ExactSum> Answer<K> for SumAs {
    const HAS_COUNT: bool = false;

    fn state_type(&self, kind: K) -> DataType {
        kind.state_type(&self.0)
    }

    fn all(&self, kind: K, sums: Vec<K::Sum>, counts: &[i64]) -> Result<ArrayRef> {
        kind.write(sums, counts.iter().map(|count| *count > 0).collect(), &self.0)
    }

    fn one(&self, kind: K, sum: K::Sum, count: i64) -> Result<ScalarValue> {
        if count == 0 { ScalarValue::try_from(&self.0) } else { kind.write_one(sum, &self.0) }
    }
}

/// The mean as a type.
#[derive(Debug, Clone)]
pub(crate) struct MeanAs {
    pub to: DataType,
    /// How many more fraction digits it has than the values.
    pub more_digits: u32,
    /// The type of partial sums.
    pub state: DataType,
}

impl<K: ExactMean> Answer<K> for MeanAs {
    const HAS_COUNT: bool = true;

    fn state_type(&self, _: K) -> DataType {
        self.state.clone()
    }

    fn all(&self, kind: K, sums: Vec<K::Sum>, counts: &[i64]) -> Result<ArrayRef> {
        let mean = |(sum, count): (K::Sum, &i64)| match count {
            0 => Ok(None),
            count => kind.mean(sum, *count, self.more_digits).map(Some).ok_or_else(too_large),
        };
        let means: PrimitiveArray<K::Mean> = sums.into_iter().zip(counts).map(mean).collect::<Result<_>>()?;
        Ok(Arc::new(means.with_data_type(self.to.clone())))
    }
}

/// A kind of values that has a mean.
pub(crate) trait ExactMean: ExactSum {
    type Mean: ArrowPrimitiveType;

    /// The mean of `count` values, with `more_digits` more fraction digits than they have; `None` on overflow.
    fn mean(self, sum: Self::Sum, count: i64, more_digits: u32) -> Option<<Self::Mean as ArrowPrimitiveType>::Native>;
}

impl ExactMean for Int64Values {
    type Mean = Float64Type;

    fn mean(self, sum: i128, count: i64, _: u32) -> Option<f64> {
        Some(nearest_double(sum, count))
    }
}

impl ExactMean for UInt64Values {
    type Mean = Float64Type;

    fn mean(self, sum: i128, count: i64, _: u32) -> Option<f64> {
        Some(nearest_double(sum, count))
    }
}

impl ExactMean for Decimal128Values {
    type Mean = Decimal128Type;

    fn mean(self, sum: i128, count: i64, more_digits: u32) -> Option<i128> {
        let mean = Decimal256Values.mean(i256::from_i128(sum), count, more_digits)?.to_i128()?;
        (mean.unsigned_abs() < 10u128.pow(38)).then_some(mean)
    }
}

impl ExactMean for Decimal256Values {
    type Mean = Decimal256Type;

    fn mean(self, sum: i256, count: i64, more_digits: u32) -> Option<i256> {
        let scaled = sum.to_i128().zip(10i128.checked_pow(more_digits)).and_then(|(sum, unit)| sum.checked_mul(unit));
        match scaled {
            Some(scaled) => Some(i256::from_i128(rounded_quotient(scaled, count.into()))),
            None => Uint256Values.mean(Number::from(sum).widen(), count, more_digits),
        }
    }
}

impl ExactMean for Uint256Values {
    type Mean = Decimal256Type;

    fn mean(self, sum: I512, count: i64, more_digits: u32) -> Option<i256> {
        let count = I512::try_from(count).ok()?;
        let scaled = sum.checked_mul(I512::try_from(10i128.checked_pow(more_digits)?).ok()?)?;
        let (quotient, rest) = (scaled.checked_div(count)?, scaled.checked_rem(count)?);
        let half = rest.unsigned_abs() * U512::from(2) >= count.unsigned_abs();
        let away = I512::try_from(match (half, scaled.is_negative()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        });
        Number::narrow(quotient.checked_add(away.ok()?)?)?.to_decimal()
    }
}

impl ExactMean for IntervalValues {
    type Mean = IntervalMonthDayNanoType;

    /// The remainder of months is carried over to days, and that of days to hours.
    fn mean(self, [months, days, nanoseconds]: IntervalSum, count: i64, _: u32) -> Option<IntervalMonthDayNano> {
        let count = i128::from(count);
        let days = days + months % count * DAYS_OF_MONTH;
        let nanoseconds = nanoseconds + days % count * NANOSECONDS_OF_DAY;
        let unit = count * SMALLEST;
        let half = unit / 2 * nanoseconds.signum();
        to_interval([months / count, days / count, (nanoseconds + half) / unit * SMALLEST])
    }
}

/// The double nearest to a quotient. A sum that does not fit a double is divided as a whole number of 128 bits: the quotient has
/// more binary digits than a double, and its last one is set if there is a remainder, so that it is rounded once.
fn nearest_double(sum: i128, count: i64) -> f64 {
    let (size, by) = (sum.unsigned_abs(), u128::from(count.unsigned_abs()));
    if size <= LARGEST_EXACT {
        return sum as f64 / count as f64;
    }
    let shift = size.leading_zeros();
    let scaled = size << shift;
    let sticky = (scaled / by) | u128::from(scaled % by != 0);
    let mean = sticky as f64 * 0.5f64.powi(shift as i32);
    if sum < 0 { -mean } else { mean }
}

/// A quotient rounded half away from zero.
fn rounded_quotient(sum: i128, count: i128) -> i128 {
    let away = (sum % count).unsigned_abs() * 2 >= count.unsigned_abs();
    sum / count + if away { sum.signum() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_once() {
        assert_eq!(Int64Values.mean(13, 10, 0), Some(1.3));
        // 2^53 + 1 is no double; twice of it divided by two is the nearest one.
        assert_eq!(Int64Values.mean((1 << 54) + 2, 2, 0), Some(9_007_199_254_740_992.0));
        assert_eq!(Int64Values.mean(i128::from(u64::MAX) * 3 + 3, 6, 0), Some(9_223_372_036_854_775_808.0));
        // 2^53 + 1.9: the whole part alone would be rounded to 2^53.
        assert_eq!(Int64Values.mean(((1 << 53) + 1) * 10 + 9, 10, 0), Some(9_007_199_254_740_994.0));
        assert_eq!(Int64Values.mean(-(((1 << 53) + 1) * 10 + 9), 10, 0), Some(-9_007_199_254_740_994.0));
        for (sum, count, digits, expected) in
            [(10, 3, 0, 3), (5, 2, 0, 3), (-5, 2, 0, -3), (20, 3, 0, 7), (1, 3, 4, 3_333), (2, 3, 4, 6_667)]
        {
            assert_eq!(Decimal128Values.mean(sum, count, digits), Some(expected), "{sum}/{count}");
            let wide = Some(i256::from_i128(expected));
            assert_eq!(Decimal256Values.mean(i256::from_i128(sum), count, digits), wide, "{sum}/{count}");
            assert_eq!(Uint256Values.mean(I512::try_from(sum).unwrap(), count, digits), wide, "{sum}/{count}");
        }
        assert_eq!(Decimal128Values.mean(10i128.pow(37), 1, 1), None);
        let large = i256::from_i128(10i128.pow(38)).wrapping_mul(i256::from_i128(10i128.pow(36)));
        assert_eq!(Decimal256Values.mean(large, 5, 1), Some(large.wrapping_mul(i256::from_i128(2))));
        assert_eq!(Decimal256Values.mean(large, 5, 4), None);
    }

    #[test]
    fn means_of_intervals_carry_rests_into_smaller_units() {
        let mean = |sum, count| {
            IntervalValues
                .mean(sum, count, 0)
                .map(|mean| (mean.months, mean.days, mean.nanoseconds / 3_600_000_000_000))
        };
        assert_eq!(mean([1, 1, 0], 2), Some((0, 15, 12)));
        assert_eq!(mean([1, 1, 0], 31), Some((0, 1, 0)));
        assert_eq!(mean([-3, 0, 0], 2), Some((-1, -15, 0)));
        assert_eq!(mean([i128::from(i32::MAX) * 2, 0, 0], 2), Some((i32::MAX, 0, 0)));
        assert_eq!(mean([i128::from(i32::MAX) * 4, 0, 0], 2), None);
        assert_eq!(IntervalValues.mean([0, 0, 5_000], 3, 0).map(|mean| mean.nanoseconds), Some(2_000));
    }
}
