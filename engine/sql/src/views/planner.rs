//! Plans a view when a query names it.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::datasource::ViewTable;
use datafusion::execution::session_state::SessionState;

use super::{ALL, OTHER_NAMES, View, fill_contracts};
use crate::session::tables::{self, BIGQUERY_CHAINS, CHAIN, QueryCatalog, QueryCatalogs, ROLLUPS, TablesByName};
use quarry_lake::KnownContracts;
use quarry_lake::tables::Table;

/// Plans views over one snapshot of the lake.
#[derive(Debug, Clone)]
pub struct Planner {
    state: Arc<SessionState>,
    chain: Vec<(Table, Arc<dyn TableProvider>)>,
    /// Sums by day; empty if they leave ranges out.
    rollups: TablesByName,
    contracts: Arc<KnownContracts>,
}

impl Planner {
    pub fn new(
        state: &Arc<SessionState>,
        chain: &[(Table, Arc<dyn TableProvider>)],
        rollups: TablesByName,
        contracts: Arc<KnownContracts>,
    ) -> Planner {
        Planner { state: state.clone(), chain: chain.to_vec(), rollups, contracts }
    }

    /// Adds the views to the schemas of a catalog. Without roll-ups, the views over them are left out.
    pub fn add_to(self, catalog: &mut QueryCatalog) {
        let planner = Arc::new(self);
        let planned = |view| Arc::new(Planned { view, planner: Arc::clone(&planner) }) as Arc<dyn tables::View>;
        for view in ALL.into_iter().filter(|view| view.schema != ROLLUPS || !planner.rollups.is_empty()) {
            let others: &[&str] = if view.schema == CHAIN { &BIGQUERY_CHAINS } else { &[] };
            for schema in others.iter().chain([&view.schema]) {
                catalog.add_view(schema, view.name, &planned(view));
            }
        }
        for (schema, name, view) in OTHER_NAMES {
            catalog.add_view(schema, name, &planned(view));
        }
    }

    /// The view as a table that the planner replaces by its plan.
    pub(super) async fn plan(&self, view: &View) -> Result<Arc<dyn TableProvider>> {
        // Without attached files, which shadow the chain's tables in queries but not in views.
        let mut catalog = QueryCatalog::new(self.chain.clone(), TablesByName::new());
        self.clone().add_to(&mut catalog);
        catalog.add(ROLLUPS, self.rollups.clone());
        let mut state = self.state.as_ref().clone();
        state.register_catalog_list(Arc::new(QueryCatalogs(Arc::new(catalog))));
        let plan = state.create_logical_plan(&fill_contracts(view.sql, &self.contracts)).await?;
        // Analyzed here as SQL, since the query that names it may be HiveQL.
        let plan = state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

/// A view that is planned when a query names it.
#[derive(Debug)]
struct Planned {
    view: &'static View,
    planner: Arc<Planner>,
}

#[async_trait]
impl tables::View for Planned {
    fn name(&self) -> (&str, &str) {
        (self.view.schema, self.view.name)
    }

    fn schema(&self) -> SchemaRef {
        self.view.arrow_schema()
    }

    async fn plan(&self) -> Result<Arc<dyn TableProvider>> {
        self.planner.plan(self.view).await
    }
}
