//! `rand(seed)`: the numbers that Java's `Random` gives for a seed, row after row.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{Array, AsArray, Float64Array};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};

use super::cast;

/// Name that the rewriter gives to `rand` with a seed.
pub const SEEDED: &str = "hive_rand";

/// The linear congruence of the published description: 48 bits, one factor, one addend.
const FACTOR: u64 = 0x5_DEEC_E66D;
const ADDEND: u64 = 0xB;
const BITS: u64 = (1 << 48) - 1;

/// One use of `rand(seed)` in one query: how many numbers it gave so far.
#[derive(Debug)]
struct Seeded {
    given: AtomicU64,
    signature: Signature,
}

/// A fresh function: each use of `rand(seed)` in a query begins at its first number.
pub fn seeded() -> ScalarUDF {
    ScalarUDF::new_from_impl(Seeded { given: AtomicU64::new(0), signature: Signature::any(1, Volatility::Volatile) })
}

// A function that changes with every call is never taken for another one.
impl PartialEq for Seeded {
    fn eq(&self, other: &Seeded) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Seeded {}

impl Hash for Seeded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        SEEDED.hash(state);
    }
}

impl ScalarUDFImpl for Seeded {
    fn name(&self) -> &str {
        SEEDED
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows as u64;
        let first = self.given.fetch_add(rows, Ordering::Relaxed);
        let seed = cast::to_type(&args.args[0].to_array(1)?, &DataType::Int64)?;
        let seed = seed.as_primitive::<Int64Type>();
        let seed = if seed.is_empty() || seed.is_null(0) { 0 } else { seed.value(0) };
        let mut state = ahead(state_of(seed as u64), 2 * first);
        let numbers: Float64Array = (0..rows).map(|_| Some(double(&mut state))).collect();
        Ok(ColumnarValue::Array(Arc::new(numbers)))
    }
}

fn step(state: u64) -> u64 {
    state.wrapping_mul(FACTOR).wrapping_add(ADDEND) & BITS
}

/// The upper bits of the next state.
fn next(state: &mut u64, bits: u32) -> u64 {
    *state = step(*state);
    *state >> (48 - bits)
}

/// The next double: 53 bits from two states.
pub(super) fn double(state: &mut u64) -> f64 {
    let high = next(state, 26);
    ((high << 27) + next(state, 27)) as f64 / (1u64 << 53) as f64
}

/// A fresh state of a seed.
pub(super) fn state_of(seed: u64) -> u64 {
    (seed ^ FACTOR) & BITS
}

/// The state after so many steps, in as many doublings as the count has bits.
fn ahead(state: u64, steps: u64) -> u64 {
    let (mut factor, mut addend, mut left) = (FACTOR, ADDEND, steps);
    let (mut all_factor, mut all_addend) = (1u64, 0u64);
    while left > 0 {
        if left & 1 == 1 {
            all_factor = all_factor.wrapping_mul(factor);
            all_addend = all_addend.wrapping_mul(factor).wrapping_add(addend);
        }
        addend = factor.wrapping_add(1).wrapping_mul(addend);
        factor = factor.wrapping_mul(factor);
        left >>= 1;
    }
    state.wrapping_mul(all_factor).wrapping_add(all_addend) & BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_javas() {
        let mut state = state_of(42);
        assert_eq!(double(&mut state), 0.7275636800328681);
        assert_eq!(double(&mut state), 0.6832234717598454);
    }

    #[test]
    fn steps_can_be_skipped() {
        let start = state_of(7);
        let mut walked = start;
        for steps in 0..100 {
            assert_eq!(ahead(start, steps), walked);
            walked = step(walked);
        }
    }
}
