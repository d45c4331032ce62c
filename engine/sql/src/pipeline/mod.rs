//! Every step between the text of a query and its first logical plan, in order: on the text, on its tokens, on the parsed statement,
//! and on names. [`quarry_planner::pipeline`] goes on from there. `docs/sql-pipeline.md` is generated from these lists.

use datafusion::execution::context::SessionState;
use datafusion::sql::sqlparser::ast::Statement;
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::declarations::{self, Declarations};
use crate::parameters::{self, Bound};
use crate::session::tables::QueryCatalog;
use crate::tokens::{self, Rule};
use crate::trace::{Step, Trace};
use crate::{limits, name_resolution, read_only, rewrite, unsupported_clauses};
use quarry_runtime::job::Parameters;
use quarry_types::Result;

pub use crate::rewrite::steps as walk;

/// What the steps on the text take out of it, for the steps on the statement.
#[derive(Debug)]
pub struct Front<'a> {
    pub parameters: &'a Parameters,
    pub declarations: Declarations,
    pub bound: Bound,
}

/// What names of a statement are looked up in.
pub struct Binder<'a> {
    pub catalog: &'a QueryCatalog,
    pub state: &'a SessionState,
}

pub type TextStep = Step<fn(&str, &mut Front<'_>) -> Result<String>>;
pub type TokenStep = Step<Rule>;
pub type StatementStep = Step<fn(&mut Statement, &Front<'_>, &mut Trace) -> Result<()>>;
pub type BinderStep = Step<for<'a> fn(&'a mut Statement, &'a Binder<'a>) -> BoxFuture<'a, Result<()>>>;

/// Steps on the text. They do not change positions in it.
pub const TEXT: &[TextStep] = &[
    Step::new(
        "hash_comments",
        |text, _| Ok(declarations::without_hash_comments(text)),
        "Takes out the comments after `#` that the text begins with, as in BigQuery.",
    ),
    Step::new(
        "declarations",
        |text, front| {
            let (text, declarations) = declarations::take(text)?;
            front.declarations = declarations;
            Ok(text)
        },
        "Takes out `DECLARE name TYPE DEFAULT value;`.",
    ),
    Step::new(
        "parameters",
        |text, front| {
            front.bound = parameters::bind(text, front.parameters)?;
            Ok(front.bound.text.clone())
        },
        "Puts a word in the place of each `{{name}}`, and keeps a part in `[[ … ]]` only when its parameters have values.",
    ),
];

/// Rules on the tokens, which are one step: all look at the tokens as they were written.
pub const TOKENS: &[TokenStep] = &[
    Step::new(
        "typed_parameters",
        tokens::typed_parameters,
        "`timestamp {{at}}` is a typed text; the parser takes no word there.",
    ),
    Step::new(
        "hex_literals",
        tokens::hex_literals,
        "`0XAB` is `0xab`; the tokenizer takes it for a number and a name.",
    ),
    Step::new("hyphenated_project", tokens::hyphenated_project, "Quotes `bigquery-public-data` before a dot."),
    Step::new("offset_columns", tokens::offset_columns, "`offset` after a comma is a column, that of `WITH OFFSET`."),
    Step::new(
        "types_in_parentheses",
        tokens::types_in_parentheses,
        "Types of Trino, as `array(row(a bigint))`, get angle brackets.",
    ),
    Step::new("safe_calls", tokens::safe_calls, "BigQuery's `SAFE.f(x)` is `try(f(x))`."),
    Step::new(
        "select_as_struct",
        tokens::select_as_struct,
        "`SELECT AS STRUCT a, b` is `SELECT STRUCT(a, b)`, and `SELECT AS VALUE x` is `SELECT x`.",
    ),
    Step::new("materialized_hints", tokens::materialized_hints, "Takes `[NOT] MATERIALIZED` out of WITH."),
    Step::new("values_without_parentheses", tokens::values_without_parentheses, "`VALUES 1, 2` is `VALUES (1), (2)`."),
    Step::new("in_values", tokens::in_values, "`x IN (VALUES …)` is `x IN (SELECT * FROM (VALUES …))`."),
    Step::new(
        "in_lists_with_queries",
        tokens::in_lists_with_queries,
        "`x IN ((SELECT …), 5)` is a list; the parser takes its second parenthesis for one around the whole list.",
    ),
    Step::new(
        "json_arrows",
        tokens::json_arrows,
        "`j -> 'key'` is an operator and `x -> x + 1` a lambda; the parser takes both for lambdas.",
    ),
    Step::new("trim_without_characters", tokens::trim_without_characters, "`trim(LEADING FROM x)` trims blanks."),
    Step::new(
        "json_wrappers",
        tokens::json_wrappers,
        "`json_query(x, path WITH WRAPPER)` has its clause as an argument.",
    ),
    Step::new(
        "frame_exclusion",
        tokens::frame_exclusion,
        "`EXCLUDE` of a window frame becomes a key of PARTITION BY, for the step `expand_frame_exclusion`; the parser does not read it.",
    ),
];

/// Steps on the parsed statement.
pub const STATEMENT: &[StatementStep] = &[
    Step::new(
        "declared_values",
        |statement, front, _| {
            front.declarations.fill(statement);
            Ok(())
        },
        "Puts the values of `DECLARE` in place of their names. They may have queries in them, which the next step checks too.",
    ),
    Step::new(
        "allowed",
        |statement, front, _| {
            read_only::check(statement, &front.bound.text)?;
            unsupported_clauses::clauses(statement)
        },
        "Refuses everything but queries and statements that describe, and clauses that the planner would ignore.",
    ),
    Step::new(
        "show_statements",
        |statement, _, _| {
            if let Some(query) = rewrite::show_as_query(statement) {
                *statement = read_only::one_statement(query.as_str())?;
            }
            Ok(())
        },
        "`SHOW …` and `DESCRIBE` are queries of `information_schema`.",
    ),
    Step::new(
        "parameter_values",
        |statement, front, _| {
            front.bound.fill(statement)?;
            front.bound.check_filled(statement)
        },
        "Puts the values of parameters in place of their words.",
    ),
    Step::new(
        "renames",
        |statement, _, _| {
            rewrite::rename_shadowed_ctes(statement);
            rewrite::rename_aliases_like_columns(statement);
            Ok(())
        },
        "Renames a query of WITH with the name of one around it, which the planner refuses, and a table with the name of a column, \
         of which the planner would look for a field.",
    ),
    Step::new(
        "limits",
        |statement, _, _| limits::statement(statement),
        "Refuses statements that join too many tables or group by too many sets.",
    ),
    Step::new(
        "dialects",
        |statement, _, trace| {
            rewrite::name_result_columns(statement);
            rewrite::rewrite_statement(statement, trace)?;
            rewrite::name_casts(statement);
            Ok(())
        },
        "Names the columns of the result after their text, as `count(*)`. Then one walk over the syntax tree puts forms of Trino, \
         BigQuery, Snowflake, DuckDB and PostgreSQL as those of the planner. At last casts of one value to several types get names: \
         the planner leaves casts out of names.",
    ),
];

/// Steps on the names of a statement.
pub const BINDER: &[BinderStep] = &[
    Step::new(
        "struct_stars",
        |statement, binder| {
            async move {
                name_resolution::expand_struct_stars(statement, binder.catalog, binder.state).await;
                Ok(())
            }
            .boxed()
        },
        "`s.*` of a struct is its fields.",
    ),
    Step::new(
        "names",
        |statement, binder| {
            let resolved = name_resolution::resolve(statement, binder.catalog, Some(binder.state));
            async move { resolved }.boxed()
        },
        "Resolves synonyms of columns, USING and NATURAL (apache/datafusion#20989) and lateral column aliases, numbers \
               columns of one name, and distinguishes columns of tables in ORDER BY from columns of the result with their names.",
    ),
    Step::new(
        "unsupported_calls",
        |statement, binder| {
            let checked = unsupported_clauses::calls(statement, binder.state);
            async move { checked }.boxed()
        },
        "Refuses FILTER, DISTINCT and the like in calls of functions that are no aggregates; the planner would ignore them.",
    ),
];
