//! The stock functions that sessions have in place of those of DataFusion: with more types, and under more names.

use std::sync::Arc;

use datafusion::functions::{math, string, unicode};
use datafusion::functions_aggregate::{
    approx_distinct, approx_median, approx_percentile_cont, bit_and_or_xor, bool_and_or, correlation, covariance, regr,
    stddev, string_agg, variance,
};
use datafusion::functions_nested::concat::array_append_udf;
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

use crate::aggregates::{adapted as adapted_aggregate, median, numeric_histogram, percentile, percentile_cont, shape};
use crate::bytes::byte_parts;
use crate::bytes::bytearray::{bit_length, bytearray_concat, bytearray_length, bytearray_reverse};
use crate::lists::{number_lists, overlap, position, within_list};
use crate::numbers::{cut, round, sign, whole};
use crate::stock::adapt::{self, Takes};
use crate::stock::byte_lists::of_byte_lists;
use crate::stock::listed::{or_list, or_lists};
use crate::stock::of_numbers::{Work, or_number};
use crate::stock::or_bytes::or_bytes;
use crate::stock::signed::signed;
use crate::stock::sought::sought;
use crate::stock::{bounded, choose, column_patterns, places};
use crate::texts::{format, joined, substr};

/// Stock functions as people find them here.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let doubles = [
        (math::sqrt(), &[][..]),
        (math::cbrt(), &[]),
        (math::exp(), &[]),
        (math::ln(), &[]),
        (math::log(), &[]),
        (math::log2(), &[]),
        (math::log10(), &[]),
    ];
    let roundings = [
        (math::abs(), &[][..], Work::Size),
        (round::udf(), &[], Work::Round),
        (cut::udf(), &["truncate"], Work::Cut),
        (whole::udf(math::ceil()), &["ceiling"], Work::Nothing),
        (whole::udf(math::floor()), &[], Work::Nothing),
    ];
    let texts = [
        (string::lower(), &[][..]),
        (string::upper(), &[]),
        (unicode::left(), &[]),
        (unicode::right(), &[]),
        (string_to_array_udf(), &[]),
        // It leaves its other names to our own functions.
        (map_extract_udf(), &[]),
    ];
    let adapt =
        |takes: Takes| move |(stock, aliases): (Arc<ScalarUDF>, &[&str])| adapt::adapted(&stock, takes, aliases);
    let mut all: Vec<ScalarUDF> = doubles.into_iter().map(adapt(Takes::Doubles)).collect();
    all.extend(roundings.into_iter().map(|(stock, aliases, work)| or_number(&stock, aliases, work)));
    all.extend(texts.into_iter().map(adapt(Takes::Texts)));
    // A power of whole numbers is a double as everywhere else, so that dividing by it keeps the fraction.
    all.push(adapt::adapted(&math::power(), Takes::Floats, &[]));
    // Of bytes some count bytes and some the hex digits they are shown as.
    let letters =
        or_list(adapt::adapted(&unicode::character_length(), Takes::NoBytes, &[]), signed(array_length_udf()));
    all.push(or_bytes(letters, bytearray_length(), &[]));
    all.push(or_bytes(adapt::adapted(&string::octet_length(), Takes::NoBytes, &[]), bytearray_length(), &[]));
    all.push(or_bytes(adapt::adapted(&string::bit_length(), Takes::NoBytes, &[]), bit_length(), &[]));
    let of_lists = |text, list| or_list(adapt::adapted(&text, Takes::Texts, &[]), list);
    all.push(or_bytes(of_lists(bounded::concat(), bounded::array_concat()), bytearray_concat(), &[]));
    all.push(or_bytes(of_lists(unicode::reverse(), array_reverse_udf()), bytearray_reverse(), &[]));
    for (text, bytes) in of_parts() {
        all.push(or_bytes(adapt::adapted(&text, Takes::Texts, &[]), bytes, &[0, 1]));
    }
    all.extend(bounded::pads().map(|(text, bytes)| or_bytes(text, bytes, &[0, 2])));
    all.push(adapt::adapted(&Arc::new(substr::udf()), Takes::Texts, &[]));
    all.push(spark::array::shuffle().as_ref().clone());
    all.push(spark::math::width_bucket().as_ref().clone());
    all.push(spark::url::url_encode().as_ref().clone());
    all.push(spark::url::url_decode().as_ref().clone());
    all.push(format::udf());
    all.push(math::random().as_ref().clone().with_aliases(["rand"]));
    all.push(string::ascii().as_ref().clone().with_aliases(["codepoint"]));
    all.push(bounded::levenshtein().with_aliases(["levenshtein_distance"]));
    all.extend(number_lists::udfs());
    all.push(or_lists(adapt::adapted(&string::concat_ws(), Takes::Texts, &[]), joined::udf()));
    all.push(sought(signed(Arc::new(position::udf()))));
    let of_lists = [overlap::udf(), array_except_udf().as_ref().clone(), array_intersect_udf().as_ref().clone()];
    all.extend(of_lists.into_iter().chain([array_union_udf().as_ref().clone()]).map(of_byte_lists));
    all.push(sign::udf());
    let of_items = [
        Arc::new(within_list::udf()),
        array_append_udf(),
        signed(array_positions_udf()),
        array_remove_udf(),
        array_remove_all_udf(),
    ];
    all.extend(of_items.map(sought));
    let of_lists = [array_length_udf(), array_dims_udf(), array_ndims_udf()];
    all.extend(of_lists.map(|stock| signed(stock).as_ref().clone()));
    all.push(math::isnan().as_ref().clone().with_aliases(["is_nan"]));
    all.extend(places::udfs());
    all.extend(bounded::udfs());
    all.extend(column_patterns::udfs());
    all.extend(choose::udfs());
    all
}

/// Functions that look in a text for another one, each with what it is of bytes in which others are looked for.
fn of_parts() -> [(Arc<ScalarUDF>, Arc<ScalarUDF>); 8] {
    [
        (unicode::strpos(), byte_parts::position()),
        (string::starts_with(), byte_parts::starts_with()),
        (string::ends_with(), byte_parts::ends_with()),
        (bounded::replace(), byte_parts::replace()),
        (string::btrim(), byte_parts::of_texts_only()),
        (string::ltrim(), byte_parts::of_texts_only()),
        (string::rtrim(), byte_parts::of_texts_only()),
        (string::split_part(), byte_parts::of_texts_only()),
    ]
}

/// Stock aggregates as people find them here.
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
    let adapted = |takes: Takes| {
        move |(stock, aliases): (Arc<AggregateUDF>, &[&str])| adapted_aggregate::adapted(&stock, takes, aliases)
    };
    let mut all: Vec<Arc<AggregateUDF>> = doubles.into_iter().map(adapted(Takes::Doubles)).collect();
    all.push(adapted_aggregate::adapted(&approx_distinct::approx_distinct_udaf(), Takes::Bytes, &[]));
    let any = [
        (bit_and_or_xor::bit_and_udaf(), &["bitwise_and_agg"][..]),
        (bit_and_or_xor::bit_or_udaf(), &["bitwise_or_agg"]),
        (bit_and_or_xor::bit_xor_udaf(), &["bitwise_xor_agg"]),
        (bool_and_or::bool_and_udaf(), &[]),
        (bool_and_or::bool_or_udaf(), &[]),
    ];
    all.extend(any.into_iter().map(adapted(Takes::NoBytes)));
    all.push(median::aggregate());
    all.extend(percentile::aggregates());
    all.extend(shape::aggregates());
    all.push(numeric_histogram::aggregate());
    all.push(adapted_aggregate::adapted(&string_agg::string_agg_udaf(), Takes::Texts, &[]));
    all
}
