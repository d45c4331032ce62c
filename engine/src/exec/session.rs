//! One session per query over one shared runtime: settings, functions, memory and disk.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::context::SessionContext;
use datafusion::execution::disk_manager::{DiskManager, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, MemoryPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::execution::{SessionStateDefaults, TaskContext};
use datafusion::logical_expr::ScalarUDF;
use datafusion::logical_expr::planner::ExprPlanner;
use datafusion::optimizer::{Optimizer, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::prelude::SessionConfig;

use super::correlated::Correlated;
use super::exact;
use super::faster::distinct::SharedCountDistinct;
use super::faster::partners::OnePartner;
use super::faster::passing::FilterBehindScans;
use super::faster::unused::UnusedJoins;
use super::forms::excluded::ExcludedRows;
use super::forms::laterals::LateralRows;
use super::forms::multisets::Multisets;
use super::forms::pivots::Pivots;
use super::forms::subqueries::SubqueriesAnywhere;
use super::forms::tops::TopOfEach;
use super::leavings::OwnFolder;
use super::mended::equal_windows::EqualWindows;
use super::mended::group_keys::{BELIEVERS, DistinctRows, GroupKeys, KeysOfRelations};
use super::mended::literal_sides::column_first;
use super::mended::nested_loops::LoopsInMemory;
use super::mended::null_keys::NullKeys;
use super::mended::shielded::{CasesOfConditions, Shielded};
use super::mended::totals::TotalsStandApart;
use super::mended::{from_statistics, handed_down, limited, orders, promises, top_groups};
use super::moving::MoveFrames;
use super::reuse::Reuse;
use super::running::pool::QueryPool;
use super::running::stopping;
use super::running::yielding::YieldByTime;
use super::tables::{CATALOG, MAIN, QueryCatalog, QueryCatalogs};
use crate::config::EngineConfig;
use crate::error::{Error, Result};
use crate::functions;
use crate::kinds::hive::{hive_options, hive_state};

/// Footers of Parquet files kept in memory, in bytes.
const FOOTER_CACHE: usize = 256 << 20;

/// What all queries share.
#[derive(Debug)]
pub(crate) struct Sessions {
    base: Arc<SessionState>,
    hive: SessionState,
    runtime: Arc<RuntimeEnv>,
    shared_pool: Arc<dyn MemoryPool>,
    query_memory_limit: usize,
    /// Where all spill to.
    _spill: OwnFolder,
}

/// The session of one query.
pub(crate) struct Session {
    /// Plans its queries.
    pub state: Arc<SessionState>,
    pub pool: Arc<QueryPool>,
    pub catalog: Arc<QueryCatalog>,
    runtime: Arc<RuntimeEnv>,
}

impl Session {
    /// Adds a function, or puts it in the place of one of its name.
    pub fn register(&mut self, function: ScalarUDF) -> Result<()> {
        let replaced = Arc::make_mut(&mut self.state).register_udf(Arc::new(function));
        replaced.map(drop).map_err(Error::internal)
    }

    /// What plans run with: the settings and the memory of this query. A plan holds its functions itself.
    pub fn tasks(&self) -> Arc<TaskContext> {
        let (id, config) = (self.state.session_id().to_string(), self.state.config().clone());
        let (scalar, higher) = (HashMap::new(), HashMap::new());
        let (aggregate, window) = (HashMap::new(), HashMap::new());
        Arc::new(TaskContext::new(None, id, config, scalar, higher, aggregate, window, self.runtime.clone()))
    }

    /// Reads tables without SQL, in the memory of this query. Making it costs as much as planning a small query.
    pub fn context(&self) -> SessionContext {
        let state = SessionStateBuilder::new_from_existing(self.state.as_ref().clone());
        SessionContext::new_with_state(state.with_runtime_env(self.runtime.clone()).build())
    }
}

impl Sessions {
    pub fn open(config: &EngineConfig) -> Result<Sessions> {
        let spill = config.spill_dir();
        std::fs::create_dir_all(&spill).map_err(Error::internal)?;
        let spill = OwnFolder::begin(&spill).map_err(Error::internal)?;
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
        let fresh = |options: ConfigOptions| {
            SessionStateBuilder::new()
                .with_config(SessionConfig::from(options))
                .with_runtime_env(runtime.clone())
                .with_default_features()
                .with_optimizer_rules(optimizer_rules())
                .with_physical_optimizer_rules(physical_rules())
                .with_physical_optimizer_rule(Arc::new(MoveFrames))
                .with_physical_optimizer_rule(Arc::new(LoopsInMemory))
                .with_physical_optimizer_rule(Arc::new(YieldByTime))
        };
        let mut planners: Vec<Arc<dyn ExprPlanner>> =
            vec![Arc::new(exact::RowFields), Arc::new(exact::Operators), Arc::new(exact::Counts)];
        planners.extend(SessionStateDefaults::default_expr_planners());
        let mut base =
            fresh(options(config)).with_expr_planners(planners).with_analyzer_rules(exact::analyzer_rules()).build();
        base.add_analyzer_rule(Arc::new(functions::WithinDecimals));
        base.add_analyzer_rule(Arc::new(functions::Tries));
        base.add_analyzer_rule(Arc::new(CasesOfConditions));
        base.add_analyzer_rule(Arc::new(ExcludedRows));
        base.add_analyzer_rule(Arc::new(Correlated));
        base.add_analyzer_rule(Arc::new(Reuse));
        let mut batch = options(config);
        // A batch job's plan is half as wide: its rows stay in a steadier order, and it holds less memory.
        batch.execution.target_partitions = (config.threads / 2).max(1);
        hive_options(&mut batch);
        let mut hive = hive_state(fresh(batch), exact::chain_rules()).map_err(Error::internal)?;
        hive.add_analyzer_rule(Arc::new(Correlated));
        hive.add_analyzer_rule(Arc::new(Reuse));
        functions::register(&mut base).map_err(Error::internal)?;
        base.register_relation_planner(Arc::new(KeysOfRelations)).map_err(Error::internal)?;
        base.register_relation_planner(Arc::new(Pivots { as_spark: false })).map_err(Error::internal)?;
        base.register_relation_planner(Arc::new(Multisets)).map_err(Error::internal)?;
        let query_memory_limit = config.query_memory_limit;
        Ok(Sessions { base: Arc::new(base), hive, runtime, shared_pool, query_memory_limit, _spill: spill })
    }

    /// A session for one query that sees the tables of `catalog` and nothing else.
    pub fn start(&self, catalog: QueryCatalog) -> Session {
        self.start_from(&self.base, catalog)
    }

    /// The same for a batch job: its plan is half as wide.
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

    /// Copies the state instead of building it anew: entering some thousand names of functions takes longer than planning a
    /// small query.
    pub fn start_from(&self, state: &SessionState, catalog: QueryCatalog) -> Session {
        let pool = Arc::new(QueryPool::new(self.shared_pool.clone(), self.query_memory_limit));
        let runtime = Arc::new(RuntimeEnv { memory_pool: pool.clone(), ..self.runtime.as_ref().clone() });
        let catalog = Arc::new(catalog);
        let mut state = state.clone();
        state.register_catalog_list(Arc::new(QueryCatalogs(catalog.clone())));
        state.mark_start_execution();
        Session { state: Arc::new(state), pool, catalog, runtime }
    }

    /// The state every session starts from: its functions and settings.
    pub fn base(&self) -> &Arc<SessionState> {
        &self.base
    }
}

/// The stock rules with ours where it belongs.
fn optimizer_rules() -> Vec<Arc<dyn OptimizerRule + Send + Sync>> {
    let mut rules = Optimizer::new().rules;
    let after = rules.iter().position(|rule| rule.name() == "single_distinct_aggregation_to_group_by");
    rules.insert(after.map_or(rules.len(), |index| index + 1), Arc::new(SharedCountDistinct));
    let mut before = |stock: &str, ours: Arc<dyn OptimizerRule + Send + Sync>| {
        let place = rules.iter().position(|rule| rule.name() == stock);
        rules.insert(place.unwrap_or(0), ours);
    };
    before("decorrelate_predicate_subquery", Arc::new(TopOfEach));
    before("decorrelate_predicate_subquery", Arc::new(SubqueriesAnywhere));
    before("decorrelate_lateral_join", Arc::new(LateralRows));
    before("extract_equijoin_predicate", Arc::new(NullKeys));
    before("eliminate_cross_join", Arc::new(NullKeys));
    before("replace_distinct_aggregate", Arc::new(DistinctRows));
    BELIEVERS.into_iter().for_each(|believer| before(believer, Arc::new(GroupKeys)));
    // Before a condition that shields others is shared as a column, which says nothing of what it is about.
    before("common_sub_expression_eliminate", Arc::new(Shielded));
    before("common_sub_expression_eliminate", Arc::new(EqualWindows));
    rules.push(Arc::new(UnusedJoins));
    rules.push(Arc::new(OnePartner));
    // And last, where conditions stand together that are evaluated together.
    rules.push(Arc::new(Shielded));
    stopping::between(column_first(rules)).collect()
}

/// The same for physical plans. What an aggregate promises wrongly must be gone before anything believes it.
fn physical_rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = promises::kept(orders::kept(limited::rules()));
    rules.insert(0, Arc::new(TotalsStandApart));
    rules.push(Arc::new(FilterBehindScans));
    top_groups::bounded(from_statistics::guarded(handed_down::guarded(rules)))
}

/// Settings of every session.
fn options(config: &EngineConfig) -> ConfigOptions {
    let mut options = ConfigOptions::default();
    options.catalog.create_default_catalog_and_schema = false;
    options.catalog.default_catalog = CATALOG.to_string();
    options.catalog.default_schema = MAIN.to_string();
    options.catalog.information_schema = false;
    options.execution.target_partitions = config.threads.max(1);
    // Filters run inside the Parquet decoder: rows that do not match are never decoded.
    options.execution.parquet.pushdown_filters = true;
    options.execution.parquet.reorder_filters = true;
    // Whether a column may be null is told more exactly by the physical plan: no reason to refuse an aggregate.
    options.execution.skip_physical_aggregate_schema_check = true;
    // A join whose smaller side has less keeps it in one table for all threads: sharing both sides out by their keys would
    // copy every row of the larger one.
    options.optimizer.hash_join_single_partition_threshold = 32 << 20;
    options.optimizer.hash_join_single_partition_threshold_rows = 1 << 20;
    // The filter ignores aggregates over expressions and aggregates that have seen only nulls, so it drops rows that they need
    // (<https://github.com/apache/datafusion/issues/24816>, <https://github.com/apache/datafusion/issues/25147>).
    options.optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    // 0.1 is a tenth, not the nearest binary fraction.
    options.sql_parser.parse_float_as_decimal = true;
    // As in Dune's engine and in DuckDB; in BigQuery too where it shows most, when the largest come first.
    options.sql_parser.default_null_ordering = "nulls_last".to_string();
    options.sql_parser.collect_spans = true;
    // The physical plan names files.
    options.explain.logical_plan_only = true;
    options
}
