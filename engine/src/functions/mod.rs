//! SQL functions of our own, one per file; every one carries its documentation for the editor.

mod abi;
mod aggregate;
mod avg;
pub(crate) mod bytes;
mod checked;
mod checksum;
mod convert;
mod count_distinct;
mod divide;
mod epoch;
mod extreme;
mod from_hex;
mod keccak256;
mod selector;
mod short_address;
mod simple;
mod sum;
mod to_eth;
mod to_hex;
pub(crate) mod uint256;
mod utc;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::functions_aggregate::percentile_cont::percentile_cont_udaf;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub(crate) use checked::{checked, checked_negative};
pub(crate) use convert::uint256_to;
pub(crate) use count_distinct::count_distinct;
pub(crate) use divide::{divide, shift_point};
pub(crate) use from_hex::hex_to_fixed;
pub(crate) use to_hex::to_hex;
pub(crate) use uint256::{uint256, uint256_op};

/// Adds our functions to a session; `sum`, `avg`, `min` and `max` take the place of the stock ones.
pub(crate) fn register(state: &mut SessionState) -> Result<()> {
    let scalar = [
        checksum::udf(),
        epoch::udf(),
        from_hex::udf(),
        keccak256::udf(),
        selector::udf(),
        short_address::udf(),
        to_eth::udf("to_eth", 18, "Wei as ether, exact."),
        to_eth::udf("to_gwei", 9, "Wei as gwei, exact."),
        to_hex::udf(),
        uint256::udf(),
    ];
    for function in scalar.into_iter().chain(utc::udfs()).chain(abi::udfs()) {
        state.register_udf(Arc::new(function))?;
    }
    state.register_udaf(sum::sum())?;
    state.register_udaf(avg::avg())?;
    for function in extreme::both() {
        state.register_udaf(function)?;
    }
    let quantile = percentile_cont_udaf().as_ref().clone().with_aliases(["quantile_cont"]);
    state.register_udaf(Arc::new(quantile))?;
    Ok(())
}

/// A scalar function by value, shared.
fn shared(function: ScalarUDF) -> Arc<ScalarUDF> {
    Arc::new(function)
}

/// An aggregate function by value, shared.
fn shared_aggregate(function: AggregateUDF) -> Arc<AggregateUDF> {
    Arc::new(function)
}
