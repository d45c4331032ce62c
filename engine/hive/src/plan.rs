//! Query → physical plan.

use std::sync::Arc;

use arrow::datatypes::Field;
use datafusion::common::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{Query, Statement};

use super::stars;
use quarry_functions::hive::{named, shown, types};
use quarry_sql::bounds;
use quarry_sql::context::QueryContext;
use quarry_sql::errors::Names;
use quarry_sql::plan::on_thread;
use quarry_sql::session::Session;
use quarry_sql::session::tables::QueryCatalog;
use quarry_types::{Error, ErrorCode, Result};

/// A query that is ready to run.
pub(super) struct Planned {
    pub physical: Arc<dyn ExecutionPlan>,
    pub names: Names,
}

/// The logical plan of a query.
pub(super) async fn logical(core: &QueryContext, session: &Session, names: Names, query: Query) -> Result<LogicalPlan> {
    let (state, catalog) = (session.state.clone(), session.catalog.clone());
    on_thread(core.config.plan_time_limit, async move || logical_here(&state, &catalog, &names, query).await).await
}

/// The physical plan of a query; `shown` pads what a person reads.
pub(super) async fn physical(
    core: &QueryContext,
    session: &Session,
    names: Names,
    query: Query,
    shown: bool,
) -> Result<Planned> {
    let (state, catalog) = (session.state.clone(), session.catalog.clone());
    on_thread(core.config.plan_time_limit, async move || ready(&state, &catalog, names, query, shown).await).await
}

/// Plans on the thread it is called on.
pub(super) async fn ready(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: Names,
    query: Query,
    shown: bool,
) -> Result<Planned> {
    match ready_here(state, catalog, names.clone(), query.clone(), shown).await {
        Err(error) if quarry_sql::error_location::is_missing(&error) => {
            let attempt = async |statement| match statement {
                Statement::Query(query) => {
                    let planned = ready_here(state, catalog, names.clone(), *query, false).await;
                    planned.err().map(|error| error.message)
                }
                _ => None,
            };
            Err(quarry_sql::error_location::of_plan(error, &Statement::Query(Box::new(query)), attempt).await)
        }
        planned => planned,
    }
}

/// The same without the place of an error.
pub(super) async fn ready_here(
    state: &SessionState,
    catalog: &QueryCatalog,
    mut names: Names,
    query: Query,
    shown: bool,
) -> Result<Planned> {
    let logical = logical_here(state, catalog, &names, query).await?;
    names.add_columns(&logical);
    let logical = if shown { padded(logical).map_err(|error| names.explain(&error))? } else { logical };
    let physical = state.create_physical_plan(&logical).await.map_err(|error| names.explain(&error))?;
    Ok(Planned { physical, names })
}

async fn logical_here(
    state: &SessionState,
    catalog: &QueryCatalog,
    names: &Names,
    mut query: Query,
) -> Result<LogicalPlan> {
    stars::expand(state, catalog, names, &mut query).await?;
    let mut statement = Statement::Query(Box::new(query));
    quarry_sql::name_resolution::resolve(&mut statement, catalog)?;
    quarry_sql::unsupported_clauses::calls(&statement, state)?;
    bounds::statement(&statement)?;
    let statement = DfStatement::Statement(Box::new(statement));
    let logical = state.statement_to_plan(statement).await.map_err(|error| names.explain(&error))?;
    // Only queries come here; this holds whatever the planner makes of them.
    let read_only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    read_only
        .verify_plan(&logical)
        .map_err(|_| Error::new(ErrorCode::NotAllowed, "Only queries that read stand here."))?;
    Ok(logical)
}

/// The columns as Hive prints them: `char(n)` with its blanks, intervals as texts, decimals with all their digits.
fn padded(plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
    let fields = plan.schema().iter().map(|(qualifier, field)| (qualifier.cloned(), field.clone()));
    let fields: Vec<_> = fields.collect();
    let plain = |field: &Field| types::char_length(field).is_none() && !shown::is_needed(field.data_type());
    if fields.iter().all(|(_, field)| plain(field)) {
        return Ok(plan);
    }
    let pad = named("rpad")?;
    let columns = fields.into_iter().map(|(qualifier, field)| {
        let column = Expr::Column(datafusion::common::Column::new(qualifier.clone(), field.name()));
        match types::char_length(&field) {
            Some(length) => {
                pad.call(vec![column, lit(length as i64), lit(" ")]).alias_qualified(qualifier, field.name())
            }
            None if shown::is_needed(field.data_type()) => shown::call(column).alias_qualified(qualifier, field.name()),
            None => column,
        }
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::from(plan).project(columns)?.build()
}
