//! The steps of the walk over the syntax tree, in order. Those on a node run before those on the nodes inside it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, ObjectName, OrderBy, Query, Select, SelectFlavor, SelectItem, SetExpr, SetOperator, TableFactor,
};

use super::{
    aggregates, any_all, array_subqueries, ast, casts, column_names, date_functions, expressions, flatten, group_by,
    joins, limits, order_by, positional_columns, quoted_names, row_comparisons, structs, table_functions, tablesample,
    unnest,
};
use crate::error_location::{error_at, expr_position};
use crate::expansion::Growth;
use crate::names::output_names::name_duplicates;
use crate::trace::Step;
use crate::{lambdas, named_windows, outer_aggregates};
use quarry_types::Error;

pub type Flow = ControlFlow<Box<Error>>;

/// What a step does with a node.
pub enum Change<N> {
    Always(fn(&mut N)),
    /// The same, with an error for what is not supported or grows too much.
    Try(fn(&mut N, &mut Growth) -> Flow),
}

use Change::{Always, Try};

pub const QUERIES: &[Step<Change<Query>>] = &[
    Step::new(
        "windows_of_query",
        Try(|query, growth| on_select(query, |select, order| named_windows::expand(select, order, growth))),
        "Replaces named windows by what they are, also in ORDER BY; the planner knows them in SELECT only.",
    ),
    Step::new(
        "order_of_distinct",
        Always(order_by::order_distinct_by_position),
        "`SELECT DISTINCT e … ORDER BY e` orders by a position.",
    ),
    Step::new(
        "limits",
        Always(limits::rewrite),
        "`FETCH FIRST` and `TOP` are LIMIT, and `WITH TIES` a condition on the rank.",
    ),
    Step::new(
        "minus",
        Always(|query| replace_minus(&mut query.body)),
        "`MINUS` is EXCEPT; the planner knows only that.",
    ),
    Step::new(
        "united_columns",
        Always(|query| column_names::name_united(&mut query.body)),
        "Expressions beside columns in the branches of UNION get names; the planner gives them those of the first branch.",
    ),
    Step::new("order_by_all", Always(order_by::expand_all), "`ORDER BY ALL` orders by the position of each column."),
    Step::new(
        "values",
        Always(|query| casts::unify_values(&mut query.body)),
        "Each column of VALUES has one meaning: bytes, times, decimals.",
    ),
    Step::new(
        "from_of_query",
        Try(|query, _| on_select(query, rewrite_from)),
        "As the step `from`, with the ORDER BY of the query.",
    ),
];

pub const SELECTS: &[Step<Change<Select>>] = &[
    Step::new(
        "windows",
        Try(|select, growth| named_windows::expand(select, None, growth)),
        "Replaces named windows by what they are; the planner forgets `w` in `OVER (w ORDER BY x)`.",
    ),
    Step::new("from_first", Always(select_everything), "`FROM t` alone selects everything, as in DuckDB."),
    Step::new(
        "outer_aggregates",
        Always(outer_aggregates::move_out),
        "Comparisons with outer aggregates leave the subqueries of HAVING; the planner takes no aggregate in WHERE.",
    ),
    Step::new(
        "join_subqueries",
        Always(joins::move_subqueries_to_where),
        "Conditions of inner joins with subqueries move to WHERE.",
    ),
    Step::new("semi_joins", Always(joins::name_kept_side), "DuckDB's `SEMI JOIN` and `ANTI JOIN` keep the left side."),
    Step::new(
        "duplicate_names",
        Always(name_duplicates),
        "Numbers columns of one name, as in `select 0, 0`; the planner refuses them.",
    ),
    Step::new(
        "from",
        Try(|select, _| rewrite_from(select, None)),
        "Positional columns, FLATTEN, functions and lists in FROM as UNNEST in SELECT.",
    ),
    Step::new(
        "group_by",
        Always(group_by::rewrite),
        "WITH ROLLUP, ROLLUP in GROUPING SETS, positions in ROLLUP and DISTINCT ON, and QUALIFY without a window, as the planner \
         reads them.",
    ),
    Step::new(
        "row_lookups",
        Always(row_comparisons::look_up),
        "`(a, b) IN (SELECT …)` compares value by value, where a null makes the result unknown.",
    ),
];

pub const TABLES: &[Step<Change<TableFactor>>] = &[
    Step::new(
        "unnest",
        Always(unnest::name_columns),
        "`UNNEST(list) AS x` names its column; with ordinality, or of several columns, it is a query.",
    ),
    Step::new(
        "tablesample",
        Always(tablesample::rewrite),
        "TABLESAMPLE is a random condition; the planner ignores it.",
    ),
    Step::new(
        "outer_columns",
        Always(name_outer_columns),
        "Columns of outer tables get their name; the planner gives it only to those of the own FROM.",
    ),
];

pub const TABLE_NAMES: &[Step<Change<ObjectName>>] =
    &[Step::new("quoted_paths", Always(quoted_names::split_path), "BigQuery's `` `a.b.c` `` is three names.")];

pub const EXPRESSIONS: &[Step<Change<Expr>>] = &[
    Step::new("lambdas", Try(prepare_lambda), "`s.a` of a parameter of a lambda is a field, not a column of a table."),
    Step::new(
        "date_units",
        Always(date_functions::quote_units),
        "Units of time, as in `date_trunc(day, t)`, are text, not columns.",
    ),
    Step::new(
        "struct_fields",
        Always(name_struct_fields),
        "Struct literals of BigQuery, `STRUCT<a INT64>(1)`, name their fields.",
    ),
    Step::new("series", Always(cast_series), "The step of `generate_series` over times is an interval."),
    Step::new(
        "array_subqueries",
        Always(rewrite_array_subquery),
        "`ARRAY(SELECT …)` and subqueries over a list of the row are list functions.",
    ),
    Step::new(
        "any_of_array",
        Always(rewrite_any),
        "`x = ANY (ARRAY[a, b])` is `x IN (a, b)`, which casts the items to the type of x.",
    ),
    Step::new("aggregates", Try(expand_aggregate), "Aggregates of other products, as aggregates and lists of ours."),
];

/// Steps on expressions after those on the nodes inside.
pub const EXPRESSION_ENDS: &[Step<Change<Expr>>] = &[Step::new(
    "expressions",
    Try(expressions::rewrite),
    "Literals, operators, casts and calls of other products, as calls and casts of ours.",
)];

fn replace_minus(body: &mut SetExpr) {
    if let SetExpr::SetOperation { op, left, right, .. } = body {
        if *op == SetOperator::Minus {
            *op = SetOperator::Except;
        }
        replace_minus(left);
        replace_minus(right);
    }
}

fn on_select(query: &mut Query, run: impl FnOnce(&mut Select, Option<&mut OrderBy>) -> Flow) -> Flow {
    match query.body.as_mut() {
        SetExpr::Select(select) => run(select, query.order_by.as_mut()),
        _ => Flow::Continue(()),
    }
}

/// Tables in FROM that are lists or values, and the names of their columns in a SELECT and its order.
fn rewrite_from(select: &mut Select, mut order: Option<&mut OrderBy>) -> Flow {
    positional_columns::resolve(select, order.as_deref_mut());
    flatten::rewrite(select, order.as_deref_mut())?;
    table_functions::unnest(select);
    unnest::join_to_tables(select, order);
    Flow::Continue(())
}

fn select_everything(select: &mut Select) {
    if select.flavor == SelectFlavor::FromFirstNoSelect && select.projection.is_empty() {
        select.projection.push(SelectItem::Wildcard(Default::default()));
    }
}

fn name_outer_columns(table: &mut TableFactor) {
    if let TableFactor::Derived { subquery, .. } = table {
        column_names::name_outer_columns(subquery);
    }
}

fn prepare_lambda(expr: &mut Expr, _: &mut Growth) -> Flow {
    match lambdas::prepare(expr, false) {
        Ok(()) => Flow::Continue(()),
        Err(error) => Flow::Break(error),
    }
}

fn name_struct_fields(expr: &mut Expr) {
    match expr {
        Expr::Array(list) => structs::name_fields_of_list(&mut list.elem),
        Expr::Struct { values, fields } => structs::name_fields(values, fields),
        _ => {}
    }
}

fn cast_series(expr: &mut Expr) {
    if let Expr::Function(function) = expr {
        table_functions::cast_series_arguments(function);
    }
}

fn rewrite_array_subquery(expr: &mut Expr) {
    if let Some(list) = array_subqueries::rewrite(expr) {
        *expr = ast::nested(list);
    }
}

fn rewrite_any(expr: &mut Expr) {
    if let Some(in_list) = any_all::array_to_in_list(expr) {
        *expr = in_list;
    }
}

/// Before the arguments are rewritten: the call has all its clauses, some of which the planner refuses.
fn expand_aggregate(expr: &mut Expr, _: &mut Growth) -> Flow {
    let Expr::Function(function) = expr else { return Flow::Continue(()) };
    if let Some(error) = aggregates::error(function) {
        return Flow::Break(Box::new(error_at(error, expr_position(expr))));
    }
    if let Some(expanded) = aggregates::expand(function) {
        *expr = expanded;
    }
    Flow::Continue(())
}
