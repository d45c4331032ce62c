//! Turns a view into a plan, when a query names it.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::datasource::ViewTable;
use datafusion::execution::session_state::SessionState;

use super::View;
use super::prices::Anchors;
use crate::session::tables::{Named, QueryCatalog, QueryCatalogs, ROLLUPS};
use quarry_lake::Origin;
use quarry_lake::tables::Table;

/// Plans views over one snapshot of the lake.
#[derive(Debug, Clone)]
pub struct Planner {
    state: Arc<SessionState>,
    chain: Vec<(Table, Arc<dyn TableProvider>)>,
    /// Sums by day; empty where they leave ranges out.
    rollups: Named,
    anchors: Anchors,
}

impl Planner {
    pub fn new(
        state: &Arc<SessionState>,
        chain: &[(Table, Arc<dyn TableProvider>)],
        rollups: Named,
        origin: Option<Origin>,
    ) -> Planner {
        Planner { state: state.clone(), chain: chain.to_vec(), rollups, anchors: Anchors::of(origin) }
    }

    /// Whether what the view reads is there.
    pub fn knows(&self, view: &View) -> bool {
        view.schema != ROLLUPS || !self.rollups.is_empty()
    }

    /// The view as a table whose plan takes its place in the plan of a query.
    pub async fn plan(&self, view: &View) -> Result<Arc<dyn TableProvider>> {
        // Attached tables are left out: they win over the chain's for the person's own query, not for a view.
        let mut catalog = QueryCatalog::new(self.chain.clone(), Named::new());
        catalog.add_views(Arc::new(self.clone()));
        catalog.add(ROLLUPS, self.rollups.clone());
        let mut state = self.state.as_ref().clone();
        state.register_catalog_list(Arc::new(QueryCatalogs(Arc::new(catalog))));
        let plan = state.create_logical_plan(&self.anchors.fill(view.sql)).await?;
        // A view is SQL: it gets its meaning here, since the query that names it may be in another language.
        let plan = state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}
