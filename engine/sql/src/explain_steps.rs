//! Which steps change a query and its plan: what `quarry sql --explain-steps` prints.

use std::sync::Arc;

use datafusion::common::display::PlanType;
use datafusion::logical_expr::LogicalPlanBuilder;
use datafusion::physical_plan::explain::ExplainExec;
use quarry_runtime::job::JobRequest;
use quarry_types::{Error, ErrorCode, Result};

use super::errors::Names;
use super::trace::{PlanChange, Trace};
use super::{parse, plan, session};
use crate::context::QueryContext;
use quarry_planner::pipeline;

/// The query after each step that changes its text, and its plan as it is parsed and after each step that changes it.
pub async fn plan_changes(core: &Arc<QueryContext>, request: &JobRequest) -> Result<Vec<PlanChange>> {
    let session = session(core, &core.lake.snapshot().await?, request).await?;
    let mut state = session.state.as_ref().clone();
    state.config_mut().options_mut().explain.logical_plan_only = false;
    let (request, catalog, max_bytes) = (request.clone(), session.catalog.clone(), core.config.text_limit);
    plan::on_thread(core.config.plan_time_limit, async move || {
        let names = Names::new(&request.text, catalog.table_names());
        let mut trace = Trace { is_on: true, ..Trace::default() };
        let statement = parse::parse_traced(&request.text, &request.parameters, max_bytes, &mut trace)?;
        let logical = plan::plan_logical(&state, &catalog, statement, &names, &mut trace).await?;
        let explained = LogicalPlanBuilder::from(logical).explain(true, false).and_then(LogicalPlanBuilder::build);
        let explained = explained.map_err(|error| names.explain(&error))?;
        let physical = state.create_physical_plan(&explained).await.map_err(|error| names.explain(&error))?;
        let explain = physical.downcast_ref::<ExplainExec>().ok_or_else(|| Error::internal("EXPLAIN has no plan"))?;
        trace.changes.extend(plans(explain)?);
        Ok(trace.changes)
    })
    .await
}

/// The plans of EXPLAIN VERBOSE, without those that equal the one before.
fn plans(explain: &ExplainExec) -> Result<Vec<PlanChange>> {
    let sentences = pipeline::sentences()?;
    let mut changes: Vec<PlanChange> = Vec::new();
    for text in explain.stringified_plans() {
        let (stage, name) = match &text.plan_type {
            PlanType::InitialLogicalPlan => ("initial", ""),
            PlanType::AnalyzedLogicalPlan { analyzer_name } => ("analyzer", analyzer_name.as_str()),
            PlanType::OptimizedLogicalPlan { optimizer_name } => ("optimizer", optimizer_name.as_str()),
            PlanType::InitialPhysicalPlan => ("physical", ""),
            PlanType::OptimizedPhysicalPlan { optimizer_name } => ("physical", optimizer_name.as_str()),
            // EXPLAIN shows an error of the physical planner as a plan.
            PlanType::PhysicalPlanError => return Err(Error::new(ErrorCode::InvalidQuery, text.plan.trim_end())),
            _ => continue,
        };
        let plan = text.plan.trim_end();
        if changes.last().is_some_and(|before| before.plan == plan) {
            continue;
        }
        let does = sentences.get(name).copied().unwrap_or_default().to_string();
        let step = format!("{stage} {name}").trim_end().to_string();
        changes.push(PlanChange { step, does, plan: plan.to_string() });
    }
    Ok(changes)
}
