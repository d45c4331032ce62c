//! Sessions: one for each query, with its own catalog and memory pool, over a shared runtime.

mod information_schema;
pub mod tables;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use datafusion::execution::context::SessionContext;
use datafusion::execution::disk_manager::{DiskManager, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, MemoryPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::execution::{FunctionRegistry, TaskContext};
use datafusion::logical_expr::ScalarUDF;

use crate::running::distribution::Distributor;
use crate::running::memory_pool::QueryPool;
use quarry_runtime::EngineConfig;
use quarry_runtime::abandoned_files::ProcessFolder;
use quarry_types::{Error, Result};
use tables::{QueryCatalog, QueryCatalogs};

/// Bytes of Parquet footers that are cached.
const FOOTER_CACHE: usize = 256 << 20;

/// Starts the sessions of an engine.
#[derive(Debug)]
pub struct Sessions {
    base: Arc<SessionState>,
    hive: SessionState,
    runtime: Arc<RuntimeEnv>,
    shared_pool: Arc<dyn MemoryPool>,
    query_memory_limit: usize,
    distributor: OnceLock<Distributor>,
    _spill_folder: ProcessFolder,
}

/// The session of one query.
pub struct Session {
    pub state: Arc<SessionState>,
    pub pool: Arc<QueryPool>,
    pub catalog: Arc<QueryCatalog>,
    runtime: Arc<RuntimeEnv>,
}

impl Session {
    /// Adds a function, or replaces the one of its name.
    pub fn register(&mut self, function: ScalarUDF) -> Result<()> {
        Arc::make_mut(&mut self.state).register_udf(Arc::new(function)).map(drop).map_err(Error::internal)
    }

    /// The settings and the memory that plans run with. A plan has its functions itself.
    pub fn tasks(&self) -> Arc<TaskContext> {
        let (id, config) = (self.state.session_id().to_string(), self.state.config().clone());
        let (scalar, higher) = (HashMap::new(), HashMap::new());
        let (aggregate, window) = (HashMap::new(), HashMap::new());
        Arc::new(TaskContext::new(None, id, config, scalar, higher, aggregate, window, self.runtime.clone()))
    }

    /// For reading tables without SQL, in the memory of this query. Creating it takes as long as planning a small query.
    pub fn context(&self) -> SessionContext {
        let state = SessionStateBuilder::new_from_existing(self.state.as_ref().clone());
        SessionContext::new_with_state(state.with_runtime_env(self.runtime.clone()).build())
    }
}

impl Sessions {
    /// Opens the shared runtime, over which `states` creates the states of SQL and of HiveQL.
    ///
    /// # Errors
    ///
    /// The spill folder can't be used, or `states` fails.
    pub fn open(
        config: &EngineConfig,
        states: impl FnOnce(&EngineConfig, &Arc<RuntimeEnv>) -> Result<(SessionState, SessionState)>,
    ) -> Result<Sessions> {
        let spill = config.spill_dir();
        std::fs::create_dir_all(&spill).map_err(Error::internal)?;
        let spill = ProcessFolder::create(&spill).map_err(Error::internal)?;
        let disk = DiskManager::builder()
            .with_mode(DiskManagerMode::Directories(vec![spill.path().to_path_buf()]))
            .with_max_temp_directory_size(config.spill_limit);
        let shared_pool: Arc<dyn MemoryPool> = Arc::new(FairSpillPool::new(config.memory_limit));
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(shared_pool.clone())
            .with_disk_manager_builder(disk)
            .with_metadata_cache_limit(FOOTER_CACHE)
            .build_arc()
            .map_err(Error::internal)?;
        let (base, hive) = states(config, &runtime)?;
        let query_memory_limit = config.query_memory_limit;
        Ok(Sessions {
            base: Arc::new(base),
            hive,
            runtime,
            shared_pool,
            query_memory_limit,
            distributor: OnceLock::new(),
            _spill_folder: spill,
        })
    }

    /// A session for one query over the tables of `catalog`.
    pub fn start(&self, catalog: QueryCatalog) -> Session {
        self.start_from(&self.base, catalog)
    }

    /// The same for a batch job, with half the partitions.
    pub fn start_batch(&self, catalog: QueryCatalog) -> Session {
        let mut session = self.start_from(&self.base, catalog);
        let partitions = (self.base.config().target_partitions() / 2).max(1);
        Arc::make_mut(&mut session.state).config_mut().options_mut().execution.target_partitions = partitions;
        session
    }

    /// The same for HiveQL.
    pub fn start_hive(&self, catalog: QueryCatalog) -> Session {
        self.start_from(&self.hive, catalog)
    }

    /// A session from a copy of a state. Building a state registers thousands of functions, which takes longer than planning a small
    /// query.
    pub fn start_from(&self, state: &SessionState, catalog: QueryCatalog) -> Session {
        let pool = Arc::new(QueryPool::new(self.shared_pool.clone(), self.query_memory_limit));
        let runtime = Arc::new(RuntimeEnv { memory_pool: pool.clone(), ..self.runtime.as_ref().clone() });
        let catalog = Arc::new(catalog);
        let mut state = state.clone();
        state.register_catalog_list(Arc::new(QueryCatalogs(catalog.clone())));
        if let Some(distributor) = self.distributor.get() {
            state.config_mut().set_extension(Arc::new(distributor.clone()));
        }
        state.mark_start_execution();
        Session { state: Arc::new(state), pool, catalog, runtime }
    }

    /// Shares the plans of sessions that start from now on out over workers. Only the first call counts.
    pub fn distribute_over(&self, distributor: Distributor) {
        // A second distributor would leave running queries with the first one.
        let _ = self.distributor.set(distributor);
    }

    /// The state of HiveQL: its functions and settings.
    pub fn hive(&self) -> &SessionState {
        &self.hive
    }

    /// The memory, the spill folder and the stores of all sessions.
    pub fn runtime(&self) -> &Arc<RuntimeEnv> {
        &self.runtime
    }

    /// The state of SQL: its functions and settings.
    pub fn base(&self) -> &Arc<SessionState> {
        &self.base
    }
}
