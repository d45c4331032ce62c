//! The rules of the analyzer, in order.

use std::sync::Arc;

use datafusion::optimizer::analyzer::Analyzer;
use quarry_functions::{CompileTry, check_decimal_overflow};
use quarry_types::Result;

use super::steps::{AnalyzerSteps, Dialect, Part, Step, Steps, analyze, analyze_all};
use crate::analyzer::{
    CoerceTypes, ExpandMacros, cast_floats_to_decimals, check_integer_overflow, compare_intervals_by_length,
    compare_nested_values, extract_volatile_expressions, format_times, normalize_floats, split_in_lists,
};
use crate::decorrelation::{DecorrelateSubqueries, ReplaceSetComparisons};
use crate::hive::conversions::{coerce_join_keys, use_hive_casts};
use crate::hive::group_order::sort_groups;
use crate::hive::mixed_types::coerce_unions;
use crate::hive::subquery_order::use_subquery_order;
use crate::hive::union_limits::interleave_union_rows;
use crate::node_rules::{RewriteNode, rewrite_expressions};
use crate::optimizer::common_subplan::ShareCommonSubplans;
use crate::sql_extensions::frame_exclusion::expand_frame_exclusion;
use crate::workarounds::case_bytes::cast_case_bytes;
use crate::workarounds::guards::keep_boolean_case;
use crate::workarounds::intersect_all::number_duplicates;
use crate::workarounds::outer_references::RetypeOuterReferences;
use crate::workarounds::scalar_subqueries::MarkScalarSubqueriesNullable;

/// The rules that give a plan its meaning: types, casts, and forms that DataFusion has no plan for.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn analyzer(dialect: Dialect) -> Result<AnalyzerSteps> {
    let mut steps = Steps::stock(Analyzer::new().rules);
    let is_hive = dialect == Dialect::Hive;
    steps.first(Step::ours(
        Arc::new(CoerceTypes { only_chain: is_hive }),
        "Type coercion of bytes, hex, uint256, JSON, times and decimals in operators, casts, calls, CASE \
         and UNION.",
    ));
    if !is_hive {
        steps.first(Step::ours(
            Arc::new(ExpandMacros),
            "Replaces functions that stand for an expression, as `div0(a, b)`, and other names of \
             functions, as `len`.",
        ));
    }
    steps.first(analyze(
        "extract_volatile_expressions",
        extract_volatile_expressions,
        "Computes `random()` and the like once for each row, as a column. Otherwise BETWEEN computes it \
         twice (apache/datafusion#25457), and filters with it move below joins.",
    ));
    if is_hive {
        steps.first(analyze_all(
            "hive_coerce_types",
            "Coerces types as Hive does.",
            &[
                (
                    "coerce_unions",
                    coerce_unions,
                    "Values of several types in UNION: a text and a day are texts, a decimal and a float \
                     are floats.",
                ),
                (
                    "coerce_join_keys",
                    coerce_join_keys,
                    "Compares join keys of different types as Hive does: a text and a number as doubles.",
                ),
            ],
        ));
        steps.first(analyze(
            "hive_use_subquery_order",
            use_subquery_order,
            "Keeps the order of a subquery for `collect_list`, and drops it where nothing depends on it.",
        ));
    }
    steps.first(analyze(
        "number_duplicates",
        number_duplicates,
        "INTERSECT ALL and EXCEPT ALL count duplicates (apache/datafusion#12955, apache/datafusion#12956).",
    ));
    if !is_hive {
        steps.move_first(
            "resolve_grouping_function",
            "Runs first: the next steps give group keys an alias, and the stock rule does not look below it.",
        );
    }
    steps.last(Step::ours(
        Arc::new(RetypeOuterReferences),
        "Outer columns in a subquery get the type that they have outside, which a UNION may have changed.",
    ));
    steps.last(Step::ours(
        Arc::new(MarkScalarSubqueriesNullable),
        "A scalar subquery is null where it has no row. The stock simplifier relies on its column not \
         being null (apache/datafusion#24516, apache/datafusion#24534).",
    ));
    steps.last(Step::ours(
        Arc::new(ReplaceSetComparisons),
        "`x < ANY (query)` and `x < ALL (query)` become EXISTS, so that the next step sees the comparison.",
    ));
    const FLOAT_CASTS: Part<RewriteNode> = (
        "cast_floats_to_decimals",
        cast_floats_to_decimals,
        "Casts doubles to decimals by their shortest text. The stock cast multiplies them, and \
         1000000007 gets digits behind its point.",
    );
    const FLOATS: Part<RewriteNode> = (
        "normalize_floats",
        normalize_floats,
        "`-0.0` is `0.0`, and NaN is one value. The stock kernels compare doubles bit by bit \
         (apache/datafusion#11108).",
    );
    const IN_LISTS: Part<RewriteNode> = (
        "split_in_lists",
        split_in_lists,
        "Takes columns, computed values and nulls out of IN lists. The stock simplifier combines lists as \
         if they held constants.",
    );
    const CASE_BYTES: Part<RewriteNode> = (
        "cast_case_bytes",
        cast_case_bytes,
        "`CASE bytes WHEN 0x…` compares variable-width bytes. The stock lookup table panics on \
         fixed-width ones (since apache/datafusion#18183).",
    );
    match dialect {
        Dialect::Sql => steps.last(analyze_all(
            "rewrite_expressions",
            "Replaces expressions when types are known.",
            &[
                (
                    "check_integer_overflow",
                    check_integer_overflow,
                    "`+`, `-` and `*` of integers fail on overflow instead of wrapping.",
                ),
                (
                    "compare_intervals_by_length",
                    compare_intervals_by_length,
                    "The stock comparison of intervals goes part by part: 25 hours are less than a day \
                     (apache/datafusion#8468).",
                ),
                (
                    "compare_nested_values",
                    compare_nested_values,
                    "Compares lists and rows as ORDER BY sorts them: nulls inside come last.",
                ),
                (
                    "format_times",
                    format_times,
                    "Casts times and intervals to the text that results show, and texts to times also where they \
                     have no seconds, or one digit of a part.",
                ),
                FLOAT_CASTS,
                FLOATS,
                IN_LISTS,
                CASE_BYTES,
                (
                    "check_decimal_overflow",
                    |plan| rewrite_expressions(plan, check_decimal_overflow),
                    "Decimal arithmetic with all 38 or 76 digits fails where a result has one digit more.",
                ),
                (
                    "keep_boolean_case",
                    keep_boolean_case,
                    "Keeps a CASE of conditions a CASE. As AND and OR its branches would be evaluated in any order.",
                ),
                (
                    "expand_frame_exclusion",
                    expand_frame_exclusion,
                    "Window frames with EXCLUDE become calls of window functions of ours \
                     (apache/datafusion-sqlparser-rs#2500).",
                ),
            ],
        )),
        Dialect::Hive => {
            steps.last(analyze_all(
                "rewrite_expressions",
                "Replaces expressions when types are known.",
                &[
                    FLOAT_CASTS,
                    FLOATS,
                    IN_LISTS,
                    CASE_BYTES,
                    ("use_hive_casts", use_hive_casts, "Casts of texts are null where they fail."),
                ],
            ));
            steps.last(analyze_all(
                "hive_order_rows",
                "The rows of LIMIT are the same in every run.",
                &[
                    (
                        "interleave_union_rows",
                        interleave_union_rows,
                        "LIMIT over UNION ALL takes rows of the inputs in turn, the same in every run.",
                    ),
                    (
                        "sort_groups",
                        sort_groups,
                        "Groups come in the order of their keys, as from one of Hive's reducers.",
                    ),
                ],
            ));
        }
    }
    steps.last(Step::ours(
        Arc::new(CompileTry),
        "`try(x)` evaluates x where its failure can be caught: null in the rows that fail.",
    ));
    steps.last(Step::ours(
        Arc::new(DecorrelateSubqueries),
        "Joins correlated subqueries that the stock rules refuse, after Neumann and Kemper, \"Unnesting \
         arbitrary queries\".",
    ));
    steps.last(Step::ours(
        Arc::new(ShareCommonSubplans),
        "A part of a query that occurs more than once \
         runs once.",
    ));
    steps.finish()
}
