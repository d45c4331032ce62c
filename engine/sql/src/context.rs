//! What jobs that query tables share: the lake, the sessions, and the stores of an engine.

use std::sync::Arc;

use quarry_labels as labels;
use quarry_labels::Labels;
use quarry_lake::tables::Table;
use quarry_lake::{Lake, Snapshot};
use quarry_runtime::job::Schemas;
use quarry_runtime::results::ResultStore;
use quarry_runtime::user_tables::UserTables;
use quarry_types::Result;
use tokio::runtime::Handle;

use crate::running::shared_runs::SharedRuns;
use crate::session::Sessions;
use crate::session::tables::{Attached, QueryCatalog, ROLLUPS, TablesByName};
use crate::views::Planner;
use quarry_runtime::EngineConfig;

/// What a job needs of the engine.
pub struct QueryContext {
    pub config: EngineConfig,
    pub lake: Lake,
    pub sessions: Sessions,
    pub results: ResultStore,
    pub attached: Attached,
    pub user_tables: UserTables,
    pub labels: Arc<Labels>,
    pub shared: SharedRuns,
    /// Runs small reads that somebody waits for and that are no jobs.
    pub runtime: Handle,
    /// Runs what nobody waits for.
    pub background: Handle,
}

impl QueryContext {
    /// The tables a query that starts now sees: all of one snapshot of the lake, and those of users that it may read.
    pub async fn tables(&self, schemas: &Schemas) -> Result<QueryCatalog> {
        self.tables_at(&self.lake.snapshot().await?, schemas).await
    }

    /// The same of a snapshot that is known already.
    pub async fn tables_at(&self, snapshot: &Arc<Snapshot>, schemas: &Schemas) -> Result<QueryCatalog> {
        let chain = Table::ALL.map(|table| (table, self.lake.provider(snapshot, table)));
        // Sums that leave ranges out would be wrong, so they are not there at all until every range has them.
        let mut rollups = TablesByName::new();
        if snapshot.without_rollups.is_empty() {
            let table = |table: Table| (table.name().to_string(), self.lake.provider(snapshot, table));
            rollups = Table::DERIVED.map(table).into();
        }
        let planner = Planner::new(self.sessions.base(), &chain, rollups.clone(), self.lake.info().await?.contracts);
        let mut catalog = QueryCatalog::new(chain, self.attached.all());
        planner.add_to(&mut catalog);
        if !rollups.is_empty() {
            catalog.add(ROLLUPS, rollups);
        }
        catalog
            .add(labels::SCHEMA, self.labels.providers(schemas)?.map(|(name, table)| (name.to_string(), table)).into());
        catalog.add_labels(Arc::clone(&self.labels), schemas.clone());
        for (schema, name, table) in self.user_tables.providers(schemas)? {
            catalog.add(&schema, TablesByName::from([(name, table)]));
        }
        Ok(catalog)
    }
}
