//! `s.*` of a column that is a struct selects its fields, as in BigQuery. Only the planner knows the types of columns, so it plans the
//! column alone, over the tables of its SELECT.

use std::collections::HashSet;
use std::ops::ControlFlow;

use arrow::datatypes::{DataType, Fields};
use datafusion::execution::context::SessionState;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Select, SelectItem, Statement, TableFactor, TableWithJoins, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use super::resolve;
use crate::error_location::scopes;
use crate::names::relation::{alias_of, normal};
use crate::session::tables::QueryCatalog;
use crate::syntax::star_qualifier;
use crate::syntax::visitor::{visit, visit_mut};

/// Most stars of a statement: a column is planned for each.
const MAX_STARS: usize = 100;

/// Replaces the stars of structs by their fields.
pub async fn expand(statement: &mut Statement, catalog: &QueryCatalog, state: &SessionState) {
    // A star that is left here is refused by the planner.
    let mut tried = HashSet::new();
    while tried.len() < MAX_STARS {
        let Some((names, column)) = next(statement, &tried) else { return };
        let Some(place) = names.last().map(|name| name.span.start) else { return };
        tried.insert(place);
        if let Some(fields) = fields_of(column, catalog, state).await {
            // The visitor never breaks off.
            let _ = visit_mut(statement, &mut Expand { place, names: &names, fields: &fields });
        }
    }
}

/// The names before the next star that is not one of a relation, in the order in which queries read each other, and a statement that
/// selects them as a column.
fn next(statement: &Statement, tried: &HashSet<Location>) -> Option<(Vec<Ident>, Statement)> {
    let is_next = |names: &[Ident], from: &[TableWithJoins]| {
        let place = names.last().map(|name| name.span.start);
        place.is_some_and(|place| place.line > 0 && !tried.contains(&place)) && !is_relation(names, from)
    };
    if visit(statement, &mut Find { is_next: &is_next }).is_continue() {
        return None;
    }
    scopes::of_statement(statement).iter().find_map(|scope| {
        let names = scope.stars.iter().find(|names| is_next(names, scope.from()))?;
        let column = match names.as_slice() {
            [name] => Expr::Identifier(name.clone()),
            _ => Expr::CompoundIdentifier(names.clone()),
        };
        Some((names.clone(), scope.with(column)))
    })
}

/// Whether the names before a star are those of a relation of FROM.
fn is_relation(names: &[Ident], from: &[TableWithJoins]) -> bool {
    let is_named = |factor: &TableFactor| match (alias_of(factor), factor) {
        (Some(alias), _) => matches!(names, [name] if normal(name) == normal(&alias.name)),
        (None, TableFactor::Table { name, .. }) => {
            let path: Vec<String> = name.0.iter().filter_map(|part| part.as_ident()).map(normal).collect();
            path.ends_with(&names.iter().map(normal).collect::<Vec<_>>())
        }
        (None, TableFactor::NestedJoin { table_with_joins, .. }) => {
            is_relation(names, std::slice::from_ref(table_with_joins))
        }
        _ => false,
    };
    from.iter().any(|table| is_named(&table.relation) || table.joins.iter().any(|join| is_named(&join.relation)))
}

/// The fields of the struct that is the only column of a statement.
async fn fields_of(mut column: Statement, catalog: &QueryCatalog, state: &SessionState) -> Option<Fields> {
    resolve(&mut column, catalog, Some(state)).ok()?;
    let plan = state.statement_to_plan(DfStatement::Statement(Box::new(column))).await.ok()?;
    match plan.schema().fields().first()?.data_type() {
        DataType::Struct(fields) => Some(fields.clone()),
        _ => None,
    }
}

struct Find<'a> {
    is_next: &'a dyn Fn(&[Ident], &[TableWithJoins]) -> bool,
}

impl Visitor for Find<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let is_found = select.projection.iter().map(star_qualifier).any(|names| (self.is_next)(&names, &select.from));
        if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

struct Expand<'a> {
    place: Location,
    names: &'a [Ident],
    fields: &'a Fields,
}

impl VisitorMut for Expand<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let is_star = |item: &SelectItem| star_qualifier(item).last().is_some_and(|name| name.span.start == self.place);
        if !select.projection.iter().any(is_star) {
            return ControlFlow::Continue(());
        }
        let field = |name: &String| {
            let alias = Ident::with_quote('"', name);
            let parts = self.names.iter().cloned().chain([alias.clone()]).collect();
            SelectItem::ExprWithAlias { expr: Expr::CompoundIdentifier(parts), alias }
        };
        let items = std::mem::take(&mut select.projection).into_iter();
        let items = items.flat_map(|item| match is_star(&item) {
            true => self.fields.iter().map(|struct_field| field(struct_field.name())).collect(),
            false => vec![item],
        });
        select.projection = items.collect();
        ControlFlow::Continue(())
    }
}
