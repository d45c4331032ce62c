//! The exact mean of 256-bit numbers.

use alloy_primitives::aliases::I512;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Int64Type, i256};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use super::number::{Kind, Number, SUM_STATE, too_large};
use crate::functions::uint256;

/// Type of a mean: four digits after the point, as means of other decimals have.
pub(in crate::functions) const MEAN: DataType = DataType::Decimal256(76, 4);

/// Sum and number of values.
#[derive(Debug, Default)]
pub(in crate::functions) struct Mean {
    sum: I512,
    count: i64,
}

impl Accumulator for Mean {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let value = Number.read(&values[0], false);
        for row in (0..values[0].len()).filter(|&row| values[0].is_valid(row)) {
            self.sum = Number.add(self.sum, value(row)).ok_or_else(too_large)?;
            self.count += 1;
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let value = Number.read(&states[0], true);
        let counts = states[1].as_primitive::<Int64Type>();
        for row in (0..states[0].len()).filter(|&row| states[0].is_valid(row)) {
            self.sum = Number.add(self.sum, value(row)).ok_or_else(too_large)?;
            self.count += counts.value(row);
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let value = Number.read(&values[0], false);
        for row in (0..values[0].len()).filter(|&row| values[0].is_valid(row)) {
            self.sum = Number.subtract(self.sum, value(row)).ok_or_else(too_large)?;
            self.count -= 1;
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mean = match self.count {
            0 => None,
            count => Some(mean(self.sum, count).ok_or_else(too_large)?),
        };
        Ok(ScalarValue::Decimal256(mean, 76, 4))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let sum = Number.write(vec![self.sum], vec![true], &SUM_STATE)?;
        Ok(vec![ScalarValue::try_from_array(&sum, 0)?, ScalarValue::Int64(Some(self.count))])
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// In units of 10^-4, rounded half away from zero.
fn mean(sum: I512, count: i64) -> Option<i256> {
    let count = I512::try_from(count).ok()?;
    let scaled = sum.checked_mul(I512::try_from(10_000).ok()?)?;
    let (quotient, rest) = (scaled.checked_div(count)?, scaled.checked_rem(count)?);
    let half = rest.unsigned_abs() * alloy_primitives::aliases::U512::from(2) >= count.unsigned_abs();
    let away = I512::try_from(match (half, scaled.is_negative()) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    });
    uint256::Number::narrow(quotient.checked_add(away.ok()?)?)?.to_decimal()
}
