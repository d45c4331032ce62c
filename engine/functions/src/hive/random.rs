//! `rand(seed)`: the numbers that Java's `Random` gives for a seed, row after row.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{Array, AsArray, Float64Array};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};

use super::cast;
use crate::hive_values::java_random::{ahead, double, state_of};

/// Name that the rewriter gives to `rand` with a seed.
pub const SEEDED: &str = "hive_rand";

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
