//! The functions of HiveQL, with Hive's answers: null instead of an error where a value can't be used.

mod aes;
mod array_insert;
mod binary;
mod charsets;
mod coalesce;
pub mod collect;
pub mod collections;
mod common_type;
mod computed_interval;
mod constructors;
mod date_parts;
mod date_pattern;
mod dates;
pub mod decimals;
mod from_json;
pub mod generators;
mod hash;
mod histogram_numeric;
mod java_regex;
mod java_regex_syntax;
mod json;
mod mask;
mod math;
mod ngrams;
mod numeric_aggregates;
mod percentile;
pub mod printed;
mod rounding;
mod row_functions;
pub mod seeded_rand;
mod sentences;
mod texts;
mod xpath;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::functions::core::get_field;
use datafusion::functions_nested::array_has::array_has_udf;
use datafusion::functions_nested::sort::array_sort_udf;
use datafusion::logical_expr::AggregateUDF;
use datafusion_spark::function as spark;

use super::wrappers::adapt::{Coercion, adapted};

use super::hive_values::{calendar, nested, zones};
pub use super::hive_values::{cast, intervals, numerals, types};
use crate::prelude::*;

/// Adds Hive's functions to a session; they replace others of the same name.
pub fn register(state: &mut SessionState) -> Result<()> {
    datafusion_spark::register_all(state)?;
    // Spark's fails for a column of nothing but null.
    state.register_udf(array_has_udf())?;
    let known = state.scalar_functions().iter().map(|(name, known)| (name.as_str(), known.name(), known.aliases()));
    for name in replaced_names(known, &scalar().iter().map(|function| function.name().to_string()).collect()) {
        state.deregister_udf(&name)?;
    }
    for function in scalar() {
        state.register_udf(Arc::clone(function))?;
    }
    let known = state.aggregate_functions().iter().map(|(name, known)| (name.as_str(), known.name(), known.aliases()));
    for name in replaced_names(known, &aggregates().map(|function| function.name().to_string()).collect()) {
        state.deregister_udaf(&name)?;
    }
    for function in aggregates() {
        state.register_udaf(Arc::new(function))?;
    }
    Ok(())
}

/// The names to remove for our own functions; `known` has each registered name with the name and the aliases of its function. A
/// function with any of our names is removed by all of its names: a session made of this one would register it again by any that
/// remains.
fn replaced_names<'a>(
    known: impl Iterator<Item = (&'a str, &'a str, &'a [String])> + Clone,
    own: &HashSet<String>,
) -> Vec<String> {
    let is_own = |name: &str| own.contains(name);
    let taken = known.clone().filter(|(name, function, aliases)| {
        is_own(name) || is_own(function) || aliases.iter().any(|name| is_own(name))
    });
    let replaced: HashSet<&str> = taken.map(|(_, function, _)| function).collect();
    known.filter(|(_, function, _)| replaced.contains(function)).map(|(name, _, _)| name.to_string()).collect()
}

/// The names of all functions here.
pub fn own_names() -> Vec<String> {
    let aggregates = aggregates().map(|function| function.name().to_string());
    scalar().iter().map(|function| function.name().to_string()).chain(aggregates).collect()
}

fn aggregates() -> impl Iterator<Item = AggregateUDF> {
    let all = numeric_aggregates::functions().into_iter().chain(percentile::functions()).chain(collect::functions());
    all.chain(ngrams::functions()).chain([histogram_numeric::udaf()])
}

/// The scalar functions, the same ones for sessions and for planner rules.
fn scalar() -> &'static [Arc<ScalarUDF>] {
    static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| new_scalar().map(Arc::new).collect());
    &ALL
}

fn new_scalar() -> impl Iterator<Item = ScalarUDF> {
    let single = vec![
        array_insert::udf(),
        cast::udf().as_ref().clone(),
        coalesce::udf(),
        computed_interval::udf(),
        from_json::udf(),
        printed::udf().as_ref().clone(),
        seeded_rand::udf(),
        sentences::udf(),
        super::texts::format::udf(),
        adapted(&spark::hash::xxhash64(), Coercion::Lengths, &[]),
    ];
    let families = [
        single,
        aes::functions(),
        binary::functions(),
        charsets::functions(),
        collections::functions(),
        constructors::functions(),
        date_parts::functions(),
        dates::functions(),
        decimals::functions(),
        hash::functions().into(),
        json::functions(),
        mask::functions(),
        math::functions(),
        rounding::functions(),
        texts::functions(),
        texts::pads().into(),
        xpath::functions(),
    ];
    families.into_iter().flatten()
}

/// Whether a regular expression of Java matches a whole name, in any letter case; `None` for one that does not run here.
pub fn matches_whole(pattern: &str, name: &str) -> Option<bool> {
    // `(a|b)?+c` is possessive: the group never gives back what it matched.
    if let Some((group, rest)) = pattern.strip_prefix('(').and_then(|inner| inner.split_once(")?+"))
        && !group.contains(['(', ')'])
    {
        let first = java_regex::Pattern::new(&format!("(?i)^(?:{group})"))?;
        let taken = first.find(name, 0).and_then(|groups| groups.first().copied().flatten());
        return matches_whole(rest, &name[taken.map_or(0, |(_, end)| end)..]);
    }
    java_regex::Pattern::new(&format!("(?i)^(?:{pattern})$")).map(|pattern| pattern.is_match(name))
}

/// A function of Hive, or a built-in one that its functions are made of.
pub fn hive_function(name: &str) -> Result<Arc<ScalarUDF>> {
    static BY_NAME: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
        let all = scalar().iter().cloned().chain([get_field(), array_sort_udf()]);
        all.map(|function| (function.name().to_string(), function)).collect()
    });
    BY_NAME.get(name).cloned().ok_or_else(|| DataFusionError::Internal(format!("there is no function {name}")))
}
