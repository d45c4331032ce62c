//! What other products take and the planner refuses because it does not know a name: told from its error, so that nothing
//! that has a meaning already gets another one.
//!
//! The name of a column of the same SELECT stands for what it names ([`own_columns`]). `s.*` of a row are its fields, as in
//! BigQuery.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use arrow::datatypes::{DataType, Fields};
use datafusion::common::{Column, DataFusionError, Result as DfResult, SchemaError};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{Expr, Ident, Select, SelectItem, Statement, VisitorMut};
use datafusion::sql::sqlparser::tokenizer::Location;

use super::own_columns::{self, Growth};
use crate::ast_visitor::visit_mut;
use crate::error_location;
use crate::syntax::of_star;
use quarry_types::{ErrorCode, refuse};

/// How often a statement is mended, each time for one name, and how long that may take: it is planned again every time.
const MOST: usize = 100;
const LONGEST: Duration = Duration::from_secs(5);

/// The logical plan of a statement, which is mended where the planner does not know a name that others do.
pub async fn logical(state: &SessionState, mut statement: Statement) -> DfResult<LogicalPlan> {
    let (begun, mut growth) = (Instant::now(), Growth::default());
    for _ in 0..MOST {
        let error = match planned(state, &statement).await {
            Ok(logical) => return Ok(logical),
            Err(error) => error,
        };
        if begun.elapsed() > LONGEST {
            return Err(too_many());
        }
        let mut rows = Vec::new();
        for (place, alone) in rows_asked(&statement, &error) {
            let row = planned(state, &alone).await;
            rows.extend(row.ok().and_then(|row| Some((place, fields_of(&row)?))));
        }
        if !mended(&mut statement, &error, rows, state, &mut growth)? {
            return Err(error);
        }
    }
    planned(state, &statement).await.map_err(|_| too_many())
}

fn too_many() -> DataFusionError {
    refuse(
        ErrorCode::TooComplex,
        "Too many columns are named by others of the same SELECT; name them in a query in FROM.",
    )
}

async fn planned(state: &SessionState, statement: &Statement) -> DfResult<LogicalPlan> {
    state.statement_to_plan(DfStatement::Statement(Box::new(statement.clone()))).await
}

/// The fields of the row that is the first column of a plan.
fn fields_of(plan: &LogicalPlan) -> Option<Fields> {
    match plan.schema().fields().first()?.data_type() {
        DataType::Struct(fields) => Some(fields.clone()),
        _ => None,
    }
}

/// Statements of one column each, a row of which a refused statement asks for all fields, with the place of the row in the text.
fn rows_asked(statement: &Statement, error: &DataFusionError) -> Vec<(Location, Statement)> {
    if !unknown_qualifier(error) {
        return Vec::new();
    }
    let stars = error_location::stars(statement).into_iter();
    stars.filter_map(|(names, alone)| Some((names.last()?.span.start, alone))).collect()
}

/// Changes a statement that the planner refused with an error; false when there is nothing to change. `rows` are the rows
/// that it asks for all fields of, with their fields.
fn mended(
    statement: &mut Statement,
    error: &DataFusionError,
    rows: Vec<(Location, Fields)>,
    state: &SessionState,
    growth: &mut Growth,
) -> DfResult<bool> {
    if let Some((column, place)) = unknown_column(error, None) {
        return match place {
            Some(place) => own_columns::stand_for(statement, &column.name, place, state, growth),
            None => Ok(false),
        };
    }
    let mut stars = Stars { rows, found: false };
    // The visitor never breaks off.
    let _ = visit_mut(statement, &mut stars);
    Ok(stars.found)
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
