//! The rules of the optimizer, in order.

use std::sync::Arc;

use datafusion::optimizer::Optimizer;
use datafusion::optimizer::optimizer::ApplyOrder;
use quarry_types::Result;

use super::steps::{OptimizerSteps, Part, Step, Steps, optimize, optimize_all};
use crate::node_rules::RewriteNode;
use crate::optimizer::deduplicate_semi_join_build::deduplicate_semi_join_build;
use crate::optimizer::shared_count_distinct::share_count_distinct;
use crate::optimizer::unused_joins::eliminate_unused_joins;
use crate::sql_extensions::lateral_rows::project_lateral_rows;
use crate::sql_extensions::limited_subqueries::number_limited_subqueries;
use crate::sql_extensions::mark_joins::MarkJoinSubqueries;
use crate::workarounds::duplicate_windows::deduplicate_window_functions;
use crate::workarounds::global_aggregates::keep_filters_above_aggregates;
use crate::workarounds::group_dependencies::{FD_CONSUMING_RULES, replace_distinct, set_group_dependencies};
use crate::workarounds::guards::guard_conditions;
use crate::workarounds::lost_keys::project_lost_keys;
use crate::workarounds::mark_join_columns::keep_mark_join_columns;
use crate::workarounds::null_equality::separate_null_equality;
use crate::workarounds::stale_schemas::recompute_stale_schemas;
use crate::workarounds::swapped_comparisons::column_first;
use crate::workarounds::union_names::name_union_columns;

/// The rules that rewrite a plan into one that answers the same.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn optimizer() -> Result<OptimizerSteps> {
    use ApplyOrder::{BottomUp, TopDown};
    let mut steps = Steps::stock(Optimizer::new().rules);
    steps.after(
        "single_distinct_aggregation_to_group_by",
        optimize(
            "share_count_distinct",
            BottomUp,
            share_count_distinct,
            "`count(distinct x)` beside other aggregates keeps one set of values for each group.",
        ),
    );
    steps.before(
        "decorrelate_predicate_subquery",
        optimize(
            "number_limited_subqueries",
            TopDown,
            number_limited_subqueries,
            "A correlated subquery with LIMIT numbers its rows for each key, so that it can be joined.",
        ),
    );
    steps.before(
        "decorrelate_predicate_subquery",
        Step::ours(
            Arc::new(MarkJoinSubqueries),
            "IN and EXISTS outside of WHERE become columns of mark joins; IN may be null.",
        ),
    );
    steps.before(
        "decorrelate_lateral_join",
        optimize(
            "project_lateral_rows",
            TopDown,
            project_lateral_rows,
            "LATERAL over the columns of one row becomes a projection.",
        ),
    );
    for stock in ["extract_equijoin_predicate", "eliminate_cross_join"] {
        steps.before(
            stock,
            optimize(
                "separate_null_equality",
                TopDown,
                separate_null_equality,
                "Joins by `IS NOT DISTINCT FROM` and joins by `=` do not take over each other's keys: a join has \
                 one null equality for all its keys.",
            ),
        );
    }
    steps.before(
        "replace_distinct_aggregate",
        optimize(
            "replace_distinct",
            BottomUp,
            replace_distinct,
            "DISTINCT is dropped only where groups below it make the rows distinct (apache/datafusion#23626).",
        ),
    );
    steps.before(
        "propagate_empty_relation",
        optimize(
            "name_union_columns",
            TopDown,
            name_union_columns,
            "The inputs of a union get the names of its columns, which the next rule looks for.",
        ),
    );
    steps.before(
        "eliminate_join",
        optimize(
            "keep_mark_join_columns",
            TopDown,
            keep_mark_join_columns,
            "Gives the right side of a mark join without conditions a column that the next rule does not drop.",
        ),
    );
    for stock in FD_CONSUMING_RULES {
        steps.before(
            stock,
            optimize(
                "set_group_dependencies",
                None::<ApplyOrder>,
                set_group_dependencies,
                "Groups are unique by all their keys together, and by nothing less: the next rule drops keys by \
                 functional dependencies that joins do not preserve.",
            ),
        );
    }
    const GUARDS: Part<RewriteNode> = (
        "guard_conditions",
        guard_conditions,
        "A condition that may fail is evaluated for the rows that pass the conditions beside it: no division by \
         zero in `x <> 0 AND 10 / x > 5` (apache/datafusion#8927).",
    );
    steps.before(
        "common_sub_expression_eliminate",
        optimize_all(
            "prepare_common_subexpressions",
            TopDown,
            "Prepares expressions for the next rule.",
            &[
                (
                    "deduplicate_window_functions",
                    deduplicate_window_functions,
                    "Equal window functions are computed once; the stock rule moves them into a projection \
                     (apache/datafusion#15190).",
                ),
                GUARDS,
            ],
        ),
    );
    steps.around(
        "push_down_filter",
        |stock| column_first(keep_filters_above_aggregates(stock)),
        "Writes each comparison with the column first. The stock rule takes `a = 1 AND 1 = a` for a contradiction \
         (apache/datafusion#24763). Filters stay above aggregates that have a row for no rows: the stock rule moves one \
         without columns below `count(*)`.",
    );
    steps.last(optimize(
        "recompute_stale_schemas",
        BottomUp,
        recompute_stale_schemas,
        "Joins and aliases get the columns of their inputs. `optimize_projections` forgets it where an aggregate \
         over no rows lost columns.",
    ));
    steps.last(optimize(
        "eliminate_unused_joins",
        TopDown,
        eliminate_unused_joins,
        "A left join is dropped when none of its right columns is used and it adds no rows.",
    ));
    steps.last(optimize(
        "deduplicate_semi_join_build",
        BottomUp,
        deduplicate_semi_join_build,
        "Semi and anti joins get one row for each key: the hash join would make all pairs first.",
    ));
    steps.last(optimize(GUARDS.0, TopDown, GUARDS.1, GUARDS.2));
    steps.last(optimize(
        "project_lost_keys",
        TopDown,
        project_lost_keys,
        "Computes keys of sorts and windows as columns, as in `partition by v % 2 > 0`, where the planner can't tell \
         that rows are in their order.",
    ));
    steps.finish()
}
