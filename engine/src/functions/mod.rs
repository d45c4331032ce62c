//! SQL functions of our own, one per file or family; every one carries its documentation for the editor.

mod abi;
mod adapt;
mod adapt_aggregate;
mod aggregate;
mod apart;
mod array_agg;
mod as_hex;
mod avg;
mod base58;
mod bits;
mod bounded;
mod byte_parts;
mod bytearray;
pub(crate) mod bytes;
mod casts;
mod checked;
mod checksum;
mod choose;
mod column_of;
mod count_distinct;
mod cut;
mod data_size;
mod dates;
mod decimal_text;
mod decode;
mod digits;
mod discrete_percentile;
mod distances;
mod distinct_from;
mod divide;
mod durations;
mod encodings;
mod entries;
mod epoch;
mod excluding;
mod extreme;
mod fingerprint;
mod flattened;
pub(crate) mod floats;
pub(crate) mod foreign;
mod format;
mod from_hex;
mod get;
mod hashes;
pub(crate) mod hive;
mod hmac;
mod ieee754;
mod interval_length;
mod interval_scaled;
mod joined;
mod json;
mod json_keys;
pub(crate) mod json_text;
mod json_written;
mod keccak256;
mod kept;
mod known_list;
mod known_names;
mod lambdas;
mod list_sums;
mod listed;
mod lists;
mod maps;
mod may_be_null;
mod median;
pub(crate) mod now;
mod nth_position;
mod number_lists;
mod numeric;
mod numeric_histogram;
mod of_numbers;
mod one_zero;
mod only_row;
mod or_bytes;
mod overlap;
mod padded;
pub(crate) mod pass;
mod per_row;
mod percentile;
mod percentile_cont;
mod pieces;
mod position;
mod probability;
mod radix;
mod regexp;
mod remainder;
mod repeated;
mod replacement;
mod round;
mod sequence;
mod settled;
mod shape;
mod short_address;
mod sign;
mod simple;
mod sketches;
mod sought;
mod split;
mod stock;
mod substr;
mod sum;
mod texts_as_bytes;
mod time_text;
mod to_eth;
mod to_hex;
mod tried;
mod type_of;
pub(crate) mod uint256;
mod urls;
mod utc;
mod vectors;
mod whole;
mod within;
mod within_list;
mod wrapped;

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

use crate::labels;

pub(crate) use adapt::wanted as wanted_by;
pub(crate) use adapt_aggregate::wanted as wanted_by_aggregate;
pub(crate) use aggregate::moving::{Frame, Moving};
pub(crate) use apart::APART;
pub(crate) use as_hex::as_hex;
pub(crate) use bytearray::bytearray_substring;
pub(crate) use casts::{CAST_AS, cast_as};
pub(crate) use checked::{checked, checked_negative};
pub(crate) use choose::is_choice;
pub(crate) use column_of::COLUMN_OF;
pub(crate) use count_distinct::count_distinct;
pub(crate) use dates::ROUND_TIME;
pub(crate) use decimal_text::decimal_of_text;
pub(crate) use discrete_percentile::DISCRETE_PERCENTILE;
pub(crate) use distinct_from::{DISTINCT_FROM, NOT_DISTINCT_FROM, distinct_operator};
pub(crate) use divide::{DIVIDE, divide, shift_point, shifted_digits};
pub(crate) use excluding::{EXCLUDED_ROWS, Excluded, excluding};
pub(crate) use flattened::{JSON_ITEMS, JSON_KEYS, JSON_PATHS, as_json};
pub(crate) use from_hex::hex_to;
pub(crate) use interval_length::interval_length;
pub(crate) use interval_scaled::{interval_part, interval_times};
pub(crate) use json::{json_extract, json_plain};
pub(crate) use json_keys::{JSON_LIST, JSON_OF_ITEMS, json_list, json_of_list};
pub(crate) use json_written::{JSON_OF_ALL, JSON_OF_KNOWN, TO_JSON, json_object, to_json};
pub(crate) use kept::{has_order, runner_up, runner_up_reaches, staircase, staircase_reaches};
pub(crate) use known_list::KNOWN_LIST;
pub(crate) use lambdas::{DOCS as LAMBDAS, FILTER_PLACED, SORT_BY, TRANSFORM_PLACED, widened};
pub(crate) use may_be_null::may_be_null;
pub(crate) use nth_position::NTH_POSITION;
pub(crate) use one_zero::one_zero;
pub(crate) use only_row::{only_row, value_of_rows};
pub(crate) use per_row::per_row;
pub(crate) use percentile::NEAREST_PERCENTILE;
pub(crate) use remainder::remainder;
pub(crate) use settled::{is_settled, settled};
pub(crate) use simple::{Doc, invalid};
pub(crate) use sought::is_whole;
pub(crate) use time_text::time_text;
pub(crate) use tried::{Tries, tried};
pub(crate) use uint256::{int256, uint256};
pub(crate) use within::WithinDecimals;

/// Functions that stand for what people write otherwise: they are nobody's to call.
pub(crate) const INTERNAL: [&str; 19] = [
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

/// What an aggregate is in a frame that moves, if it can be told for whole columns: exact sums and means.
pub(crate) fn moving(function: &AggregateUDF, from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    match function {
        function if function == sum::sum().as_ref() => sum::moving(from, to, frame),
        function if function == avg::avg().as_ref() => avg::moving(from, to, frame),
        _ => None,
    }
}

/// Adds our functions to a session; some take the place of stock ones of the same name.
pub(crate) fn register(state: &mut SessionState) -> Result<()> {
    let single = vec![
        apart::udf(),
        casts::udf(),
        checksum::udf(),
        column_of::udf(),
        epoch::udf(),
        excluding::udf(),
        fingerprint::udf(),
        from_hex::udf(),
        get::udf(),
        divide().as_ref().clone(),
        json_written::udf(),
        keccak256::udf(),
        known_list::udf(),
        nth_position::udf(),
        short_address::udf(),
        split::udf(),
        to_eth::udf("to_eth", 18, "Wei as ether, exact."),
        to_eth::udf("to_gwei", 9, "Wei as gwei, exact."),
        to_hex::udf(),
        tried::udf(),
        type_of::udf(),
    ];
    let families = [
        single,
        abi::udfs().into(),
        known_names::udfs().into(),
        base58::udfs().into(),
        bits::udfs(),
        bounded::udfs(),
        uint256::udfs().into(),
        bytearray::udfs(),
        padded::udfs().into(),
        choose::udfs().into(),
        data_size::udfs(),
        dates::udfs(),
        decode::udfs(),
        distances::udfs(),
        distinct_from::udfs(),
        durations::udfs(),
        encodings::udfs(),
        entries::udfs(),
        flattened::udfs(),
        floats::udfs(),
        hashes::udfs(),
        hmac::udfs(),
        ieee754::udfs(),
        json::udfs(),
        json_keys::udfs(),
        json_written::objects().into(),
        list_sums::udfs(),
        lists::udfs(),
        maps::udfs(),
        numeric::udfs(),
        pieces::udfs(),
        probability::udfs(),
        radix::udfs(),
        regexp::udfs(),
        sequence::udfs(),
        sketches::udfs(),
        stock::scalars(),
        texts_as_bytes::udfs(),
        urls::udfs(),
        utc::udfs().into(),
        vectors::udfs(),
        labels::placeholders().into(),
    ];
    for function in families.into_iter().flatten() {
        state.register_udf(Arc::new(function))?;
    }
    for function in lambdas::functions() {
        state.register_higher_order_function(function)?;
    }
    let aggregates = [sum::sum(), avg::avg(), array_agg::aggregate(), discrete_percentile::aggregate()]
        .into_iter()
        .chain(extreme::both())
        .chain(sketches::aggregates())
        .chain(stock::aggregates());
    for function in aggregates {
        state.register_udaf(function)?;
    }
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
