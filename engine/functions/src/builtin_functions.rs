//! DataFusion's built-in functions as sessions have them: for more types, and under more names.

use std::sync::Arc;

use datafusion::functions::{math, string, unicode};
use datafusion::functions_aggregate::{
    approx_distinct, approx_median, approx_percentile_cont, bit_and_or_xor, bool_and_or, correlation, covariance, regr,
    stddev, string_agg, variance,
};
use datafusion::functions_nested::dimension::{array_dims_udf, array_ndims_udf};
use datafusion::functions_nested::except::array_except_udf;
use datafusion::functions_nested::length::array_length_udf;
use datafusion::functions_nested::map_extract::map_extract_udf;
use datafusion::functions_nested::position::array_positions_udf;
use datafusion::functions_nested::remove::{array_remove_all_udf, array_remove_udf};
use datafusion::functions_nested::reverse::array_reverse_udf;
use datafusion::functions_nested::set_ops::{array_intersect_udf, array_union_udf};
use datafusion::functions_nested::string::string_to_array_udf;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion_spark::function as spark;

use crate::aggregates::{adapted as adapted_aggregate, percentile_cont};
use crate::bytes::bytearray::{
    bytearray_bit_length, bytearray_concat, bytearray_ends_with, bytearray_length, bytearray_position,
    bytearray_replace, bytearray_reverse, bytearray_starts_with, texts_only,
};
use crate::lists::{null_items, number_lists};
use crate::numbers::{ceil_floor, round, sign, trunc};
use crate::texts::{concat_ws, format, substr};
use crate::wrappers::adapt::{Coercion, adapted};
use crate::wrappers::byte_lists::of_byte_lists;
use crate::wrappers::list_items::of_list_items;
use crate::wrappers::null_lists::{array_append, array_prepend};
use crate::wrappers::number_rounding::{Rounding, of_numbers};
use crate::wrappers::overload::{When, overloaded};
use crate::wrappers::signed::signed;
use crate::wrappers::{bounded, choice, column_patterns, list_positions};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = of_numbers_and_texts();
    all.extend(of_bytes());
    all.extend(of_lists());
    all.extend([
        spark::array::shuffle().as_ref().clone(),
        spark::math::width_bucket().as_ref().clone(),
        spark::url::url_encode().as_ref().clone(),
        spark::url::url_decode().as_ref().clone(),
        format::udf(),
        math::random().as_ref().clone().with_aliases(["rand"]),
        string::ascii().as_ref().clone().with_aliases(["codepoint"]),
        bounded::levenshtein().with_aliases(["levenshtein_distance"]),
        sign::udf(),
        math::isnan().as_ref().clone().with_aliases(["is_nan"]),
    ]);
    all.extend(bounded::udfs());
    all.extend(column_patterns::udfs());
    all.extend(choice::udfs());
    all
}

fn of_numbers_and_texts() -> Vec<ScalarUDF> {
    let roundings = [
        (math::abs(), &[][..], Rounding::Abs),
        (round::udf(), &[], Rounding::Round),
        (trunc::udf(), &["truncate"], Rounding::Truncate),
        (ceil_floor::udf(math::ceil()), &["ceiling"], Rounding::Whole),
        (ceil_floor::udf(math::floor()), &[], Rounding::Whole),
    ];
    let doubles = [math::sqrt(), math::cbrt(), math::exp(), math::ln(), math::log(), math::log2(), math::log10()];
    let texts = [
        string::lower(),
        string::upper(),
        unicode::left(),
        unicode::right(),
        string_to_array_udf(),
        // It leaves its aliases to our own functions.
        map_extract_udf(),
        Arc::new(substr::udf()),
    ];
    let roundings = roundings.map(|(builtin, aliases, rounding)| of_numbers(&builtin, aliases, rounding));
    let doubles = doubles.map(|builtin| adapted(&builtin, Coercion::Doubles, &[]));
    let texts = texts.map(|builtin| adapted(&builtin, Coercion::Texts, &[]));
    // A power of whole numbers is a double as in other products, so that dividing by it keeps the fraction.
    let power = adapted(&math::power(), Coercion::Floats, &[]);
    roundings.into_iter().chain(doubles).chain(texts).chain([power]).collect()
}

/// Functions of texts that are others for bytes: some count bytes, and some the hex digits that bytes are shown as.
fn of_bytes() -> Vec<ScalarUDF> {
    let length = |builtin| adapted(&builtin, Coercion::NoBytes, &[]);
    let text = |builtin| adapted(&builtin, Coercion::Texts, &[]);
    let character_length = overloaded(length(unicode::character_length()), When::Lists, signed(array_length_udf()));
    let of_all_bytes = [
        (character_length, bytearray_length()),
        (length(string::octet_length()), bytearray_length()),
        (length(string::bit_length()), bytearray_bit_length()),
        (overloaded(text(bounded::concat()), When::Lists, bounded::array_concat()), bytearray_concat()),
        (overloaded(text(unicode::reverse()), When::Lists, array_reverse_udf()), bytearray_reverse()),
    ];
    let of_parts = [
        (unicode::strpos(), bytearray_position()),
        (string::starts_with(), bytearray_starts_with()),
        (string::ends_with(), bytearray_ends_with()),
        (bounded::replace(), bytearray_replace()),
        (string::btrim(), texts_only()),
        (string::ltrim(), texts_only()),
        (string::rtrim(), texts_only()),
        (string::split_part(), texts_only()),
    ];
    let of_all_bytes = of_all_bytes.map(|(text, bytes)| overloaded(text, When::Bytes(&[]), bytes));
    let of_parts = of_parts.map(|(builtin, bytes)| overloaded(text(builtin), When::Bytes(&[0, 1]), bytes));
    let pads = bounded::pads().map(|(text, bytes)| overloaded(text, When::Bytes(&[0, 2]), bytes));
    of_all_bytes.into_iter().chain(of_parts).chain(pads).collect()
}

fn of_lists() -> Vec<ScalarUDF> {
    let of_two_lists = [
        null_items::arrays_overlap(),
        array_except_udf().as_ref().clone(),
        array_intersect_udf().as_ref().clone(),
        array_union_udf().as_ref().clone(),
    ];
    let of_items = [
        signed(Arc::new(null_items::array_position())),
        Arc::new(null_items::array_has()),
        signed(array_positions_udf()),
        array_remove_udf(),
        array_remove_all_udf(),
    ];
    let counts = [array_length_udf(), array_dims_udf(), array_ndims_udf()];
    let concat_ws = adapted(&string::concat_ws(), Coercion::Texts, &[]);
    let mut all = vec![overloaded(concat_ws, When::ListsAndTexts, concat_ws::udf())];
    all.extend(of_two_lists.map(of_byte_lists));
    all.extend(of_items.map(of_list_items));
    all.extend([array_append(), array_prepend()].map(Arc::unwrap_or_clone));
    all.extend(counts.map(|builtin| signed(builtin).as_ref().clone()));
    all.extend(list_positions::udfs());
    all.extend(number_lists::udfs());
    all
}

pub(super) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let doubles = [
        (approx_median::approx_median_udaf(), &[][..]),
        (approx_percentile_cont::approx_percentile_cont_udaf(), &[]),
        (correlation::corr_udaf(), &[]),
        (covariance::covar_pop_udaf(), &[]),
        (covariance::covar_samp_udaf(), &[]),
        (percentile_cont::aggregate(), &["quantile_cont"]),
        (regr::regr_avgx_udaf(), &[]),
        (regr::regr_avgy_udaf(), &[]),
        (regr::regr_count_udaf(), &[]),
        (regr::regr_intercept_udaf(), &[]),
        (regr::regr_r2_udaf(), &[]),
        (regr::regr_slope_udaf(), &[]),
        (regr::regr_sxx_udaf(), &[]),
        (regr::regr_sxy_udaf(), &[]),
        (regr::regr_syy_udaf(), &[]),
        (stddev::stddev_pop_udaf(), &[]),
        (stddev::stddev_udaf(), &[]),
        (variance::var_pop_udaf(), &[]),
        (variance::var_samp_udaf(), &["variance"]),
    ];
    let adapted = |takes: Coercion| {
        move |(builtin, aliases): (Arc<AggregateUDF>, &[&str])| adapted_aggregate::adapted(&builtin, takes, aliases)
    };
    let mut all: Vec<Arc<AggregateUDF>> = doubles.into_iter().map(adapted(Coercion::Doubles)).collect();
    all.push(adapted_aggregate::adapted(&approx_distinct::approx_distinct_udaf(), Coercion::Bytes, &[]));
    let any = [
        (bit_and_or_xor::bit_and_udaf(), &["bitwise_and_agg"][..]),
        (bit_and_or_xor::bit_or_udaf(), &["bitwise_or_agg"]),
        (bit_and_or_xor::bit_xor_udaf(), &["bitwise_xor_agg"]),
        (bool_and_or::bool_and_udaf(), &[]),
        (bool_and_or::bool_or_udaf(), &[]),
    ];
    all.extend(any.into_iter().map(adapted(Coercion::NoBytes)));
    all.push(adapted_aggregate::adapted(&string_agg::string_agg_udaf(), Coercion::Texts, &[]));
    all
}
