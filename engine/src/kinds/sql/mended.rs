//! What other products take and the planner refuses because it does not know a name: told from its error, so that nothing
//! that has a meaning already gets another one.
//!
//! The name of a column of the same SELECT stands for what it names in the columns behind it and in WHERE, as in Snowflake and
//! DuckDB (`select value / 1e18 as eth, eth * 2000 as usd`). `s.*` of a row are its fields, as in BigQuery.

use std::ops::ControlFlow;

use arrow::datatypes::Fields;
use datafusion::common::{Column, DataFusionError, SchemaError};
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectNamePart, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, Statement, VisitMut,
    VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use crate::kinds::places;

/// How often a statement is mended before it is refused.
pub(super) const MOST: usize = 60;
/// Longest text of an expression that stands in the place of its name.
const LONGEST: usize = 20_000;

/// Statements of one column each, a row of which a refused statement asks for all fields, with the place of the row in the text.
pub(super) fn rows_asked(statement: &Statement, error: &DataFusionError) -> Vec<(Location, Statement)> {
    if !unknown_qualifier(error) {
        return Vec::new();
    }
    let stars = places::stars(statement).into_iter();
    stars.filter_map(|(names, alone)| Some((names.last()?.span.start, alone))).collect()
}

/// Changes a statement that the planner refused with an error; false when there is nothing to change. `rows` are the rows
/// that it asks for all fields of, with their fields.
pub(super) fn mended(statement: &mut Statement, error: &DataFusionError, rows: Vec<(Location, Fields)>) -> bool {
    // The visitors never break off.
    if let Some((column, place)) = unknown_column(error, None) {
        let mut own = OwnColumn { name: &column.name, place, found: false };
        let _ = VisitMut::visit(statement, &mut own);
        return own.found;
    }
    let mut stars = Stars { rows, found: false };
    let _ = VisitMut::visit(statement, &mut stars);
    stars.found
}

/// A column without a table that is nowhere, and its place in the text.
fn unknown_column(error: &DataFusionError, place: Option<Location>) -> Option<(&Column, Option<Location>)> {
    match error {
        DataFusionError::Diagnostic(told, inner) => {
            let span = told.span.map(|span| Location { line: span.start.line, column: span.start.column });
            unknown_column(inner, span.or(place))
        }
        DataFusionError::Context(_, inner) => unknown_column(inner, place),
        DataFusionError::Shared(inner) => unknown_column(inner, place),
        DataFusionError::Collection(all) => unknown_column(all.first()?, place),
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::FieldNotFound { field, .. } if field.relation.is_none() => Some((field.as_ref(), place)),
            _ => None,
        },
        _ => None,
    }
}

fn unknown_qualifier(error: &DataFusionError) -> bool {
    match error {
        DataFusionError::Diagnostic(_, inner) | DataFusionError::Context(_, inner) => unknown_qualifier(inner),
        DataFusionError::Shared(inner) => unknown_qualifier(inner),
        DataFusionError::Collection(all) => all.first().is_some_and(unknown_qualifier),
        DataFusionError::Plan(message) => message.starts_with("Invalid qualifier "),
        _ => false,
    }
}

fn normal(name: &Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_lowercase() }
}

/// Looks for the SELECT in which an unknown name stands for one of its own columns.
struct OwnColumn<'a> {
    name: &'a str,
    place: Option<Location>,
    found: bool,
}

impl VisitorMut for OwnColumn<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let own = select.projection.iter().enumerate().find_map(|(index, item)| match item {
            SelectItem::ExprWithAlias { expr, alias } if normal(alias) == self.name => Some((index, expr.clone())),
            _ => None,
        });
        let Some((index, meaning)) = own.filter(|(_, meaning)| meaning.to_string().len() < LONGEST) else {
            return ControlFlow::Continue(());
        };
        let mut uses = Uses { name: self.name, place: self.place, meaning: None, met: false, depth: 0 };
        let visit = |uses: &mut Uses, select: &mut Select| {
            for item in &mut select.projection[index + 1..] {
                let _ = VisitMut::visit(item, uses);
            }
            let _ = VisitMut::visit(&mut select.selection, uses);
        };
        visit(&mut uses, select);
        if uses.met {
            uses.meaning = Some(Expr::Nested(Box::new(meaning)));
            visit(&mut uses, select);
            self.found = true;
        }
        ControlFlow::Continue(())
    }
}

/// Names in an expression, not in the queries inside it.
struct Uses<'a> {
    name: &'a str,
    place: Option<Location>,
    /// What stands for the name from now on.
    meaning: Option<Expr>,
    /// Whether the name was met where the error is.
    met: bool,
    depth: usize,
}

impl VisitorMut for Uses<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.depth == 0
            && let Expr::Identifier(name) = &*expr
            && normal(name) == self.name
        {
            match &self.meaning {
                Some(meaning) => *expr = meaning.clone(),
                None => self.met |= self.place.is_none_or(|place| place == name.span.start),
            }
        }
        ControlFlow::Continue(())
    }
}

/// Writes the fields of rows in the place of their stars.
struct Stars {
    rows: Vec<(Location, Fields)>,
    found: bool,
}

impl VisitorMut for Stars {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let mut items = Vec::with_capacity(select.projection.len());
        for item in std::mem::take(&mut select.projection) {
            let names = of_star(&item);
            let place = names.last().map(|name| name.span.start);
            match self.rows.iter().find(|(row, _)| Some(*row) == place) {
                Some((_, fields)) => {
                    self.found = true;
                    items.extend(fields.iter().map(|field| {
                        let name = Ident::with_quote('"', field.name());
                        let parts = names.iter().cloned().chain([name.clone()]).collect();
                        SelectItem::ExprWithAlias { expr: Expr::CompoundIdentifier(parts), alias: name }
                    }));
                }
                None => items.push(item),
            }
        }
        select.projection = items;
        ControlFlow::Continue(())
    }
}

/// The names before a star; none of what has other words behind it.
pub(in crate::kinds) fn of_star(item: &SelectItem) -> Vec<Ident> {
    match item {
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
            if *options == Default::default() =>
        {
            name.0.iter().filter_map(ObjectNamePart::as_ident).cloned().collect()
        }
        _ => Vec::new(),
    }
}
