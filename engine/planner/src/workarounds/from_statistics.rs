//! Keeps the stock rule that answers aggregates from statistics from two wrong conclusions:
//!
//! - The smallest value of a column is not the smallest of what it is converted to: as texts 10 comes before 9, but
//!   `select min(x) from (select cast(n as varchar) as x from t)` is '8' for the numbers 8 to 10. The statistics of a
//!   projection say so (<https://github.com/apache/datafusion/issues/25221>). So conversions have no bounds while the
//!   rule runs.
//! - Below an aggregate with FILTER it takes the next aggregate for it: `select count(*) filter (where n > 5) from
//!   (select count(*) as n from t)` fails. So it does not see what is below one. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::physical_expr::expressions::CastExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};

use super::property_barrier::{Hide, PropertyBarrierExec};

type Rule = Arc<dyn PhysicalOptimizerRule + Send + Sync>;

/// The stock rule with guards around it.
pub fn guarded(rule: Rule) -> Rule {
    Arc::new(Guarded(rule))
}

#[derive(Debug)]
struct Guarded(Rule);

impl PhysicalOptimizerRule for Guarded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_down(|plan| {
            if let Some(aggregate) = plan.downcast_ref::<AggregateExec>()
                && aggregate.filter_expr().iter().any(Option::is_some)
            {
                let input = self.optimize(Arc::clone(aggregate.input()), config)?;
                let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
                let plan = plan.replace_children(vec![PropertyBarrierExec::above(input, Hide::Plan)], options)?;
                return Ok(Transformed::new(plan, true, TreeNodeRecursion::Jump));
            }
            Ok(Transformed::no(plan))
        })?;
        let hidden = hidden.data.transform_up(|plan| {
            let converts = plan
                .downcast_ref::<ProjectionExec>()
                .is_some_and(|step| step.expr().iter().any(|column| column.expr.is::<CastExpr>()));
            Ok(if converts {
                Transformed::yes(PropertyBarrierExec::above(plan, Hide::Bounds))
            } else {
                Transformed::no(plan)
            })
        })?;
        let plan = self.0.optimize(hidden.data, config)?;
        let shown = plan.transform_up(|plan| match plan.downcast_ref::<PropertyBarrierExec>() {
            Some(above) if matches!(above.secret, Hide::Bounds | Hide::Plan) => {
                Ok(Transformed::yes(Arc::clone(&above.input)))
            }
            _ => Ok(Transformed::no(plan)),
        })?;
        Ok(shown.data)
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

#[cfg(test)]
mod tests {
    use arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{ParquetReadOptions, SessionContext};

    use super::*;

    /// The smallest of the numbers 8 to 10 as a text.
    async fn smallest(rules: Vec<Rule>) -> String {
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

    fn with_guards(rules: Vec<Rule>) -> Vec<Rule> {
        let is_guarded = |rule: &Rule| rule.name() == "aggregate_statistics";
        rules.into_iter().map(|rule| if is_guarded(&rule) { guarded(rule) } else { rule }).collect()
    }

    /// Whether a count of counts can be answered.
    async fn counts(rules: Vec<Rule>) -> bool {
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
