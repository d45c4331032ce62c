//! The session of HiveQL: Hive's functions, operators and conversions over the engine's own state.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::execution::{FunctionRegistry, SessionStateDefaults};
use datafusion::logical_expr::planner::ExprPlanner;
use datafusion::optimizer::AnalyzerRule;

use super::conversions::{JoinKeys, Meanings, SafeCasts};
use super::groups::GroupsInOrder;
use super::inside::OrdersInside;
use super::lateral::LateralViews;
use super::operators::HiveOperators;
use super::turns::InTurn;
use super::unions::UnionsOfTexts;
use crate::exec::exact::Counts;
use crate::exec::group_keys::KeysOfRelations;
use crate::exec::multisets::Multisets;
use crate::exec::pivots::Pivots;
use crate::functions::{self, hive};

/// The planners of expressions. Ours first: the stock ones count places of arrays from 1.
fn planners() -> Vec<Arc<dyn ExprPlanner>> {
    let mut planners: Vec<Arc<dyn ExprPlanner>> = vec![Arc::new(HiveOperators), Arc::new(Counts)];
    planners.extend(SessionStateDefaults::default_expr_planners());
    planners
}

/// Settings in which the two languages differ.
pub(crate) fn hive_options(options: &mut ConfigOptions) {
    // The smallest comes first, and null is smaller than everything.
    options.sql_parser.default_null_ordering = "nulls_min".to_string();
    // A query in FROM hands its rows on in its order.
    options.sql_parser.enable_subquery_sort_elimination = false;
}

/// Makes a state that speaks HiveQL of stock features and the rules of the chain's types. No state is made of it again: some
/// names are told by two functions, and another state would hold any of the two.
pub(crate) fn hive_state(
    stock: SessionStateBuilder,
    chain_rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>>,
) -> Result<SessionState> {
    let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> =
        vec![Arc::new(OrdersInside), Arc::new(UnionsOfTexts), Arc::new(JoinKeys)];
    rules.extend(chain_rules);
    rules.push(Arc::new(SafeCasts));
    rules.push(Arc::new(InTurn));
    rules.push(Arc::new(GroupsInOrder));
    rules.push(Arc::new(functions::Tries));
    let mut state = stock.with_expr_planners(planners()).with_analyzer_rules(rules).build();
    functions::register(&mut state)?;
    hive::register(&mut state)?;
    state.register_function_rewrite(Arc::new(Meanings))?;
    // The last one is asked first: a LATERAL VIEW is hidden in an UNPIVOT.
    state.register_relation_planner(Arc::new(Pivots { as_spark: true }))?;
    state.register_relation_planner(Arc::new(LateralViews))?;
    state.register_relation_planner(Arc::new(Multisets))?;
    state.register_relation_planner(Arc::new(KeysOfRelations))?;
    Ok(state)
}
