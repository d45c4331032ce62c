//! The smallest value of a column is not the smallest of what it is converted to: as texts 10 comes before 9. The stock statistics
//! of a projection take it for that (<https://github.com/apache/datafusion/issues/25221>), and the stock rule that answers
//! `min` and `max` from statistics believes them. So conversions have no bounds while that rule runs.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_expr::expressions::CastExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;

use super::untold::{Secret, Untold};

type Rule = Arc<dyn PhysicalOptimizerRule + Send + Sync>;

/// The rules, with the one that believes statistics kept from those of conversions.
pub(in crate::exec) fn unbounded(rules: Vec<Rule>) -> Vec<Rule> {
    let guarded = |rule: Rule| match rule.name() {
        "aggregate_statistics" => Arc::new(Unbounded(rule)) as Rule,
        _ => rule,
    };
    rules.into_iter().map(guarded).collect()
}

#[derive(Debug)]
struct Unbounded(Rule);

impl PhysicalOptimizerRule for Unbounded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|plan| {
            let converts = plan
                .downcast_ref::<ProjectionExec>()
                .is_some_and(|step| step.expr().iter().any(|column| column.expr.is::<CastExpr>()));
            Ok(if converts { Transformed::yes(Untold::above(plan, Secret::Bounds)) } else { Transformed::no(plan) })
        })?;
        let plan = self.0.optimize(hidden.data, config)?;
        let shown = plan.transform_up(|plan| match plan.downcast_ref::<Untold>() {
            Some(above) if above.secret == Secret::Bounds => Ok(Transformed::yes(Arc::clone(&above.input))),
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

    #[tokio::test]
    async fn the_smallest_text_is_not_that_of_the_smallest_number() {
        let stock = PhysicalOptimizer::new().rules;
        assert!(smallest(stock.clone()).await.contains("| 8"), "the stock rule is right now: this guard can go");
        assert!(smallest(unbounded(stock)).await.contains("| 10"));
    }
}
