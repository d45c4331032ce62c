//! SQL functions, in folders by subject; each has its documentation for the editor.

mod aggregates;
mod builtin_functions;
mod bytes;
pub mod casts;
mod chain;
pub mod common_type;
pub mod decoder;
mod fallible;
pub mod hive;
mod hive_values;
mod interval_lengths;
pub mod json;
mod lambdas;
mod lists;
mod maps;
mod nested_order;
mod number_text;
mod numbers;
pub mod plan_rewrite;
mod planner_calls;
mod prelude;
pub mod remote;
mod rows;
mod scalar_udf;
mod texts;
pub mod times;
pub mod tree_walk;
pub mod uint256;
mod wrappers;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub use aggregates::adapted::argument_fields as aggregate_argument_fields;
pub use aggregates::approx_percentile::NEAREST_PERCENTILE;
pub use aggregates::count_distinct::count_distinct;
pub use aggregates::exact::moving::{Frame, Moving};
pub use aggregates::frame_exclusion::{EXCLUDED_ROWS, FrameExclusion, exclude_rows};
pub use aggregates::moving;
pub use aggregates::percentile_disc::DISCRETE_PERCENTILE;
pub use aggregates::semi_join_summary::{
    best_and_second_best, best_and_second_best_reaches, has_order, pareto_frontier, pareto_frontier_reaches,
};
pub use bytes::bytearray::bytearray_substring;
pub use bytes::hex::{as_hex, hex_to, lower_hex};
pub use casts::to_json::{JSON_OF_ALL, JSON_OF_KNOWN, TO_JSON, json_object, to_json};
pub use casts::{CAST_AS, cast_as, foreign};
pub use fallible::fails_on;
pub use json::extract::{WRAPPED, WRAPPED_UNLESS, json_extract, json_plain};
pub use json::flattened::{JSON_ITEMS, JSON_KEYS, JSON_PATHS, as_json};
pub use json::keys::{JSON_LIST, JSON_OF_ITEMS, json_list, json_of_list};
pub use lambdas::{DOCS as LAMBDAS, FILTER_PLACED, SORT_BY, TRANSFORM_PLACED, widened};
pub use lists::item_access::element_at;
pub use lists::null_free_list::KNOWN_LIST;
pub use lists::unnest_column::COLUMN_OF;
pub use nested_order::{nested_order, rows_equal};
pub use numbers::decimal_precision::check_decimal_overflow;
pub use numbers::divide::{DIVIDE, divide, shift_point, shifted_digits};
pub use numbers::operators::{checked, checked_negative, remainder};
pub use planner_calls::{
    CAST_APART, CompileTry, DISTINCT_FROM, NOT_DISTINCT_FROM, distinct_operator, has_floats, may_be_null, one_zero,
    only_row, per_row, try_call, value_of_rows,
};
pub use scalar_udf::{Doc, FailsOn, shared_functions};
pub use texts::nth_position::NTH_POSITION;
pub use texts::similar_to::{SIMILAR_PATTERN, similar_pattern};
pub use times::{ROUND_TIME, interval_length, interval_part, interval_times, now};
pub use uint256::{int256, uint256};
pub use wrappers::choice::first_choice;
pub use wrappers::column_patterns::match_with_column;
pub use wrappers::concat_operator::concat_operator;
pub use wrappers::list_items::is_whole;
pub use wrappers::list_positions::list_position_udf;
pub use wrappers::overload::argument_fields;

/// Calls that the planner makes of other syntax; they are in no list of functions.
pub const INTERNAL: [&str; 20] = [
    CAST_APART,
    CAST_AS,
    COLUMN_OF,
    DISCRETE_PERCENTILE,
    DISTINCT_FROM,
    DIVIDE,
    EXCLUDED_ROWS,
    JSON_ITEMS,
    JSON_KEYS,
    JSON_LIST,
    JSON_OF_ALL,
    JSON_OF_ITEMS,
    JSON_OF_KNOWN,
    JSON_PATHS,
    KNOWN_LIST,
    NEAREST_PERCENTILE,
    NOT_DISTINCT_FROM,
    NTH_POSITION,
    ROUND_TIME,
    SIMILAR_PATTERN,
];

/// Adds our functions to a session; some replace built-in ones of the same name.
pub fn register(state: &mut SessionState) -> Result<()> {
    for function in scalars() {
        state.register_udf(Arc::new(function))?;
    }
    for function in lambdas::functions() {
        state.register_higher_order_function(function)?;
    }
    for function in aggregates::lead_lag::udwfs() {
        state.register_udwf(function)?;
    }
    for function in aggregates::udafs().into_iter().chain(builtin_functions::aggregates()) {
        state.register_udaf(function)?;
    }
    Ok(())
}

/// The aggregates of which planner rules have one instance for the whole process. No two have a name in common.
pub fn shared_aggregates() -> impl Iterator<Item = Arc<AggregateUDF>> {
    let numeric = [aggregates::sum::sum(), aggregates::avg::avg(), count_distinct()];
    numeric.into_iter().chain(hive::collect::functions_by_key().iter().cloned())
}

/// The scalar functions. No two have a name in common, so their order does not matter.
fn scalars() -> impl Iterator<Item = ScalarUDF> {
    let folders = [
        aggregates::udfs(),
        bytes::udfs(),
        casts::udfs(),
        chain::udfs(),
        json::udfs(),
        lists::udfs(),
        numbers::udfs(),
        planner_calls::udfs(),
        builtin_functions::udfs(),
        texts::udfs(),
        times::udfs(),
        uint256::udfs().into(),
    ];
    folders.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_two_functions_have_a_name_in_common() {
        let mut taken: HashMap<String, String> = HashMap::new();
        for function in scalars() {
            for name in function.aliases().iter().map(String::as_str).chain([function.name()]) {
                let other = taken.insert(name.to_string(), function.name().to_string());
                assert!(other.is_none_or(|other| other == function.name()), "two functions are called {name}");
            }
        }
    }

    #[test]
    fn no_two_shared_aggregates_have_a_name_in_common() {
        let mut names: Vec<String> = shared_aggregates().map(|function| function.name().to_string()).collect();
        names.sort();
        assert_eq!(names, ["avg", "collect_list", "collect_set", "count_distinct", "sum"]);
    }
}
