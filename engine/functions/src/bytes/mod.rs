//! Functions of bytes: parts, hashes, and encodings as text.

pub(super) mod bytearray;
mod bytearray_numbers;
pub(super) mod encodings;
mod farm_fingerprint;
mod hashes;
pub(super) mod hex;

use datafusion::logical_expr::ScalarUDF;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![farm_fingerprint::udf()];
    all.extend(hex::udfs());
    all.extend(bytearray::udfs());
    all.extend(bytearray_numbers::udfs());
    all.extend(encodings::udfs());
    all.extend(hashes::udfs());
    all
}
