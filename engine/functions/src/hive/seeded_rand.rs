//! `rand(seed)`: the numbers of Java's `Random` for a seed, row by row.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use super::cast;
use crate::aggregates::methods::name_and_signature;
use crate::hive_values::java_random::{ahead, double, state_of};
use crate::prelude::*;

/// The name that the rewriter gives to `rand` with a seed.
pub const SEEDED: &str = "hive_rand";

/// One call of `rand(seed)` in one query.
#[derive(Debug)]
struct SeededRand {
    /// How many numbers it made so far.
    count: AtomicU64,
    signature: Signature,
}

/// A new function: each call of `rand(seed)` in a query begins at its first number.
pub fn udf() -> ScalarUDF {
    ScalarUDF::new_from_impl(SeededRand {
        count: AtomicU64::new(0),
        signature: Signature::any(1, Volatility::Volatile),
    })
}

// Each function has its own count, so no two are equal.
impl PartialEq for SeededRand {
    fn eq(&self, other: &SeededRand) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for SeededRand {}

impl Hash for SeededRand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        SEEDED.hash(state);
    }
}

impl ScalarUDFImpl for SeededRand {
    name_and_signature!(SEEDED);

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows as u64;
        let first = self.count.fetch_add(rows, Ordering::Relaxed);
        let seed = cast::to_type(&args.args[0].to_array(1)?, &DataType::Int64)?;
        let seed = seed.as_primitive::<Int64Type>();
        let seed = if seed.is_empty() || seed.is_null(0) { 0 } else { seed.value(0) };
        let mut state = ahead(state_of(seed as u64), 2 * first);
        let numbers: Float64Array = (0..rows).map(|_| Some(double(&mut state))).collect();
        Ok(ColumnarValue::Array(Arc::new(numbers)))
    }
}
