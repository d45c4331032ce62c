//! Runs queries with other settings, or without one rule. Answers must not depend on either: tests compare them.

use std::sync::Arc;

use datafusion::execution::SessionStateBuilder;
use datafusion::execution::session_state::SessionState;
use datafusion::physical_plan::collect;
use serde_json::Value;

use super::plan;
use crate::context::QueryContext;
use crate::session::tables::QueryCatalog;
use quarry_runtime::job::{JobRequest, Schemas};
use quarry_types::cell::row_values;
use quarry_types::{Error, Result};

/// How queries are planned and run.
#[derive(Debug, Clone, Default)]
pub struct Variant {
    /// Settings of DataFusion by name (`datafusion.execution.batch_size`) that are other than usual.
    pub settings: Vec<(String, String)>,
    /// The rule that is left out, one of [`VariantRunner::rules`].
    pub without: Option<String>,
}

/// Runs queries in one way, on the tables as they were when it was made. It stores no results and makes no jobs.
pub struct VariantRunner {
    core: Arc<QueryContext>,
    state: SessionState,
    catalog: QueryCatalog,
}

impl VariantRunner {
    pub async fn new(core: Arc<QueryContext>, variant: &Variant) -> Result<VariantRunner> {
        let catalog = core.tables(&Schemas::default()).await?;
        let base = core.sessions.base();
        let stays = |name: &str| variant.without.as_deref() != Some(name);
        let mut config = base.config().clone();
        for (name, value) in &variant.settings {
            config.options_mut().set(name, value).map_err(Error::internal)?;
        }
        let mut builder = SessionStateBuilder::new_from_existing(base.as_ref().clone()).with_config(config);
        if variant.without.is_some() {
            let analyzer = base.analyzer().rules.iter().filter(|rule| stays(rule.name())).cloned().collect();
            let logical = base.optimizers().iter().filter(|rule| stays(rule.name())).cloned().collect();
            let physical = base.physical_optimizers().iter().filter(|rule| stays(rule.name())).cloned().collect();
            builder = builder
                .with_analyzer_rules(analyzer)
                .with_optimizer_rules(logical)
                .with_physical_optimizer_rules(physical);
        }
        Ok(VariantRunner { core, state: builder.build(), catalog })
    }

    /// The names of all rules, in the order in which they run. Some do more than make queries faster: without them queries are
    /// refused, or answered wrongly.
    pub fn rules(&self) -> Vec<String> {
        let analyzer = self.state.analyzer().rules.iter().map(|rule| rule.name().to_string());
        let logical = self.state.optimizers().iter().map(|rule| rule.name().to_string());
        let physical = self.state.physical_optimizers().iter().map(|rule| rule.name().to_string());
        analyzer.chain(logical).chain(physical).collect()
    }

    /// The rows of a query, each cell as in a stored result.
    pub async fn rows(&self, text: &str) -> Result<Vec<Vec<Value>>> {
        let request = JobRequest { text: text.to_string(), ..JobRequest::default() };
        let session = self.core.sessions.start_from(&self.state, self.catalog.clone());
        let core = Arc::clone(&self.core);
        let work = async move {
            let planned = plan::plan_silently(&core, &session, &request).await?;
            let batches = collect(planned.physical, session.tasks()).await;
            let batches = batches.map_err(|error| planned.names.explain(&error))?;
            let rows = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| row_values(batch, row)));
            Ok(rows.collect())
        };
        self.core.runtime.spawn(work).await.map_err(Error::internal)?
    }
}
