//! Functions of what is on the chain: what calls and logs say and are called, addresses for people, amounts of ether.

mod abi;
mod checksum;
mod decode;
mod known_names;
mod short_address;
mod to_eth;

use datafusion::logical_expr::ScalarUDF;

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![
        checksum::udf(),
        short_address::udf(),
        to_eth::udf("to_eth", 18, "Wei as ether, exact."),
        to_eth::udf("to_gwei", 9, "Wei as gwei, exact."),
    ];
    all.extend(abi::udfs());
    all.extend(known_names::udfs());
    all.extend(decode::udfs());
    all
}
