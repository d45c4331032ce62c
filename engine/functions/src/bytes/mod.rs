//! Functions of bytes: parts, hashes, and the alphabets that write them as text.

pub(super) mod as_hex;
mod base58;
pub(super) mod byte_parts;
pub(super) mod bytearray;
mod encodings;
mod fingerprint;
pub(super) mod from_hex;
mod hashes;
mod hmac;
mod keccak256;
pub(super) mod padded;
pub(super) mod texts_as_bytes;
mod to_hex;

use datafusion::logical_expr::ScalarUDF;

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![fingerprint::udf(), from_hex::udf(), keccak256::udf(), to_hex::udf()];
    all.extend(base58::udfs());
    all.extend(bytearray::udfs().into_iter().chain(byte_parts::udfs()).map(bytearray::with_old_name));
    all.extend(padded::udfs());
    all.extend(encodings::udfs());
    all.extend(hashes::udfs());
    all.extend(hmac::udfs());
    all.extend(texts_as_bytes::udfs());
    all
}
