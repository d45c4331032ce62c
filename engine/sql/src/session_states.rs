//! The states that sessions start from: settings, functions and steps of each dialect.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use quarry_functions as functions;
use quarry_labels as labels;
use quarry_types::{Error, Result};

use super::macros;
use super::session::Sessions;
use super::session::tables::{CATALOG, MAIN};
use quarry_planner::cancellation;
use quarry_planner::hive::Meanings;
use quarry_planner::pipeline::{
    Dialect, analyzer, expr_planners, optimizer, physical_optimizer, relation_planners, rules,
};
use quarry_runtime::EngineConfig;

/// The sessions of an engine.
///
/// # Errors
///
/// The spill folder can't be used, or DataFusion lacks a rule beside which one of ours belongs.
pub fn open_sessions(config: &EngineConfig) -> Result<Sessions> {
    Sessions::open(config, |config, runtime| {
        Ok((state(Dialect::Sql, config, runtime)?, state(Dialect::Hive, config, runtime)?))
    })
}

/// The state that sessions of a dialect are cloned from. Do not rebuild that of HiveQL from itself: some names belong to two
/// functions, and the order in which they are registered decides.
fn state(dialect: Dialect, config: &EngineConfig, runtime: &Arc<RuntimeEnv>) -> Result<SessionState> {
    let mut state = SessionStateBuilder::new()
        .with_config(SessionConfig::from(settings(dialect, config)))
        .with_runtime_env(runtime.clone())
        .with_default_features()
        .with_expr_planners(expr_planners(dialect))
        .with_analyzer_rules(rules(analyzer(dialect)?))
        .with_optimizer_rules(cancellation::between(rules(optimizer()?)).collect())
        .with_physical_optimizer_rules(rules(physical_optimizer()?))
        .build();
    register(dialect, &mut state).map_err(Error::internal)?;
    Ok(state)
}

fn register(dialect: Dialect, state: &mut SessionState) -> datafusion::common::Result<()> {
    functions::register(state)?;
    match dialect {
        Dialect::Sql => {
            macros::register(state)?;
            for function in labels::placeholders() {
                state.register_udf(Arc::new(function))?;
            }
        }
        Dialect::Hive => {
            functions::hive::register(state)?;
            state.register_function_rewrite(Arc::new(Meanings))?;
        }
    }
    // The last one is asked first.
    relation_planners(dialect).into_iter().rev().try_for_each(|planner| state.register_relation_planner(planner))
}

/// Settings of every session of a dialect.
fn settings(dialect: Dialect, config: &EngineConfig) -> ConfigOptions {
    let mut options = ConfigOptions::default();
    options.catalog.create_default_catalog_and_schema = false;
    options.catalog.default_catalog = CATALOG.to_string();
    options.catalog.default_schema = MAIN.to_string();
    options.catalog.information_schema = false;
    options.execution.target_partitions = config.threads.max(1);
    // Filters run inside the Parquet decoder: rows that do not match are never decoded.
    options.execution.parquet.pushdown_filters = true;
    options.execution.parquet.reorder_filters = true;
    // The physical plan knows more exactly which columns may be null. A difference is no reason to refuse an aggregate.
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
    if dialect == Dialect::Hive {
        // A batch job's plan is half as wide: its rows stay in a steadier order, and it holds less memory.
        options.execution.target_partitions = (config.threads / 2).max(1);
        // The smallest comes first, and null is smaller than everything.
        options.sql_parser.default_null_ordering = "nulls_min".to_string();
        // A query in FROM hands its rows on in its order.
        options.sql_parser.enable_subquery_sort_elimination = false;
    }
    options
}
