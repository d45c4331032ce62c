//! The functions of HiveQL, with Hive's answers: null instead of an error where a value can't be used.

mod binary;
mod charsets;
mod choose;
pub mod collect;
pub mod collections;
mod common;
mod crypt;
mod dates;
pub mod decimals;
mod from_json;
mod gather;
pub mod generate;
mod hash;
mod histogram;
mod inserted;
mod interval;
mod java_patterns;
mod java_text;
mod json;
mod mask;
mod math;
mod murmur;
mod ngrams;
mod numbers;
mod numeric;
mod parts;
mod pattern;
mod percentile;
pub mod random;
mod rows;
mod sentences;
pub mod shown;
mod strings;
mod text;
mod xpath;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::functions::core::get_field;
use datafusion::functions_nested::array_has::array_has_udf;
use datafusion::functions_nested::sort::array_sort_udf;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion_spark::function as spark;

use super::stock::adapt::{Takes, adapted};

use super::hive_values::{calendar, nested, zones};
pub use super::hive_values::{cast, intervals, numerals, types};

/// Adds Hive's functions to a session, in the place of stock ones of the same name.
pub fn register(state: &mut SessionState) -> Result<()> {
    datafusion_spark::register_all(state)?;
    // Spark's ends badly with a column of nothing but null.
    state.register_udf(array_has_udf())?;
    let held = state.scalar_functions().iter().map(|(name, held)| (name.as_str(), held.name(), held.aliases()));
    for name in replaced(held, &scalar().map(|function| function.name().to_string()).collect()) {
        state.deregister_udf(&name)?;
    }
    for function in scalar() {
        state.register_udf(Arc::new(function))?;
    }
    let held = state.aggregate_functions().iter().map(|(name, held)| (name.as_str(), held.name(), held.aliases()));
    for name in replaced(held, &aggregates().map(|function| function.name().to_string()).collect()) {
        state.deregister_udaf(&name)?;
    }
    for function in aggregates() {
        state.register_udaf(Arc::new(function))?;
    }
    Ok(())
}

/// The names to give up for functions of our own, of what a session holds: each as the name, what stands behind it and the
/// other names of that. What goes by one of our names goes with all of its names: a session made of this one would bring it
/// back with any.
fn replaced<'a>(
    held: impl Iterator<Item = (&'a str, &'a str, &'a [String])> + Clone,
    own: &HashSet<String>,
) -> Vec<String> {
    let ours = |name: &str| own.contains(name);
    let taken = held
        .clone()
        .filter(|(name, behind, others)| ours(name) || ours(behind) || others.iter().any(|other| ours(other)));
    let behind: HashSet<&str> = taken.map(|(_, behind, _)| behind).collect();
    held.filter(|(_, of, _)| behind.contains(of)).map(|(name, _, _)| name.to_string()).collect()
}

/// The names of Hive's functions that are our own.
pub fn own_names() -> Vec<String> {
    let aggregates = aggregates().map(|function| function.name().to_string());
    scalar().map(|function| function.name().to_string()).chain(aggregates).collect()
}

fn aggregates() -> impl Iterator<Item = AggregateUDF> {
    let all = numeric::functions().into_iter().chain(percentile::functions()).chain(collect::functions());
    all.chain(ngrams::functions()).chain([histogram::udaf()])
}

fn scalar() -> impl Iterator<Item = ScalarUDF> {
    let defs = [
        text::FUNCTIONS,
        strings::FUNCTIONS,
        charsets::FUNCTIONS,
        dates::FUNCTIONS,
        math::FUNCTIONS,
        json::FUNCTIONS,
        crypt::FUNCTIONS,
        xpath::FUNCTIONS,
    ];
    let defs = defs.into_iter().flatten().map(|def| def.udf());
    let hash64 = adapted(&spark::hash::xxhash64(), Takes::Lengths, &[]);
    let single = [
        cast::udf(),
        choose::coalesce(),
        super::texts::format::udf(),
        hash64,
        inserted::udf(),
        interval::udf(),
        random::seeded(),
        sentences::udf(),
        shown::udf(),
    ];
    let families = [
        binary::functions(),
        collections::functions(),
        decimals::functions(),
        from_json::functions(),
        gather::functions(),
        mask::functions(),
        numbers::functions(),
        parts::functions(),
    ];
    defs.chain(single).chain(text::pads()).chain(hash::functions()).chain(families.into_iter().flatten())
}

/// Whether a regular expression fits a whole name, in any letter case; `None` when it is none that runs here.
pub fn matches_whole(pattern: &str, name: &str) -> Option<bool> {
    // `(a|b)?+c`: what the group takes it keeps.
    if let Some((group, rest)) = pattern.strip_prefix('(').and_then(|inner| inner.split_once(")?+"))
        && !group.contains(['(', ')'])
    {
        let first = java_patterns::Pattern::new(&format!("(?i)^(?:{group})"))?;
        let taken = first.find(name, 0).and_then(|groups| groups.first().copied().flatten());
        return matches_whole(rest, &name[taken.map_or(0, |(_, end)| end)..]);
    }
    java_patterns::Pattern::new(&format!("(?i)^(?:{pattern})$")).map(|pattern| pattern.is_match(name))
}

/// One of Hive's functions, or a stock one that they are made of, by its name.
pub fn named(name: &str) -> Result<Arc<ScalarUDF>> {
    static ALL: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
        let stock = [get_field(), array_sort_udf()];
        let own = scalar().map(Arc::new);
        own.chain(stock).map(|function| (function.name().to_string(), function)).collect()
    });
    ALL.get(name).cloned().ok_or_else(|| DataFusionError::Internal(format!("there is no function {name}")))
}
