//! Every step between a parsed query and the plan that runs, in order, for both dialects: the planners of expressions
//! and relations, and the rules of the analyzer, the optimizer and the physical optimizer. `docs/sql-pipeline.md` is
//! written from these lists.

mod analyzer;
mod optimizer;
mod physical_optimizer;
mod steps;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::execution::SessionStateDefaults;
use datafusion::logical_expr::planner::{ExprPlanner, RelationPlanner};
use quarry_types::Result;

use crate::analyzer::{CountFunctions, FieldAccess, Operators};
use crate::hive::{HiveOperators, LateralViews};
use crate::sql_extensions::pivots::Pivots;
use crate::workarounds::group_dependencies::RelationDependencies;

pub use analyzer::analyzer;
pub use optimizer::optimizer;
pub use physical_optimizer::physical_optimizer;
pub use steps::{Dialect, Rule, Step, rules};

/// The planners of operators, fields and counts; the first one that accepts an expression plans it.
pub fn expr_planners(dialect: Dialect) -> Vec<Arc<dyn ExprPlanner>> {
    let mut planners: Vec<Arc<dyn ExprPlanner>> = match dialect {
        Dialect::Sql => vec![Arc::new(FieldAccess), Arc::new(Operators), Arc::new(CountFunctions)],
        // Ours first: the stock ones count list items from 1.
        Dialect::Hive => vec![Arc::new(HiveOperators), Arc::new(CountFunctions)],
    };
    planners.extend(SessionStateDefaults::default_expr_planners());
    planners
}

/// The planners of tables in FROM; the first one that accepts a relation plans it.
pub fn relation_planners(dialect: Dialect) -> Vec<Arc<dyn RelationPlanner>> {
    let mut planners: Vec<Arc<dyn RelationPlanner>> = Vec::new();
    if dialect == Dialect::Hive {
        planners.push(Arc::new(LateralViews));
    }
    planners.push(Arc::new(Pivots { as_spark: dialect == Dialect::Hive }));
    planners.push(Arc::new(RelationDependencies));
    planners
}

/// What the steps do, by their names, those of DataFusion alone left out.
///
/// # Errors
///
/// DataFusion has no rule beside which one of ours belongs.
pub fn sentences() -> Result<HashMap<String, &'static str>> {
    let mut sentences = HashMap::new();
    let mut add = |name: &str, does: &'static str| {
        if !does.is_empty() {
            sentences.insert(name.to_string(), does);
        }
    };
    for dialect in [Dialect::Sql, Dialect::Hive] {
        analyzer(dialect)?.iter().for_each(|step| add(step.rule.name(), step.does));
    }
    optimizer()?.iter().for_each(|step| add(step.rule.name(), step.does));
    physical_optimizer()?.iter().for_each(|step| add(step.rule.name(), step.does));
    Ok(sentences)
}
