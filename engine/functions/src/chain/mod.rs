//! Functions of the chain: calls and logs decoded by their signatures, addresses for people, amounts of ether.

mod abi;
mod address;
mod decode;
mod ether;
mod known_names;

use datafusion::logical_expr::ScalarUDF;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = decode::udfs();
    all.extend(abi::udfs());
    all.extend(address::udfs());
    all.extend(ether::udfs());
    all.extend(known_names::udfs());
    all
}
