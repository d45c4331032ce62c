//! Every step between a parsed query and the plan that runs, in order, for both dialects: the planners of expressions and
//! relations, and the rules of the analyzer, the optimizer and the physical optimizer. `docs/sql-pipeline.md` is generated from
//! these lists.

#[cfg(test)]
mod document;
mod steps;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::execution::SessionStateDefaults;
use datafusion::logical_expr::planner::{ExprPlanner, RelationPlanner};
use datafusion::optimizer::analyzer::Analyzer;
use datafusion::optimizer::{AnalyzerRule, Optimizer, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use quarry_functions::{Tries, WithinDecimals};
use quarry_types::Result;

use crate::analyzer::once_per_row::OncePerRow;
use crate::analyzer::{
    CheckedIntegers, Counts, IntervalLengths, ListsOfValues, Macros, Meaning, OneZero, Operators, RowFields,
    TimesAsText,
};
use crate::decorrelation::Correlated;
use crate::hive::{
    GroupsInOrder, HiveOperators, InTurn, JoinKeys, LateralViews, OrdersInside, SafeCasts, UnionsOfTexts,
};
use crate::optimizer::common_subplan::Reuse;
use crate::optimizer::deduplicate_semi_join_build::DeduplicateSemiJoinBuild;
use crate::optimizer::shared_count_distinct::SharedCountDistinct;
use crate::optimizer::unused_joins::UnusedJoins;
use crate::physical_optimizer::filter_behind_scans::FilterBehindScans;
use crate::physical_optimizer::sliding_windows::MoveFrames;
use crate::physical_optimizer::yield_by_time::YieldByTime;
use crate::sql_extensions::excluded::ExcludedRows;
use crate::sql_extensions::laterals::LateralRows;
use crate::sql_extensions::multisets::Multisets;
use crate::sql_extensions::pivots::Pivots;
use crate::sql_extensions::subqueries::SubqueriesAnywhere;
use crate::sql_extensions::tops::TopOfEach;
use crate::workarounds::byte_cases::ByteCases;
use crate::workarounds::equal_windows::EqualWindows;
use crate::workarounds::group_keys::{DistinctRows, FD_CONSUMING_RULES, GroupKeys, KeysOfRelations};
use crate::workarounds::limited::{LimitsHold, LimitsStay};
use crate::workarounds::nested_loops::LoopsInMemory;
use crate::workarounds::no_rows::NullForNoRows;
use crate::workarounds::null_keys::NullKeys;
use crate::workarounds::orders::{HideKeys, MergeByAll, SortsHold};
use crate::workarounds::outer_types::OuterTypes;
use crate::workarounds::promises::{JoinsPromiseLess, SortsAnew};
use crate::workarounds::shared_topk::TopKByMergeKeys;
use crate::workarounds::shielded::{CasesOfConditions, Shielded};
use crate::workarounds::sole_rows::SoleRowsStay;
use crate::workarounds::stale_schemas::StaleSchemas;
use crate::workarounds::totals::TotalsStandApart;
use crate::workarounds::{from_statistics, handed_down, literal_sides, top_groups};

use steps::Steps;
pub use steps::{Rule, Step, rules};

pub type AnalyzerSteps = Vec<Step<dyn AnalyzerRule + Send + Sync>>;
pub type OptimizerSteps = Vec<Step<dyn OptimizerRule + Send + Sync>>;
pub type PhysicalSteps = Vec<Step<dyn PhysicalOptimizerRule + Send + Sync>>;

/// What a query is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sql,
    Hive,
}

/// The planners of operators, fields and counts; the first one that accepts an expression plans it.
pub fn expr_planners(dialect: Dialect) -> Vec<Arc<dyn ExprPlanner>> {
    let mut planners: Vec<Arc<dyn ExprPlanner>> = match dialect {
        Dialect::Sql => vec![Arc::new(RowFields), Arc::new(Operators), Arc::new(Counts)],
        // Ours first: the stock ones count places of arrays from 1.
        Dialect::Hive => vec![Arc::new(HiveOperators), Arc::new(Counts)],
    };
    planners.extend(SessionStateDefaults::default_expr_planners());
    planners
}

/// The planners of what is in FROM; the first one that accepts a relation plans it.
pub fn relation_planners(dialect: Dialect) -> Vec<Arc<dyn RelationPlanner>> {
    match dialect {
        Dialect::Sql => vec![Arc::new(Multisets), Arc::new(Pivots { as_spark: false }), Arc::new(KeysOfRelations)],
        // A LATERAL VIEW is hidden in an UNPIVOT.
        Dialect::Hive => vec![
            Arc::new(KeysOfRelations),
            Arc::new(Multisets),
            Arc::new(LateralViews),
            Arc::new(Pivots { as_spark: true }),
        ],
    }
}

/// The rules that give a plan its meaning: types, casts, and forms that DataFusion has no plan for.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn analyzer(dialect: Dialect) -> Result<AnalyzerSteps> {
    let mut steps = Steps::stock(Analyzer::new().rules);
    let hive = dialect == Dialect::Hive;
    steps.first(
        Arc::new(Meaning { only_chain: hive }),
        "Gives bytes, hex, uint256, JSON, times and decimals their meaning in operators, casts, calls, CASE and UNION.",
    );
    if !hive {
        steps.first(
            Arc::new(Macros),
            "Puts expressions in the place of functions that stand for them, as `div0(a, b)`, and functions in that of their \
             other names, as `len`.",
        );
    }
    steps.first(
        Arc::new(OncePerRow),
        "Computes `random()` and the like once for each row, as a column. Otherwise BETWEEN computes it twice \
         (apache/datafusion#25457), and conditions with it move below joins.",
    );
    if !hive {
        steps.move_first(
            "resolve_grouping_function",
            "Runs first: the next steps give group keys an alias, and the stock rule does not look below it.",
        );
    }
    if hive {
        steps.first(
            Arc::new(JoinKeys),
            "Compares keys of joins of different types as Hive does: a text and a number as doubles.",
        );
        steps.first(
            Arc::new(UnionsOfTexts),
            "Values of several types side by side in UNION and CASE: a text and a day are texts, a decimal and a float are \
             floats.",
        );
        steps.first(
            Arc::new(OrdersInside),
            "Keeps the order of a subquery for `collect_list`, and drops it where nothing depends on it.",
        );
    }
    steps.last(
        Arc::new(OuterTypes),
        "Outer columns in a subquery take the type that they have outside, which a UNION may have changed.",
    );
    steps.last(
        Arc::new(SoleRowsStay),
        "Keeps conditions above aggregates that have a row where there are none. The stock filter pushdown moves a condition \
         without columns below `count(*)`.",
    );
    steps.last(
        Arc::new(NullForNoRows),
        "A scalar subquery is null where it has no row. The stock simplifier trusts that its column is not null \
         (apache/datafusion#24516, apache/datafusion#24534).",
    );
    if !hive {
        steps.last(Arc::new(CheckedIntegers), "`+`, `-` and `*` of integers fail on overflow rather than wrap.");
        steps.last(
            Arc::new(IntervalLengths),
            "Compares intervals by their length. The stock comparison goes part by part: 25 hours are less than a day \
         (apache/datafusion#8468).",
        );
        steps.last(Arc::new(TimesAsText), "Casts times and intervals to the text that results show.");
    }
    steps.last(
        Arc::new(OneZero),
        "`-0.0` is `0.0`, and NaN is one value. The stock kernels compare doubles bit by bit (apache/datafusion#11108).",
    );
    steps.last(
        Arc::new(ListsOfValues),
        "Takes columns, computed values and nulls out of IN lists. The stock simplifier merges lists as if they held \
         constants.",
    );
    steps.last(
        Arc::new(ByteCases),
        "`CASE bytes WHEN 0x…` compares variable-width bytes. The stock lookup table panics on fixed-width ones (since \
         apache/datafusion#18183).",
    );
    match dialect {
        Dialect::Sql => {
            steps.last(
                Arc::new(WithinDecimals),
                "Decimal arithmetic with all 38 or 76 digits fails where a result has one digit more.",
            );
            steps.last(
                Arc::new(Tries),
                "`try(x)` evaluates x where its failure can be caught: null in the rows that fail.",
            );
            steps.last(
                Arc::new(CasesOfConditions),
                "Keeps a CASE of conditions a CASE. As AND and OR its branches would be evaluated in any order.",
            );
            steps.last(Arc::new(ExcludedRows), "Window frames with EXCLUDE become calls of our own window functions.");
        }
        Dialect::Hive => {
            steps.last(Arc::new(SafeCasts), "Casts of texts give null where they fail.");
            steps
                .last(Arc::new(InTurn), "LIMIT over UNION ALL takes rows of the parts in turn, the same in every run.");
            steps.last(
                Arc::new(GroupsInOrder),
                "Groups come in the order of their keys, as from one of Hive's reducers.",
            );
            steps.last(
                Arc::new(Tries),
                "`try(x)` evaluates x where its failure can be caught: null in the rows that fail.",
            );
        }
    }
    steps.last(
        Arc::new(Correlated),
        "Joins correlated subqueries that the stock rules refuse, after Neumann and Kemper, \"Unnesting arbitrary queries\".",
    );
    steps.last(Arc::new(Reuse), "A part of a query that occurs more than once runs once.");
    steps.finish()
}

/// The rules that rewrite a plan into one that answers the same.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn optimizer() -> Result<OptimizerSteps> {
    let mut steps = Steps::stock(Optimizer::new().rules);
    steps.after(
        "single_distinct_aggregation_to_group_by",
        Arc::new(SharedCountDistinct),
        "`count(distinct x)` beside other aggregates keeps one set of values for each group.",
    );
    steps.before(
        "decorrelate_predicate_subquery",
        Arc::new(TopOfEach),
        "A correlated subquery with LIMIT numbers its rows for each key, so that it can be joined.",
    );
    steps.before(
        "decorrelate_predicate_subquery",
        Arc::new(SubqueriesAnywhere),
        "IN and EXISTS outside of WHERE become columns of mark joins, with NULL as the third answer of IN.",
    );
    steps.before(
        "decorrelate_lateral_join",
        Arc::new(LateralRows),
        "LATERAL over the columns of one row becomes a projection.",
    );
    let null_keys = "Joins by `IS NOT DISTINCT FROM` and joins by `=` do not take over each other's keys: a join has one meaning \
                     of null for all its keys.";
    steps.before("extract_equijoin_predicate", Arc::new(NullKeys), null_keys);
    steps.before("eliminate_cross_join", Arc::new(NullKeys), null_keys);
    steps.before(
        "replace_distinct_aggregate",
        Arc::new(DistinctRows),
        "DISTINCT goes only where groups below it make the rows distinct (apache/datafusion#23626).",
    );
    for stock in FD_CONSUMING_RULES {
        steps.before(
            stock,
            Arc::new(GroupKeys),
            "Groups are unique by all their keys together, and by nothing less: the next rule drops keys by functional \
             dependencies that joins do not keep.",
        );
    }
    let shielded = "A condition that may fail is evaluated for the rows that the conditions beside it leave: no division by zero \
                    in `x <> 0 AND 10 / x > 5` (apache/datafusion#8927).";
    steps.before("common_sub_expression_eliminate", Arc::new(Shielded), shielded);
    steps.before(
        "common_sub_expression_eliminate",
        Arc::new(EqualWindows),
        "Equal window functions are computed once; the stock rule moves them into a projection \
         (apache/datafusion#15190).",
    );
    steps.around(
        "push_down_filter",
        literal_sides::column_first,
        "Writes each comparison with the column first. The stock rule takes `a = 1 AND 1 = a` for a contradiction \
         (apache/datafusion#24763).",
    );
    steps.last(
        Arc::new(StaleSchemas),
        "Joins and aliases take the columns of what is below them. `optimize_projections` forgets it where an aggregate over no \
         rows got fewer columns.",
    );
    steps.last(Arc::new(UnusedJoins), "A left join goes when none of its right columns is used and it adds no rows.");
    steps.last(
        Arc::new(DeduplicateSemiJoinBuild),
        "Semi and anti joins get one row for each key: the hash join would make all pairs first.",
    );
    steps.last(Arc::new(Shielded), shielded);
    steps.finish()
}

/// The rules that choose and mend operators.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn physical_optimizer() -> Result<PhysicalSteps> {
    let mut steps = Steps::stock(PhysicalOptimizer::new().rules);
    steps.first(
        Arc::new(TotalsStandApart),
        "What holds of the groups of ROLLUP and CUBE is not believed of their totals, where the keys are null.",
    );
    steps.around(
        "aggregate_statistics",
        from_statistics::guarded,
        "No bounds of converted columns, and no aggregates with FILTER from statistics (apache/datafusion#25221).",
    );
    let pushdown = "Conditions pass an operator only where names find the same columns below it (apache/datafusion#25244), and \
                    none on lists (apache/datafusion#24109) or doubles (apache/datafusion#15812) reaches a scan.";
    steps.around("FilterPushdown", handed_down::guarded, pushdown);
    steps.around("FilterPushdown(Post)", handed_down::guarded, pushdown);
    steps.before(
        "EnsureRequirements",
        Arc::new(LimitsStay),
        "Asks for the order below a limit that skips rows (apache/datafusion#23534), and repeats the limit of a sort that goes.",
    );
    steps.before(
        "EnsureRequirements",
        Arc::new(HideKeys),
        "Groups are not said to be unique by their keys: projections pass that on by the wrong columns, and sorts go.",
    );
    steps.before(
        "EnsureRequirements",
        Arc::new(JoinsPromiseLess),
        "Outer joins do not keep constants of the side that they fill with nulls, nor the order of the side in the hash table \
         (apache/datafusion#25052).",
    );
    steps.after(
        "EnsureRequirements",
        Arc::new(MergeByAll),
        "A merge with a limit compares all columns by which its inputs are sorted (apache/datafusion#25378).",
    );
    steps.around(
        "LimitAggregation",
        top_groups::bounded,
        "Groups stop early only where the sort is by their own column (apache/datafusion#25066), and for limits of at most 10,000.",
    );
    steps.before(
        "FilterPushdown(Post)",
        Arc::new(TopKByMergeKeys),
        "Sorts that keep the first rows of each partition compare all that the merge above them compares: they share what they \
         drop.",
    );
    steps.before(
        "FilterPushdown(Post)",
        Arc::new(LimitsHold),
        "Dynamic filters of joins do not reach inputs with a limit: the first rows of a table stay its first rows. Ordered \
         scans with a limit stay ordered (apache/datafusion#24272).",
    );
    steps.before(
        "SanityCheckPlan",
        Arc::new(SortsAnew),
        "Sorts again where projections in joins lost that a column is the same in all rows.",
    );
    steps.last(Arc::new(SortsHold), "Sorts of groups stay, whatever the plan says of their keys.");
    steps.last(
        Arc::new(FilterBehindScans),
        "`x is not null` leaves the scan where nearly all rows pass it: in the decoder it costs more than it spares.",
    );
    steps.last(Arc::new(MoveFrames), "Windows over their own row and those above answer batch by batch.");
    steps.last(
        Arc::new(LoopsInMemory),
        "Nested loop joins that are not inner do not spill (apache/datafusion#24745, apache/datafusion#22641).",
    );
    steps.last(Arc::new(YieldByTime), "Joins and aggregates return to the scheduler, so that a killed query ends.");
    steps.finish()
}

/// What the steps do, by their names, those of DataFusion alone left out.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn sentences() -> Result<HashMap<String, &'static str>> {
    let mut sentences = HashMap::new();
    let mut add = |name: &str, does: &'static str| {
        if !does.is_empty() {
            sentences.insert(name.to_string(), does);
        }
    };
    for dialect in [Dialect::Sql, Dialect::Hive] {
        analyzer(dialect)?.iter().for_each(|step| add(step.rule.name(), step.does));
    }
    optimizer()?.iter().for_each(|step| add(step.rule.name(), step.does));
    physical_optimizer()?.iter().for_each(|step| add(step.rule.name(), step.does));
    Ok(sentences)
}
