//! Functions of numbers: arithmetic that is exact or an error, rounding, bits, digits, probabilities. 256-bit numbers are in
//! `uint256/`.

mod bitwise;
mod byte_encodings;
pub(super) mod ceil_floor;
mod data_size;
pub(super) mod decimal_precision;
pub(super) mod decimal_text;
pub(super) mod digits;
pub(super) mod divide;
pub(super) mod float_decimals;
mod floats;
mod numeric;
pub(super) mod operators;
mod probability;
mod radix;
pub(super) mod round;
pub(super) mod sign;
pub(super) mod trunc;

use datafusion::logical_expr::ScalarUDF;

/// All but those that replace built-in ones.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![divide::divide().as_ref().clone()];
    all.extend(bitwise::udfs());
    all.extend(byte_encodings::udfs());
    all.extend(data_size::udfs());
    all.extend(floats::udfs());
    all.extend(numeric::udfs());
    all.extend(probability::udfs());
    all.extend(radix::udfs());
    all
}
