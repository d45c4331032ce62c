//! The functions of HiveQL, with Hive's answers: null instead of an error where a value can't be used.

mod calendar;
pub(crate) mod cast;
mod charsets;
pub(crate) mod collections;
mod dates;
pub(crate) mod generate;
mod hash;
mod json;
mod math;
mod numbers;
mod numeric;
mod pattern;
mod percentile;
mod rows;
mod strings;
mod text;
pub(crate) mod types;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::functions::core::get_field;
use datafusion::functions_nested::sort::array_sort_udf;
use datafusion::logical_expr::ScalarUDF;

/// Adds Hive's functions to a session, in the place of stock ones of the same name.
pub(crate) fn register(state: &mut SessionState) -> Result<()> {
    datafusion_spark::register_all(state)?;
    for function in scalar() {
        // What had this name goes with all its names: a session made of this one would bring them back.
        if let Ok(old) = state.udf(function.name()) {
            state.deregister_udf(old.name())?;
            state.deregister_udf(function.name())?;
        }
        state.register_udf(Arc::new(function))?;
    }
    for function in numeric::functions().into_iter().chain(percentile::functions()) {
        // Other names of what had this name go too: a session made of this one would bring it back with them.
        let old = state.aggregate_functions().iter().filter(|(_, held)| held.name() == function.name());
        let names: Vec<String> = old.map(|(name, _)| name.clone()).chain([function.name().to_string()]).collect();
        for name in names {
            state.deregister_udaf(&name)?;
        }
        state.register_udaf(Arc::new(function))?;
    }
    Ok(())
}

fn scalar() -> impl Iterator<Item = ScalarUDF> {
    let defs =
        [text::FUNCTIONS, strings::FUNCTIONS, charsets::FUNCTIONS, dates::FUNCTIONS, math::FUNCTIONS, json::FUNCTIONS];
    let defs = defs.into_iter().flatten().map(|def| def.udf());
    let others = [cast::udf(), hash::udf()].into_iter().chain(collections::functions()).chain(numbers::functions());
    defs.chain(others)
}

/// One of Hive's functions, or a stock one that they are made of, by its name.
pub(crate) fn named(name: &str) -> Result<Arc<ScalarUDF>> {
    static ALL: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
        let stock = [get_field(), array_sort_udf()];
        let own = scalar().map(Arc::new);
        own.chain(stock).map(|function| (function.name().to_string(), function)).collect()
    });
    ALL.get(name).cloned().ok_or_else(|| DataFusionError::Internal(format!("there is no function {name}")))
}
