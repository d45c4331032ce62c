//! The session of HiveQL: Hive's functions, operators and conversions over the engine's own state.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};

use super::conversions::{Lists, SafeCasts};
use super::groups::GroupsInOrder;
use super::inside::OrdersInside;
use super::lateral::LateralViews;
use super::operators::HiveOperators;
use super::turns::InTurn;
use super::unions::UnionsOfTexts;
use crate::exec::multisets::Multisets;
use crate::functions::{self, hive};

/// Makes a fresh state of stock features speak HiveQL.
pub(crate) fn hive_state(mut state: SessionState) -> Result<SessionState> {
    functions::register(&mut state)?;
    hive::register(&mut state)?;
    state.register_function_rewrite(Arc::new(Lists))?;
    state.add_analyzer_rule(Arc::new(SafeCasts));
    state.add_analyzer_rule(Arc::new(InTurn));
    state.add_analyzer_rule(Arc::new(GroupsInOrder));
    state.add_analyzer_rule(Arc::new(functions::Tries));
    state.register_relation_planner(Arc::new(LateralViews))?;
    state.register_relation_planner(Arc::new(Multisets))?;
    // Ours first: the stock ones count places of arrays from 1.
    let mut planners: Vec<Arc<dyn datafusion::logical_expr::planner::ExprPlanner>> = vec![Arc::new(HiveOperators)];
    planners.extend(state.expr_planners().iter().cloned());
    let mut config = state.config().clone();
    // The smallest comes first, and null is smaller than everything.
    config.options_mut().sql_parser.default_null_ordering = "nulls_min".to_string();
    // A query in FROM hands its rows on in its order.
    config.options_mut().sql_parser.enable_subquery_sort_elimination = false;
    let mut builder = SessionStateBuilder::new_from_existing(state).with_config(config).with_expr_planners(planners);
    if let Some(analyzer) = builder.analyzer() {
        analyzer.rules.insert(0, Arc::new(UnionsOfTexts));
        analyzer.rules.insert(0, Arc::new(OrdersInside));
    }
    Ok(builder.build())
}
