//! Nested loop joins keep their left side in memory or fail. When it does not fit, DataFusion 55 spills it and reads it
//! again in pieces, and `select * from l left join r on l.v > r.v + 2` loses or repeats rows without a match
//! (<https://github.com/apache/datafusion/issues/24745>, <https://github.com/apache/datafusion/issues/22641>). Inner
//! joins have none, so they may spill.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::common::tree_node::Transformed;
use datafusion::common::{JoinType, Result, resources_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::joins::NestedLoopJoinExec;
use datafusion::physical_plan::{ExecutionPlan, SendableRecordBatchStream};

use crate::pass_through::{PassThrough, PassThroughExec};

/// Lets a nested loop join read its left side only once, which it does unless it spills it.
pub(crate) fn prevent_nested_loop_spill(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() else { return Ok(Transformed::no(plan)) };
    if *join.join_type() == JoinType::Inner {
        return Ok(Transformed::no(plan));
    }
    let left = PassThroughExec::above(Arc::clone(join.left()), ReadOnce::default());
    let inputs = vec![left, Arc::clone(join.right())];
    replace_children_if_necessary(plan, inputs).map(Transformed::yes)
}

/// Refuses to run a second time. A recursive query replaces the inputs before each round, so that each may be read again.
#[derive(Debug, Default)]
pub(crate) struct ReadOnce {
    was_read: AtomicBool,
}

impl PassThrough for ReadOnce {
    const NAME: &'static str = "ReadOnceExec";

    fn renew(&self) -> ReadOnce {
        ReadOnce::default()
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        tasks: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        match self.was_read.swap(true, Ordering::Relaxed) {
            true => resources_err!("the left side of a nested loop join does not fit"),
            false => input.execute(partition, tasks),
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;
    use crate::node_rules::{PhysicalRule, RewriteOperators};

    /// How many rows a left join answers in little memory.
    async fn rows(rules: Vec<PhysicalRule>) -> Result<usize> {
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
        let rule = RewriteOperators { name: "prevent_nested_loop_spill", rewrites: vec![prevent_nested_loop_spill] };
        let error = rows(vec![Arc::new(rule)]).await.unwrap_err();
        assert!(matches!(error.find_root(), datafusion::common::DataFusionError::ResourcesExhausted(_)), "{error}");
    }
}
