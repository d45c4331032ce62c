//! `hash(*)`: a star as the argument of a function stands for all columns of FROM; and a regular expression among the columns
//! of a SELECT for those whose names it fits.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Statement, TableFactor, TableWithJoins, Value, Visitor, VisitorMut,
};

use super::build::{call, text};
use quarry_functions::hive::matches_whole;
use quarry_sql::ast_visitor::{visit, visit_mut};
use quarry_sql::errors::Names;
use quarry_sql::name_resolution::resolve;
use quarry_sql::session::tables::QueryCatalog;
use quarry_types::{Error, ErrorCode, Result};

/// Puts the columns in the place of the stars of a rewritten query.
pub(super) async fn expand(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: &Names,
    query: &mut Query,
) -> Result<()> {
    let mut found = Find::default();
    // The visitor never breaks off.
    let _ = visit(query, &mut found);
    if found.selects.is_empty() {
        return Ok(());
    }
    let mut columns = Vec::new();
    for select in found.selects {
        let mut everything = quarry_sql::query(SetExpr::Select(Box::new(select)));
        everything.with = query.with.clone();
        let mut statement = Statement::Query(Box::new(everything));
        resolve(&mut statement, catalog)?;
        let planned = state
            .statement_to_plan(DfStatement::Statement(Box::new(statement)))
            .await
            .map_err(|error| names.explain(&error))?;
        columns.push(
            planned
                .schema()
                .iter()
                .map(|(qualifier, field)| {
                    let quoted = |name: &str| Ident::with_quote('"', name);
                    match qualifier {
                        Some(table) => Expr::CompoundIdentifier(vec![quoted(table.table()), quoted(field.name())]),
                        None => Expr::Identifier(quoted(field.name())),
                    }
                })
                .collect(),
        );
    }
    columns.reverse();
    match visit_mut(query, &mut Fill { columns }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

/// Name of the call that stands for the columns of a pattern.
const PATTERN: &str = "hive_columns";

/// Columns in backquotes that are no plain names as calls that stand for what they fit.
pub(super) fn mark_patterns(select: &mut Select) {
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let parts = match expr {
            Expr::Identifier(name) => std::slice::from_ref(name),
            Expr::CompoundIdentifier(parts) => parts.as_slice(),
            _ => continue,
        };
        let Some((name, table)) = parts.split_last() else { continue };
        let is_name = name.value.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if name.quote_style == Some('`') && !is_name {
            let table = table.last().map(|table| text(&table.value));
            *expr = call(PATTERN, std::iter::once(text(&name.value)).chain(table).collect());
        }
    }
}

/// The pattern of such a call, and the table of its columns.
pub(super) fn pattern_of(expr: &Expr) -> Option<(&str, Option<&str>)> {
    let Expr::Function(function) = expr else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    if function.name.to_string() != PATTERN {
        return None;
    }
    let text = |at: usize| match list.args.get(at) {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    };
    Some((text(0)?, text(1)))
}

/// The columns whose names a pattern fits.
fn fitting(columns: &[Expr], pattern: &str, table: Option<&str>) -> std::result::Result<Vec<SelectItem>, Box<Error>> {
    let invalid = |message: String| Box::new(Error::new(ErrorCode::InvalidQuery, message));
    let shown: String = pattern.chars().take(60).collect();
    let mut found = Vec::new();
    for column in columns {
        let (own, name) = match column {
            Expr::CompoundIdentifier(parts) => (parts.first().map(|own| own.value.as_str()), parts.last()),
            Expr::Identifier(name) => (None, Some(name)),
            _ => continue,
        };
        let Some(name) = name.filter(|_| table.is_none() || table == own) else { continue };
        let fits = matches_whole(pattern, &name.value);
        if fits.ok_or_else(|| invalid(format!("'{shown}' is not a regular expression that runs here.")))? {
            found.push(SelectItem::UnnamedExpr(column.clone()));
        }
    }
    if found.is_empty() { Err(invalid(format!("'{shown}' fits the name of no column."))) } else { Ok(found) }
}

/// Whether a column of a SELECT is among those that a star beside it stands for.
pub(super) fn holds(select: &Select, column: &SelectItem) -> bool {
    let tables: Vec<String> = select.from.iter().flat_map(tables_of).collect();
    let table = match column {
        SelectItem::UnnamedExpr(Expr::Identifier(_)) => None,
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => {
            let [table, _] = parts.as_slice() else { return false };
            Some(table.value.to_lowercase())
        }
        _ => return false,
    };
    // What stands before the point may be a struct.
    if table.as_ref().is_some_and(|table| !tables.contains(table)) {
        return false;
    }
    select.projection.iter().any(|item| match item {
        SelectItem::Wildcard(_) => true,
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(ObjectName(parts)), _) => {
            let of = parts.last().and_then(|part| part.as_ident()).map(|part| part.value.to_lowercase());
            // Without a table before it, a column is sure to be the table's only when there is no other.
            if table.is_some() { of == table } else { tables.len() == 1 && of.as_ref() == tables.first() }
        }
        _ => false,
    })
}

/// The names of tables by which their columns are called.
fn tables_of(from: &TableWithJoins) -> Vec<String> {
    let relations = std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation));
    let name = |relation: &TableFactor| match relation {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.value.to_lowercase())
        }
        TableFactor::Table { name: ObjectName(parts), .. } => {
            parts.last().and_then(|part| part.as_ident()).map(|part| part.value.to_lowercase())
        }
        _ => None,
    };
    relations.filter_map(name).collect()
}

/// Whether a call has a star that is not `count(*)`.
fn has_star(expr: &Expr) -> bool {
    if pattern_of(expr).is_some() {
        return true;
    }
    let Expr::Function(function) = expr else { return false };
    let FunctionArguments::List(list) = &function.args else { return false };
    let star = list.args.iter().any(|arg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)));
    star && !function.name.to_string().eq_ignore_ascii_case("count")
}

#[derive(Default)]
struct Find {
    selects: Vec<Select>,
}

impl Visitor for Find {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut stars = Stars(false);
        let _ = select.projection.iter().try_for_each(|item| visit(item, &mut stars));
        if stars.0 {
            let mut everything = select.clone();
            everything.projection = vec![SelectItem::Wildcard(Default::default())];
            (everything.selection, everything.having, everything.distinct) = (None, None, None);
            everything.group_by = datafusion::sql::sqlparser::ast::GroupByExpr::Expressions(Vec::new(), Vec::new());
            self.selects.push(everything);
        }
        ControlFlow::Continue(())
    }
}

struct Stars(bool);

impl Visitor for Stars {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0 |= has_star(expr);
        ControlFlow::Continue(())
    }
}

/// Goes the same way and fills in, select by select.
struct Fill {
    columns: Vec<Vec<Expr>>,
}

impl VisitorMut for Fill {
    type Break = Box<Error>;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Box<Error>> {
        let mut stars = Stars(false);
        let _ = select.projection.iter().try_for_each(|item| visit(item, &mut stars));
        if stars.0
            && let Some(columns) = self.columns.pop()
        {
            let mut items = Vec::new();
            for item in std::mem::take(&mut select.projection) {
                let pattern = match &item {
                    SelectItem::UnnamedExpr(expr) => pattern_of(expr),
                    _ => None,
                };
                match pattern.map(|(pattern, table)| fitting(&columns, pattern, table)) {
                    Some(Ok(found)) => items.extend(found),
                    Some(Err(error)) => return ControlFlow::Break(error),
                    None => items.push(item),
                }
            }
            select.projection = items;
            let mut replace = Replace { columns };
            // The visitor never breaks off.
            let _ = select.projection.iter_mut().try_for_each(|item| visit_mut(item, &mut replace));
        }
        ControlFlow::Continue(())
    }
}

struct Replace {
    columns: Vec<Expr>,
}

impl VisitorMut for Replace {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if has_star(expr)
            && let Expr::Function(function) = expr
            && let FunctionArguments::List(list) = &mut function.args
        {
            let all = self.columns.iter().cloned().map(|column| FunctionArg::Unnamed(FunctionArgExpr::Expr(column)));
            list.args = all.collect();
        }
        ControlFlow::Continue(())
    }
}
