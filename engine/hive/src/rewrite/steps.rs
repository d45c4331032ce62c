//! The list of steps.

use super::step::Run::*;
use super::step::{Step, step};
use super::tokens::{from_first, intervals, literals, sort_by, tables};
use super::{counts, expressions, from, grouping, lists, queries, select_list, variables};
use quarry_sql::{outer_aggregates, rename_shadowed_ctes, unsupported_clauses};

/// Every step of the rewrite of HiveQL, in order. Those on nodes of the syntax tree run in one traversal.
pub const STEPS: &[Step] = &[
    step("variables", Text(variables::substitute), "`${hiveconf:x}` is the value of a SET before it."),
    step("literals", Tokens(literals::rewrite), "Strings lose escapes; a number with a suffix, as 10L, is a cast."),
    step("exists", Tokens(literals::rewrite_exists), "`exists(list, lambda)` is a function, not the predicate."),
    step("local_times", Tokens(tables::rewrite_local_times), "TIMESTAMP WITH LOCAL TIME ZONE is one word."),
    step("noop", Tokens(tables::drop_noop), "`noop(ON t …)` passes on the rows of its table."),
    step("table_values", Tokens(tables::drop_table_keyword), "`TABLE(VALUES …)` needs no keyword TABLE."),
    step("interval_keyword", Tokens(intervals::add_keyword), "`2 days` is an interval without its keyword."),
    step("floor", Tokens(intervals::rewrite_floor), "`floor(time TO unit)` calls a function for each unit."),
    step("window_sort_by", Tokens(sort_by::rewrite_windows), "A window may say DISTRIBUTE BY and SORT BY."),
    step("from_first", Tokens(from_first::rewrite), "FROM may come first, also before several INSERTs."),
    step("joined_views", Tokens(tables::rewrite_lateral_views), "The parser allows no JOIN after LATERAL VIEW."),
    step("sort_by_place", Tokens(sort_by::reorder_clauses), "The parser expects SORT BY before HAVING and WINDOW."),
    step("parameters", Whole(|query, context| context.parameters.fill(query)), "`{{name}}` is bound to its value."),
    step("macros", Whole(|query, context| context.expand_macros(query)), "Calls of macros are their bodies."),
    step("unsupported", Whole(|query, _| unsupported_clauses::clauses(query)), "Refuses clauses that do not run."),
    step("locks", TryQuery(queries::refuse_locks), "FOR UPDATE is not supported in HiveQL."),
    step("named_windows", TryQuery(queries::inline_windows), "`OVER w` is the window w, also in ORDER BY."),
    step("set_operations", Query(queries::rewrite_set_operations), "MINUS is EXCEPT; no set operation binds tighter."),
    step("with_order", Query(queries::order_ctes), "Expressions of WITH may come before those that they read."),
    step("sort_by", Query(queries::sort_by_as_order_by), "With one reducer SORT BY orders all rows."),
    step("query_counts", Query(counts::mark_query), "Numbers in ORDER BY, LIMIT and OFFSET stay as they are."),
    step("select_forms", TrySelect(queries::refuse_select), "INTO, TOP and CONNECT BY are not HiveQL."),
    step("select_windows", TrySelect(queries::inline_select_windows), "`OVER w` is the window w."),
    step("outer_aggregates", Select(outer_aggregates::move_out), "Aggregates of outer columns are computed outside."),
    step("distribute_by", Select(queries::drop_distribution), "DISTRIBUTE BY changes no rows."),
    step("outer_joins", Select(from::complete_select_joins), "An outer join without ON joins all rows."),
    step("lateral_views", TrySelect(from::rewrite_lateral_views), "LATERAL VIEW is a join with a table function."),
    step("generators", TrySelect(from::rewrite_generator), "explode in a SELECT list is a LATERAL VIEW."),
    step(
        "constant_groups",
        Select(grouping::rewrite_constants),
        "A number in GROUP BY is a column, unless it aggregates.",
    ),
    step("grouped_names", Select(grouping::qualify_columns), "A column without its table is that of GROUP BY."),
    step("regex_columns", TrySelect(select_list::mark_regexes), "`(a|b)?+.+` in backquotes selects columns by name."),
    step("column_names", Select(select_list::name_columns), "Columns without a name are _c0, _c1 and so on."),
    step("small_columns", TrySelect(select_list::cast_small_numbers), "A whole number as a column is an int."),
    step("grouping_sets", TrySelect(grouping::rewrite_sets), "WITH ROLLUP and the like; computes grouping__id."),
    step("window_counts", Select(counts::mark_named_windows), "Numbers in frames stay as they are."),
    step("samples", Table(from::rewrite_sample), "TABLESAMPLE of rows or buckets is a subquery."),
    step("outer_names", Table(from::name_outer_columns), "Columns of a subquery get names that its query can use."),
    step("nested_joins", Table(from::complete_nested_joins), "As outer_joins and lateral_views, in parentheses."),
    step("table_forms", TryTable(from::refuse_table), "Only tables and queries can be read."),
    step("default_schema", TableName(from::drop_default_schema), "`default.t` is t."),
    step("lambdas", TryExpr(expressions::prepare_lambdas), "Lambdas get the forms that their functions take."),
    step("expression_counts", Expr(counts::mark_expression), "Numbers of intervals and frames stay as they are."),
    step(
        "expressions",
        TryExprEnd(expressions::rewrite),
        "Operators, casts, literals and calls as the planner has them.",
    ),
    step(
        "conditions",
        SelectEnd(select_list::cast_conditions),
        "A number or a text as a condition is cast to boolean.",
    ),
    step(
        "planner_counts",
        SelectEnd(counts::unmark_named_windows),
        "The planner takes numbers in frames without marks.",
    ),
    step("values", QueryEnd(lists::unify_values), "A column of VALUES with a text in it holds texts."),
    step("shadowed_names", WholeEnd(rename_shadowed_ctes), "Renames WITH expressions that hide each other."),
];
