//! Functions of numbers: arithmetic that is exact or an error, rounding, bits, digits, probabilities. 256-bit numbers are in
//! `uint256/`.

mod bits;
pub(super) mod checked;
pub(super) mod cut;
mod data_size;
pub(super) mod decimal_text;
pub(super) mod digits;
pub(super) mod divide;
pub mod floats;
mod ieee754;
mod numeric;
mod probability;
mod radix;
pub(super) mod remainder;
pub(super) mod round;
pub(super) mod sign;
pub(super) mod whole;
mod wide_bits;
pub(super) mod within;

use datafusion::logical_expr::ScalarUDF;

/// All of them but those that stand in the place of stock ones.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![divide::divide().as_ref().clone()];
    all.extend(bits::udfs());
    all.extend(data_size::udfs());
    all.extend(floats::udfs());
    all.extend(ieee754::udfs());
    all.extend(numeric::udfs());
    all.extend(probability::udfs());
    all.extend(radix::udfs());
    all
}
