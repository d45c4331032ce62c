//! Query → physical plan.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use datafusion::common::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{Query, Statement};

use super::stars;
use crate::engine::Core;
use crate::error::{Error, ErrorCode, Result};
use crate::exec::session::Session;
use crate::functions::hive::{named, types};
use crate::kinds::sql::bounds;
use crate::kinds::sql::errors::Names;
use crate::kinds::sql::plan::{StopOnDrop, on_thread, stoppable};

/// A query that is ready to run.
pub(super) struct Planned {
    pub physical: Arc<dyn ExecutionPlan>,
    pub names: Names,
}

/// The logical plan of a query.
pub(super) async fn logical(core: &Core, session: &Session, names: Names, query: Query) -> Result<LogicalPlan> {
    let stop = Arc::new(AtomicBool::new(false));
    let _stop_when_dropped = StopOnDrop(stop.clone());
    let state = stoppable(session.context.state(), stop);
    on_thread(core, async move || logical_here(&state, &names, query).await).await
}

/// The physical plan of a query; `shown` pads what a person reads.
pub(super) async fn physical(
    core: &Core,
    session: &Session,
    names: Names,
    query: Query,
    shown: bool,
) -> Result<Planned> {
    let stop = Arc::new(AtomicBool::new(false));
    let _stop_when_dropped = StopOnDrop(stop.clone());
    let state = stoppable(session.context.state(), stop);
    on_thread(core, async move || {
        let mut names = names;
        let logical = logical_here(&state, &names, query).await?;
        names.add_columns(&logical);
        let logical = if shown { padded(logical).map_err(|error| names.explain(&error))? } else { logical };
        let physical = state.create_physical_plan(&logical).await.map_err(|error| names.explain(&error))?;
        Ok(Planned { physical, names })
    })
    .await
}

async fn logical_here(state: &SessionState, names: &Names, mut query: Query) -> Result<LogicalPlan> {
    stars::expand(state, names, &mut query).await?;
    let statement = Statement::Query(Box::new(query));
    bounds::tables(&statement)?;
    let logical = plan(state, statement).await.map_err(|error| names.explain(&error))?;
    // Only queries come here; this holds whatever the planner makes of them.
    let read_only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    read_only
        .verify_plan(&logical)
        .map_err(|_| Error::new(ErrorCode::NotAllowed, "Only queries that read stand here."))?;
    Ok(logical)
}

pub(super) async fn plan(state: &SessionState, statement: Statement) -> Result<LogicalPlan, DataFusionError> {
    state.statement_to_plan(DfStatement::Statement(Box::new(statement))).await
}

/// The columns of type `char(n)` with the blanks that Hive prints.
fn padded(plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
    let fields = plan.schema().iter().map(|(qualifier, field)| (qualifier.cloned(), field.clone()));
    let fields: Vec<_> = fields.collect();
    if fields.iter().all(|(_, field)| types::char_length(field).is_none()) {
        return Ok(plan);
    }
    let pad = named("rpad")?;
    let columns = fields.into_iter().map(|(qualifier, field)| {
        let column = Expr::Column(datafusion::common::Column::new(qualifier.clone(), field.name()));
        match types::char_length(&field) {
            Some(length) => {
                pad.call(vec![column, lit(length as i64), lit(" ")]).alias_qualified(qualifier, field.name())
            }
            None => column,
        }
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::from(plan).project(columns)?.build()
}
