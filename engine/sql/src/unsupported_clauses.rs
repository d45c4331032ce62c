//! Refuses clauses that the parser reads and the planner ignores: without them a query has other rows.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    GroupByExpr, LimitClause, ObjectName, Query, Select, SelectItem, TableFactor, Visitor, WildcardAdditionalOptions,
};

use super::error_location::{error_at, expr_position};
use crate::syntax::visitor::{Node, visit, visit_expressions, visit_relations};
use quarry_types::{Error, ErrorCode, Result};

/// Refuses clauses of a parsed statement.
pub fn clauses(statement: &impl Node) -> Result<()> {
    into_result(visit(statement, &mut Clauses))
}

/// Refuses what only aggregates have in calls of other functions, once functions have their names of the session.
pub fn calls(statement: &impl Node, state: &SessionState) -> Result<()> {
    into_result(visit(statement, &mut Calls { state }))
}

fn into_result(visited: ControlFlow<Box<Error>>) -> Result<()> {
    match visited {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

fn refuse(message: impl Into<String>) -> ControlFlow<Box<Error>> {
    ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}

fn refuse_at(expr: &Expr, message: impl Into<String>) -> ControlFlow<Box<Error>> {
    ControlFlow::Break(Box::new(error_at(Error::new(ErrorCode::InvalidQuery, message), expr_position(expr))))
}

fn is_distinct(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

struct Clauses;

impl Visitor for Clauses {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Box<Error>> {
        if query.for_clause.is_some() {
            return refuse("FOR JSON, FOR XML and FOR BROWSE are not supported: results are rows.");
        }
        if query.settings.is_some() {
            return refuse("SETTINGS is not supported: queries have no settings here.");
        }
        if query.format_clause.is_some() {
            return refuse("FORMAT is not supported; choose a format when you export the result.");
        }
        let recursive = query.with.iter().filter(|with| with.recursive).flat_map(|with| &with.cte_tables);
        if recursive.into_iter().any(|cte| reads_itself(&cte.query, &cte.alias.name.value)) {
            return refuse("WITH RECURSIVE can refer to itself only in FROM, not in a subquery inside an expression.");
        }
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit_by, .. }) if !limit_by.is_empty() => refuse(
                "LIMIT … BY is not supported; write QUALIFY row_number() OVER (PARTITION BY … ORDER BY …) <= n to \
                 limit the rows of each group.",
            ),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<Box<Error>> {
        if !select.connect_by.is_empty() {
            return refuse("CONNECT BY is not supported; write WITH RECURSIVE.");
        }
        if select.prewhere.is_some() {
            return refuse("PREWHERE is not supported; write its condition in WHERE.");
        }
        if matches!(&select.group_by, GroupByExpr::All(modifiers) if !modifiers.is_empty()) {
            return refuse("GROUP BY ALL does not support ROLLUP, CUBE or TOTALS; name the columns.");
        }
        let by_pattern = |item: &SelectItem| {
            matches!(
                item,
                SelectItem::Wildcard(WildcardAdditionalOptions { opt_ilike: Some(_), .. })
                    | SelectItem::QualifiedWildcard(_, WildcardAdditionalOptions { opt_ilike: Some(_), .. })
            )
        };
        match select.projection.iter().any(by_pattern) {
            true => refuse("ILIKE after * is not supported; name the columns."),
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Box<Error>> {
        match table {
            TableFactor::Table { partitions, .. } if !partitions.is_empty() => {
                refuse("PARTITION after a table name is not supported; write a condition on its columns.")
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Box<Error>> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        if !matches!(function.parameters, FunctionArguments::None) {
            return refuse_at(expr, "A function call can have only one pair of parentheses.");
        }
        let of_star = matches!(&function.args, FunctionArguments::List(list) if list.args.iter().any(|arg| matches!(arg,
            FunctionArg::Unnamed(FunctionArgExpr::Wildcard | FunctionArgExpr::QualifiedWildcard(_)))));
        match of_star && is_distinct(function) {
            true => refuse_at(expr, "DISTINCT * is not supported; name the columns, as in count(DISTINCT a, b)."),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Whether a query in an expression reads a table of a name.
fn reads_itself(query: &Query, name: &str) -> bool {
    let same = |table: &ObjectName| matches!(table.0.as_slice(), [part] if part.as_ident().is_some_and(|own| own.value.eq_ignore_ascii_case(name)));
    let reads = |query: &Query| {
        visit_relations(query, |table| if same(table) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            .is_break()
    };
    visit_expressions(query, |expr| match expr {
        Expr::Subquery(query) | Expr::Exists { subquery: query, .. } | Expr::InSubquery { subquery: query, .. }
            if reads(query) =>
        {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })
    .is_break()
}

struct Calls<'a> {
    state: &'a SessionState,
}

impl Calls<'_> {
    /// Whether a function is scalar, or a window function that is no aggregate.
    fn is_no_aggregate(&self, name: &str, is_over: bool) -> bool {
        if self.state.aggregate_functions().contains_key(name) && !(is_over && ALSO_WINDOW_FUNCTIONS.contains(&name)) {
            return false;
        }
        name == "unnest"
            || self.state.scalar_functions().contains_key(name)
            || is_over && self.state.window_functions().contains_key(name)
    }
}

/// Aggregates that are window functions over a window.
const ALSO_WINDOW_FUNCTIONS: [&str; 3] = ["first_value", "last_value", "nth_value"];

impl Visitor for Calls<'_> {
    type Break = Box<Error>;

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Box<Error>> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        let (name, is_over) = (function.name.to_string().to_ascii_lowercase(), function.over.is_some());
        if !self.is_no_aggregate(&name, is_over) {
            return ControlFlow::Continue(());
        }
        let clauses: &[FunctionArgumentClause] = match &function.args {
            FunctionArguments::List(list) => &list.clauses,
            _ => &[],
        };
        let ordered = clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
        let ignores_nulls =
            clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::IgnoreOrRespectNulls(_)));
        let ignores_nulls = ignores_nulls || function.null_treatment.is_some();
        let unsupported = [
            (function.filter.is_some(), "FILTER"),
            (is_distinct(function), "DISTINCT"),
            (ordered && !is_over, "ORDER BY"),
            (!function.within_group.is_empty(), "WITHIN GROUP"),
            (ignores_nulls && !is_over, "IGNORE NULLS"),
        ];
        match unsupported.into_iter().find(|(is_there, _)| *is_there) {
            Some((_, clause)) => {
                // The prefix of functions of HiveQL.
                let name = name.strip_prefix("hive_").unwrap_or(&name);
                refuse_at(expr, format!("{clause} is allowed only with aggregate functions, not with {name}."))
            }
            None => ControlFlow::Continue(()),
        }
    }
}
