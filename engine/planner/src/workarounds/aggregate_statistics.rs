//! Two faults of the stock rule that answers aggregates from statistics:
//!
//! - It takes the smallest value of a column for the smallest of what the column is cast to. As texts 10 comes before 9,
//!   but `select min(x) from (select cast(n as varchar) as x from t)` is '8' for the numbers 8 to 10, because the
//!   statistics of the projection say so (<https://github.com/apache/datafusion/issues/25221>). While the rule runs,
//!   projections with casts have no bounds.
//! - Below an aggregate with FILTER it looks for the next aggregate: `select count(*) filter (where n > 5) from (select
//!   count(*) as n from t)` fails. While the rule runs, the inputs of such aggregates are hidden. No upstream issue found
//!   as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::physical_expr::expressions::CastExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::projection::ProjectionExec;

use super::property_barrier::{Hide, PropertyBarrierExec};
use crate::node_rules::{PhysicalRule, WrappedRule};
use quarry_functions::tree_walk::TreeWalk;

/// The stock rule without these faults.
pub(crate) fn guard_aggregate_statistics(stock: PhysicalRule) -> PhysicalRule {
    Arc::new(WrappedRule { stock, optimize })
}

fn optimize(
    stock: &PhysicalRule,
    plan: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let hidden = plan.transform_down(|plan| match plan.downcast_ref::<AggregateExec>() {
        Some(aggregate) if aggregate.filter_expr().iter().any(Option::is_some) => {
            let input = optimize(stock, Arc::clone(aggregate.input()), config)?;
            let plan = replace_children_if_necessary(plan, vec![PropertyBarrierExec::above(input, Hide::Plan)])?;
            Ok(Transformed::new(plan, true, TreeNodeRecursion::Jump))
        }
        _ => Ok(Transformed::no(plan)),
    })?;
    let hidden = hidden.data.transform_up(|plan| {
        let projection = plan.downcast_ref::<ProjectionExec>();
        let has_casts = projection.is_some_and(|step| step.expr().iter().any(|column| column.expr.is::<CastExpr>()));
        Ok(match has_casts {
            true => Transformed::yes(PropertyBarrierExec::above(plan, Hide::Bounds)),
            false => Transformed::no(plan),
        })
    })?;
    let plan = stock.optimize(hidden.data, config)?;
    PropertyBarrierExec::remove(plan, |hide| matches!(hide, Hide::Bounds | Hide::Plan))
}

#[cfg(test)]
mod tests {
    use arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{ParquetReadOptions, SessionContext};

    use super::*;

    /// The smallest of the numbers 8 to 10 as a text.
    async fn smallest(rules: Vec<PhysicalRule>) -> String {
        let state = SessionStateBuilder::new().with_default_features().with_physical_optimizer_rules(rules);
        let context = SessionContext::new_with_state(state.build());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let copy = format!("copy (values (8), (9), (10)) to '{}'", path.display());
        context.sql(&copy).await.unwrap().collect().await.unwrap();
        context.register_parquet("t", path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
        let query = "select min(x) as m from (select cast(column1 as varchar) as x from t)";
        let batches = context.sql(query).await.unwrap().collect().await.unwrap();
        pretty_format_batches(&batches).unwrap().to_string()
    }

    fn with_guards(rules: Vec<PhysicalRule>) -> Vec<PhysicalRule> {
        let is_guarded = |rule: &PhysicalRule| rule.name() == "aggregate_statistics";
        rules.into_iter().map(|rule| if is_guarded(&rule) { guard_aggregate_statistics(rule) } else { rule }).collect()
    }

    /// Whether a count of counts can be answered.
    async fn counts(rules: Vec<PhysicalRule>) -> bool {
        let state = SessionStateBuilder::new().with_default_features().with_physical_optimizer_rules(rules);
        let query = "select count(*) filter (where n > 5) from (select count(*) as n from (values (1)) t(x)) u";
        let context = SessionContext::new_with_state(state.build());
        context.sql(query).await.unwrap().collect().await.is_ok()
    }

    #[tokio::test]
    async fn an_aggregate_with_a_filter_is_not_the_one_below() {
        let stock = PhysicalOptimizer::new().rules;
        assert!(!counts(stock.clone()).await, "the stock rule is right now: this guard can go");
        assert!(counts(with_guards(stock)).await);
    }

    #[tokio::test]
    async fn the_smallest_text_is_not_that_of_the_smallest_number() {
        let stock = PhysicalOptimizer::new().rules;
        assert!(smallest(stock.clone()).await.contains("| 8"), "the stock rule is right now: this guard can go");
        assert!(smallest(with_guards(stock)).await.contains("| 10"));
    }
}
