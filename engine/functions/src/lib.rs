//! SQL functions of our own, one per file or family, in rooms by what they are about; every one carries its documentation for
//! the editor.

mod aggregates;
mod bytes;
pub mod casts;
mod chain;
pub mod common_type;
pub mod decoder;
mod extended;
pub mod hive;
mod hive_values;
pub mod json;
mod lambdas;
mod lists;
mod maps;
mod numbers;
pub mod pass;
mod planned;
mod simple;
mod stock;
mod texts;
pub mod times;
pub mod uint256;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::ScalarUDF;

pub use aggregates::adapted::wanted as wanted_by_aggregate;
pub use aggregates::count_distinct::count_distinct;
pub use aggregates::discrete_percentile::DISCRETE_PERCENTILE;
pub use aggregates::exact::moving::{Frame, Moving};
pub use aggregates::excluding::{EXCLUDED_ROWS, Excluded, excluding};
pub use aggregates::kept::{
    best_and_second_best, best_and_second_best_reaches, has_order, pareto_frontier, pareto_frontier_reaches,
};
pub use aggregates::moving;
pub use aggregates::percentile::NEAREST_PERCENTILE;
pub use bytes::as_hex::as_hex;
pub use bytes::bytearray::bytearray_substring;
pub use bytes::from_hex::hex_to;
pub use casts::settled::{is_settled, settled};
pub use casts::to_json::{JSON_OF_ALL, JSON_OF_KNOWN, TO_JSON, json_object, to_json};
pub use casts::{CAST_AS, cast_as, foreign};
pub use json::extract::{WRAPPED, WRAPPED_UNLESS, json_extract, json_plain};
pub use json::flattened::{JSON_ITEMS, JSON_KEYS, JSON_PATHS, as_json};
pub use json::keys::{JSON_LIST, JSON_OF_ITEMS, json_list, json_of_list};
pub use lambdas::{DOCS as LAMBDAS, FILTER_PLACED, SORT_BY, TRANSFORM_PLACED, widened};
pub use lists::column_of::COLUMN_OF;
pub use lists::items::element_at;
pub use lists::known_list::KNOWN_LIST;
pub use numbers::checked::{checked, checked_negative};
pub use numbers::decimal_text::decimal_of_text;
pub use numbers::divide::{DIVIDE, divide, shift_point, shifted_digits};
pub use numbers::floats;
pub use numbers::remainder::remainder;
pub use numbers::within::WithinDecimals;
pub use planned::apart::APART;
pub use planned::distinct_from::{DISTINCT_FROM, NOT_DISTINCT_FROM, distinct_operator};
pub use planned::may_be_null::may_be_null;
pub use planned::one_zero::one_zero;
pub use planned::only_row::{only_row, value_of_rows};
pub use planned::per_row::per_row;
pub use planned::tried::{Tries, tried};
pub use quarry_types::invalid;
pub use simple::Doc;
use simple::{shared, shared_aggregate};
pub use stock::choose::is_choice;
pub use stock::column_patterns::match_with_column;
pub use stock::concat_operator::concat_operator;
pub use stock::places::of_stock as place_of_list;
pub use stock::sought::is_whole;
pub use stock::wanted::wanted as wanted_by;
pub use texts::nth_position::NTH_POSITION;
pub use times::interval_length::interval_length;
pub use times::interval_scaled::{interval_part, interval_times};
pub use times::time_text::time_text;
pub use times::{ROUND_TIME, now};
pub use uint256::{int256, uint256};

/// Functions that stand for what people write otherwise: they are nobody's to call.
pub const INTERNAL: [&str; 19] = [
    APART,
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
];

/// Adds our functions to a session; some take the place of stock ones of the same name.
pub fn register(state: &mut SessionState) -> Result<()> {
    for function in scalars() {
        state.register_udf(Arc::new(function))?;
    }
    for function in lambdas::functions() {
        state.register_higher_order_function(function)?;
    }
    for function in aggregates::shift::udwfs() {
        state.register_udwf(function)?;
    }
    for function in aggregates::udafs().into_iter().chain(extended::aggregates()) {
        state.register_udaf(function)?;
    }
    Ok(())
}

/// Those of one row, room by room. No two have a name in common, so it does not matter which comes first.
fn scalars() -> impl Iterator<Item = ScalarUDF> {
    let rooms = [
        aggregates::udfs(),
        bytes::udfs(),
        casts::udfs(),
        chain::udfs(),
        json::udfs(),
        lists::udfs(),
        numbers::udfs(),
        planned::udfs(),
        extended::udfs(),
        texts::udfs(),
        times::udfs(),
        uint256::udfs().into(),
    ];
    rooms.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_name_stands_for_one_function() {
        let mut taken: HashMap<String, String> = HashMap::new();
        for function in scalars() {
            for name in function.aliases().iter().map(String::as_str).chain([function.name()]) {
                let other = taken.insert(name.to_string(), function.name().to_string());
                assert!(other.is_none_or(|other| other == function.name()), "{name} stands for two functions");
            }
        }
    }
}
