//! Nested loop joins keep their left side in memory or fail. When it does not fit, DataFusion 55 spills it and reads it
//! again in pieces, and `select * from l left join r on l.v > r.v + 2` loses or repeats rows without a match
//! (<https://github.com/apache/datafusion/issues/24745>, <https://github.com/apache/datafusion/issues/22641>). Inner
//! joins have none, so they may spill.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinType, Result, internal_err, resources_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::NestedLoopJoinExec;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};

/// Lets nested loop joins read their left side only once, which they do unless they spill it.
#[derive(Debug)]
pub struct LoopsInMemory;

impl PhysicalOptimizerRule for LoopsInMemory {
    fn name(&self) -> &str {
        "loops_in_memory"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let kept = plan.transform_up(|plan| {
            let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() else { return Ok(Transformed::no(plan)) };
            if *join.join_type() == JoinType::Inner {
                return Ok(Transformed::no(plan));
            }
            let inputs = vec![ReadOnce::above(Arc::clone(join.left())), Arc::clone(join.right())];
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(inputs, options)?))
        })?;
        Ok(kept.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Refuses to run a second time.
#[derive(Debug)]
struct ReadOnce {
    input: Arc<dyn ExecutionPlan>,
    was_read: AtomicBool,
}

impl ReadOnce {
    fn above(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(ReadOnce { input, was_read: AtomicBool::new(false) })
    }
}

impl DisplayAs for ReadOnce {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadOnce")
    }
}

impl ExecutionPlan for ReadOnce {
    fn name(&self) -> &str {
        "ReadOnce"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    // A recursive query replaces the inputs before each round, so that each may be read again.
    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(ReadOnce::above(input)),
            _ => internal_err!("ReadOnce has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        Ok(Arc::clone(&inputs[0]))
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        match self.was_read.swap(true, Ordering::Relaxed) {
            true => resources_err!("the left side of a nested loop join does not fit"),
            false => self.input.execute(partition, tasks),
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;

    /// How many rows a left join answers in little memory.
    async fn rows(rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>) -> Result<usize> {
        let config = SessionConfig::new().with_target_partitions(1).with_batch_size(16);
        let ample = SessionContext::new_with_config(config.clone());
        let runtime = RuntimeEnvBuilder::new().with_memory_limit(64, 1.0).build_arc()?;
        let mut state =
            SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features();
        for rule in rules {
            state = state.with_physical_optimizer_rule(rule);
        }
        let little = SessionContext::new_with_state(state.build());
        // The join swaps tables whose sizes are known, and loses unmatched rows of the larger one.
        for (name, last) in [("l", 200), ("r", 90)] {
            let table = format!("create table {name} as select * from generate_series(1, {last}) t(v)");
            ample.sql(&table).await?;
            little.register_table(name, ample.table_provider(name).await?)?;
        }
        let batches = little.sql("select * from l left join r on l.v > r.v + 2").await?.collect().await?;
        Ok(batches.iter().map(|batch| batch.num_rows()).sum())
    }

    #[tokio::test]
    async fn a_left_side_that_does_not_fit_is_an_error() {
        // The numbers 1 to 3 match nothing and give one row each.
        let right = (1..=200_usize).map(|v| v.saturating_sub(3).clamp(1, 90)).sum::<usize>();
        assert_ne!(rows(Vec::new()).await.unwrap(), right, "the stock join is right now: this rule can go");
        let error = rows(vec![Arc::new(LoopsInMemory)]).await.unwrap_err();
        assert!(matches!(error.find_root(), datafusion::common::DataFusionError::ResourcesExhausted(_)), "{error}");
    }
}
