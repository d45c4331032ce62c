//! Which steps of the planner change the plan of a query: what `quarry sql --explain-steps` prints.

use std::sync::Arc;

use datafusion::common::display::PlanType;
use datafusion::logical_expr::LogicalPlanBuilder;
use datafusion::physical_plan::explain::ExplainExec;
use quarry_runtime::job::JobRequest;
use quarry_types::{Error, ErrorCode, Result};

use super::errors::Names;
use super::{parse, plan, session};
use crate::context::QueryContext;
use quarry_planner::pipeline;

/// A plan that differs from the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    /// The stage (`initial`, `analyzer`, `optimizer`, `physical`), and the name of the step where it has one.
    pub step: String,
    /// What the step does; empty for a step of DataFusion's own.
    pub does: String,
    /// The plan, an operator a line.
    pub plan: String,
}

/// The plan of a query as it is parsed, and after each step that changes it.
pub async fn plan_changes(core: &Arc<QueryContext>, request: &JobRequest) -> Result<Vec<PlanChange>> {
    let session = session(core, &core.lake.snapshot().await?, request).await?;
    let mut state = session.state.as_ref().clone();
    state.config_mut().options_mut().explain.logical_plan_only = false;
    let (request, catalog, max_bytes) = (request.clone(), session.catalog.clone(), core.config.text_limit);
    plan::on_thread(core.config.plan_time_limit, async move || {
        let names = Names::new(&request.text, catalog.table_names());
        let statement = parse::parse(&request.text, &request.parameters, max_bytes)?;
        let logical = plan::logical(&state, &catalog, statement, &names).await?;
        let explained = LogicalPlanBuilder::from(logical).explain(true, false).and_then(LogicalPlanBuilder::build);
        let explained = explained.map_err(|error| names.explain(&error))?;
        let physical = state.create_physical_plan(&explained).await.map_err(|error| names.explain(&error))?;
        let explain = physical.downcast_ref::<ExplainExec>().ok_or_else(|| Error::internal("EXPLAIN has no plan"))?;
        changes(explain)
    })
    .await
}

/// The plans of EXPLAIN VERBOSE, without those that equal the one before.
fn changes(explain: &ExplainExec) -> Result<Vec<PlanChange>> {
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
