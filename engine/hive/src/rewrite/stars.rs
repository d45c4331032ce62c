//! Stars that need the columns of the tables: `hash(*)`, and columns by regular expressions. They are expanded when the query is
//! planned.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, Query, Select, SelectItem, SetExpr,
    Statement, Visitor, VisitorMut,
};

use crate::ast::{argument, arguments, literal_text};
use quarry_functions::hive::matches_whole;
use quarry_sql::errors::Names;
use quarry_sql::name_resolution::resolve;
use quarry_sql::session::tables::QueryCatalog;
use quarry_sql::syntax::visitor::{visit, visit_expressions, visit_expressions_mut, visit_mut};
use quarry_types::{Error, ErrorCode, Result};

/// The call that represents the columns of a pattern.
pub(super) const PATTERN: &str = "hive_columns";

/// Replaces the stars of a rewritten query by the columns.
pub(crate) async fn expand_stars(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: &Names,
    query: &mut Query,
) -> Result<()> {
    let mut selects = SelectsWithStars::default();
    let _ = visit(query, &mut selects);
    let mut columns = Vec::new();
    for select in selects.0 {
        let mut everything = quarry_sql::syntax::query(SetExpr::Select(Box::new(select)));
        everything.with = query.with.clone();
        let mut statement = Statement::Query(Box::new(everything));
        resolve(&mut statement, catalog, None)?;
        let plan = state.statement_to_plan(DfStatement::Statement(Box::new(statement))).await;
        let plan = plan.map_err(|error| names.explain(&error))?;
        let quoted = |name: &str| Ident::with_quote('"', name);
        let column = plan.schema().iter().map(|(qualifier, field)| match qualifier {
            Some(table) => Expr::CompoundIdentifier(vec![quoted(table.table()), quoted(field.name())]),
            None => Expr::Identifier(quoted(field.name())),
        });
        columns.push(column.collect());
    }
    columns.reverse();
    match visit_mut(query, &mut ExpandStars(columns)) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

/// The pattern of a call that represents columns, and their table.
pub(super) fn pattern_of(expr: &Expr) -> Option<(String, Option<String>)> {
    let Expr::Function(function) = expr else { return None };
    let arguments = arguments(function).filter(|_| function.name.to_string() == PATTERN)?;
    Some((arguments.first().and_then(literal_text)?, arguments.get(1).and_then(literal_text)))
}

/// The columns whose names match a pattern.
fn matching_columns(
    columns: &[Expr],
    (pattern, table): (String, Option<String>),
) -> std::result::Result<Vec<SelectItem>, Box<Error>> {
    let invalid = |message: String| Box::new(Error::new(ErrorCode::InvalidQuery, message));
    let short: String = pattern.chars().take(60).collect();
    let mut matching = Vec::new();
    for column in columns {
        let (own_table, name) = match column {
            Expr::CompoundIdentifier(parts) => (parts.first().map(|table| &table.value), parts.last()),
            Expr::Identifier(name) => (None, Some(name)),
            _ => continue,
        };
        let Some(name) = name.filter(|_| table.is_none() || table.as_ref() == own_table) else { continue };
        let matches = matches_whole(&pattern, &name.value);
        if matches.ok_or_else(|| invalid(format!("'{short}' is not a supported regular expression.")))? {
            matching.push(SelectItem::UnnamedExpr(column.clone()));
        }
    }
    if matching.is_empty() { Err(invalid(format!("No column name matches '{short}'."))) } else { Ok(matching) }
}

/// Whether a call has a star, and is not `count(*)`, or represents columns.
fn is_star(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return false };
    let FunctionArguments::List(list) = &function.args else { return false };
    let has_star = list.args.iter().any(|arg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)));
    has_star && !function.name.to_string().eq_ignore_ascii_case("count") || pattern_of(expr).is_some()
}

fn has_stars(select: &Select) -> bool {
    let is_star = |expr: &Expr| if is_star(expr) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    visit_expressions(&select.projection, is_star).is_break()
}

/// `SELECT *` from the tables of each SELECT with stars.
#[derive(Default)]
struct SelectsWithStars(Vec<Select>);

impl Visitor for SelectsWithStars {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if has_stars(select) {
            self.0.push(Select {
                projection: vec![SelectItem::Wildcard(Default::default())],
                selection: None,
                having: None,
                distinct: None,
                group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
                ..select.clone()
            });
        }
        ControlFlow::Continue(())
    }
}

/// The columns of each SELECT with stars, the first one last.
struct ExpandStars(Vec<Vec<Expr>>);

impl VisitorMut for ExpandStars {
    type Break = Box<Error>;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Box<Error>> {
        if !has_stars(select) {
            return ControlFlow::Continue(());
        }
        let Some(columns) = self.0.pop() else { return ControlFlow::Continue(()) };
        let mut items = Vec::new();
        for item in std::mem::take(&mut select.projection) {
            let pattern = match &item {
                SelectItem::UnnamedExpr(expr) => pattern_of(expr),
                _ => None,
            };
            match pattern.map(|pattern| matching_columns(&columns, pattern)) {
                Some(Ok(matching)) => items.extend(matching),
                Some(Err(error)) => return ControlFlow::Break(error),
                None => items.push(item),
            }
        }
        select.projection = items;
        let _ = visit_expressions_mut(&mut select.projection, |expr| {
            if is_star(expr)
                && let Expr::Function(function) = expr
                && let FunctionArguments::List(list) = &mut function.args
            {
                list.args = columns.iter().cloned().map(argument).collect();
            }
            ControlFlow::<()>::Continue(())
        });
        ControlFlow::Continue(())
    }
}
