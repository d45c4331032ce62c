//! A rewritten query → its logical and physical plan.

use std::sync::Arc;

use arrow::datatypes::Field;
use datafusion::common::{Column, DataFusionError};
use datafusion::execution::SessionState;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{Query, Statement};

use crate::rewrite::expand_stars;
use quarry_functions::hive::{hive_function, printed, types};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::Names;
use quarry_sql::plan::on_thread;
use quarry_sql::session::Session;
use quarry_sql::session::tables::QueryCatalog;
use quarry_sql::{error_location, limits, name_resolution, unsupported_clauses};
use quarry_types::{Error, ErrorCode, Result};

/// A query that is ready to run.
pub(crate) struct Planned {
    pub physical: Arc<dyn ExecutionPlan>,
    /// Names for the errors of its run.
    pub names: Names,
}

/// Plans a query up to its logical plan, on a separate thread.
pub(crate) async fn logical_plan(
    core: &QueryContext,
    session: &Session,
    names: Names,
    query: Query,
) -> Result<LogicalPlan> {
    let (state, catalog) = (session.state.clone(), session.catalog.clone());
    on_thread(core.config.plan_time_limit, async move || plan_logical(&state, &catalog, &names, query).await).await
}

/// Plans a query on a separate thread. `is_result`: its rows are shown to a person.
pub(crate) async fn physical_plan(
    core: &QueryContext,
    session: &Session,
    names: Names,
    query: Query,
    is_result: bool,
) -> Result<Planned> {
    let (state, catalog) = (session.state.clone(), session.catalog.clone());
    let work = async move || {
        let error = match plan_physical(&state, &catalog, names.clone(), query.clone(), is_result).await {
            Err(error) if error_location::is_missing(&error) => error,
            planned => return planned,
        };
        let attempt = async |statement| match statement {
            Statement::Query(query) => {
                let planned = plan_physical(&state, &catalog, names.clone(), *query, false).await;
                planned.err().map(|error| error.message)
            }
            _ => None,
        };
        Err(error_location::locate_plan_error(error, &Statement::Query(Box::new(query)), attempt).await)
    };
    on_thread(core.config.plan_time_limit, work).await
}

/// Plans a query on this thread. An error may be without a position.
pub(crate) async fn plan_physical(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: Names,
    query: Query,
    is_result: bool,
) -> Result<Planned> {
    let mut logical = plan_logical(state, catalog, &names, query).await?;
    if is_result {
        logical = format_columns(logical).map_err(|error| names.explain(&error))?;
    }
    let physical = state.create_physical_plan(&logical).await.map_err(|error| names.explain(&error))?;
    Ok(Planned { physical, names })
}

async fn plan_logical(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: &Names,
    mut query: Query,
) -> Result<LogicalPlan> {
    expand_stars(state, catalog, names, &mut query).await?;
    let mut statement = Statement::Query(Box::new(query));
    name_resolution::resolve(&mut statement, catalog, None)?;
    unsupported_clauses::calls(&statement, state)?;
    limits::statement(&statement)?;
    let statement = DfStatement::Statement(Box::new(statement));
    let logical = state.statement_to_plan(statement).await.map_err(|error| names.explain(&error))?;
    // The parser lets only queries through; this also holds for what the planner makes of them.
    let read_only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let checked = read_only.verify_plan(&logical);
    checked.map_err(|_| Error::new(ErrorCode::NotAllowed, "Only read-only queries are allowed here."))?;
    Ok(logical)
}

/// Columns as Hive prints them: `char(n)` with its blanks, intervals as texts, decimals with all their digits.
fn format_columns(plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
    let is_printed = |field: &Field| types::char_length(field).is_some() || printed::is_needed(field.data_type());
    if !plan.schema().fields().iter().any(|field| is_printed(field)) {
        return Ok(plan);
    }
    let pad = hive_function("rpad")?;
    let columns = plan.schema().iter().map(|(qualifier, field)| {
        let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
        let printed = match types::char_length(field) {
            Some(length) => pad.call(vec![column, lit(length as i64), lit(" ")]),
            None if printed::is_needed(field.data_type()) => printed::call(column),
            None => return column,
        };
        printed.alias_qualified(qualifier.cloned(), field.name())
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::from(plan).project(columns)?.build()
}
