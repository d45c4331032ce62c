//! Sorts the rows of an exchange again if operators above may rely on their order. An exchange inside a process keeps the order of
//! its inputs; one between workers takes rows as they come, but says that they are in order, and forgets it when it is sent
//! (<https://github.com/datafusion-contrib/datafusion-distributed/pull/735>, in no release yet as of 2026-12).

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties, Partitioning};

/// The plan with sorts above hash exchanges whose rows are in an order.
pub(crate) fn sort_above_exchanges(plan: &Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    Arc::clone(plan)
        .transform_up(|node| {
            let Some(exchange) = node.downcast_ref::<RepartitionExec>() else { return Ok(Transformed::no(node)) };
            let Some(order) = node.output_ordering() else { return Ok(Transformed::no(node)) };
            if !matches!(exchange.partitioning(), Partitioning::Hash(..)) {
                return Ok(Transformed::no(node));
            }
            let unordered = RepartitionExec::try_new(Arc::clone(exchange.input()), exchange.partitioning().clone())?;
            let sort = SortExec::new(order.clone(), Arc::new(unordered)).with_preserve_partitioning(true);
            Ok(Transformed::yes(Arc::new(sort) as Arc<dyn ExecutionPlan>))
        })
        .data()
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;

    #[tokio::test]
    async fn an_exchange_that_keeps_an_order_gets_a_sort() {
        let config =
            SessionConfig::new().with_target_partitions(2).set_bool("datafusion.optimizer.prefer_existing_sort", true);
        let context = SessionContext::new_with_config(config);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.parquet").display().to_string();
        for statement in [
            format!("copy (select column1 as a from (values (1), (2))) to '{file}'"),
            format!(
                "create external table t(a bigint) stored as parquet location '{}' with order (a)",
                folder.path().display()
            ),
        ] {
            context.sql(&statement).await.unwrap().collect().await.unwrap();
        }
        let query = "select a, count(*) from (select a from t union all select a from t) group by a order by a";
        let plan = context.sql(query).await.unwrap().create_physical_plan().await.unwrap();
        let before = displayable(plan.as_ref()).indent(false).to_string();
        assert!(before.contains("preserve_order=true"), "{before}");
        let plan = sort_above_exchanges(&plan).unwrap();
        let after = displayable(plan.as_ref()).indent(false).to_string();
        assert!(!after.contains("preserve_order=true") && after.contains("SortExec"), "{after}");
    }
}
