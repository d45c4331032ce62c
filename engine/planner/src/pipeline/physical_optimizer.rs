//! The rules of the physical optimizer, in order.

use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use quarry_types::Result;

use super::steps::{PhysicalSteps, Steps, rewrite_all_operators, rewrite_operators};
use crate::physical_optimizer::scan_filters::pull_up_null_filters;
use crate::physical_optimizer::sliding_windows::use_sliding_windows;
use crate::physical_optimizer::yield_by_time::yield_by_time;
use crate::workarounds::aggregate_statistics::guard_aggregate_statistics;
use crate::workarounds::filter_projections::guard_filter_projections;
use crate::workarounds::filter_pushdown::guard_filter_pushdown;
use crate::workarounds::group_key_constraints::{hide_group_keys, hide_group_keys_from_sorts};
use crate::workarounds::grouping_sets::hide_grouping_set_properties;
use crate::workarounds::join_properties::{add_missing_sorts, hide_join_properties};
use crate::workarounds::lambda_projections::guard_projection_pushdown;
use crate::workarounds::limit_aggregation::guard_limit_aggregation;
use crate::workarounds::limits::{keep_sorts_above_limits, repeat_limits, require_limit_order};
use crate::workarounds::nested_loop_join::prevent_nested_loop_spill;
use crate::workarounds::property_barrier::remove_barriers;
use crate::workarounds::sort_preserving_merge::merge_by_all_keys;
use crate::workarounds::topk_keys::sort_topk_by_merge_keys;
use crate::workarounds::window_orders::hide_window_orders;

/// The rules that choose and correct operators.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn physical_optimizer() -> Result<PhysicalSteps> {
    let mut steps = Steps::stock(PhysicalOptimizer::new().rules);
    steps.first(rewrite_operators(
        "hide_grouping_set_properties",
        hide_grouping_set_properties,
        "What holds for the rows of ROLLUP and CUBE's input does not hold for totals, where the keys are null.",
    ));
    steps.around(
        "aggregate_statistics",
        guard_aggregate_statistics,
        "No bounds of cast columns, and no aggregates with FILTER from statistics (apache/datafusion#25221).",
    );
    let pushdown = "Filters pass an operator only where names find the same columns below it \
                    (apache/datafusion#25244), and none on lists (apache/datafusion#24109) or doubles \
                    (apache/datafusion#15812) reaches a scan.";
    steps.around("FilterPushdown", guard_filter_pushdown, pushdown);
    steps.around("FilterPushdown(Post)", guard_filter_pushdown, pushdown);
    steps.before(
        "EnsureRequirements",
        rewrite_all_operators(
            "correct_properties",
            "Corrects what operators promise of their rows, for the next rule.",
            &[
                (
                    "require_limit_order",
                    require_limit_order,
                    "Requires the order below a limit that skips rows (apache/datafusion#23534), and repeats the \
                     limit of a sort that is dropped.",
                ),
                (
                    "keep_sorts_above_limits",
                    keep_sorts_above_limits,
                    "A sort above a limit sorts the rows of the limit (apache/datafusion#25408).",
                ),
                (
                    "hide_window_orders",
                    hide_window_orders,
                    "Rows are not sorted by the count of a sliding frame, as DataFusion says.",
                ),
                (
                    "hide_group_keys",
                    hide_group_keys,
                    "Hides that groups are unique by their keys: projections pass that on by the wrong columns, \
                     and sorts are dropped.",
                ),
                (
                    "hide_join_properties",
                    hide_join_properties,
                    "Outer joins do not keep constants of the side that they fill with nulls, nor inner joins the \
                     order of the build side (apache/datafusion#25052).",
                ),
            ],
        ),
    );
    steps.after(
        "EnsureRequirements",
        rewrite_all_operators(
            "correct_merges",
            "Corrects what the rule before made.",
            &[
                (
                    "remove_barriers",
                    remove_barriers,
                    "Takes out what `hide_group_keys` and `keep_sorts_above_limits` put in.",
                ),
                (
                    "merge_by_all_keys",
                    merge_by_all_keys,
                    "A merge with a limit compares all columns by which its inputs are sorted \
                     (apache/datafusion#25378).",
                ),
            ],
        ),
    );
    steps.around(
        "ProjectionPushdown",
        |stock| guard_projection_pushdown(guard_filter_projections(stock)),
        "Expressions with lambdas stay above their input, and whole: the stock rule does not correct the places of \
         variables. Projections swap only with filters that return the columns of their input.",
    );
    steps.around(
        "LimitAggregation",
        guard_limit_aggregation,
        "Aggregates drop groups early only where the sort is by their own column (apache/datafusion#25066), and \
         for limits of at most 10,000.",
    );
    steps.before(
        "FilterPushdown(Post)",
        rewrite_all_operators(
            "prepare_dynamic_filters",
            "Corrects sorts and limits before dynamic filters are pushed down.",
            &[
                (
                    "sort_topk_by_merge_keys",
                    sort_topk_by_merge_keys,
                    "Sorts that keep the first rows of each partition compare all keys of the merge above them: \
                     they share a threshold.",
                ),
                (
                    "repeat_limits",
                    repeat_limits,
                    "Dynamic filters of joins do not reach inputs with a limit: the first rows of a table stay \
                     its first rows. Ordered scans with a limit stay ordered (apache/datafusion#24272).",
                ),
            ],
        ),
    );
    steps.before(
        "SanityCheckPlan",
        rewrite_all_operators(
            "correct_operators",
            "Corrects sorts and joins.",
            &[
                (
                    "add_missing_sorts",
                    add_missing_sorts,
                    "Sorts again where projections in joins lost that a column is constant.",
                ),
                (
                    "hide_group_keys_from_sorts",
                    hide_group_keys_from_sorts,
                    "Sorts of groups sort, whatever the plan says of their keys.",
                ),
                (
                    "prevent_nested_loop_spill",
                    prevent_nested_loop_spill,
                    "Nested loop joins that are not inner do not spill (apache/datafusion#24745, \
                     apache/datafusion#22641).",
                ),
            ],
        ),
    );
    steps.last(rewrite_operators(
        "pull_up_null_filters",
        pull_up_null_filters,
        "`x is not null` leaves the scan where nearly all rows pass it: in the decoder it costs more than it \
         saves.",
    ));
    steps.last(rewrite_operators(
        "use_sliding_windows",
        use_sliding_windows,
        "Windows over their own row and those above are computed batch by batch.",
    ));
    steps.last(rewrite_operators(
        "yield_by_time",
        yield_by_time,
        "Joins and aggregates return to the scheduler, so that a killed query ends.",
    ));
    steps.finish()
}
