//! Conditions that are handed down to the scans go on speaking of the columns they mean.
//!
//! The stock rule finds a condition's columns again by their names, operator by operator. Rows of joins may have two columns
//! of one name, unions take the names of their first part, and groups may be called like a column that they are made of:
//! the condition would then be asked of another column, and rows would be lost. So above each operator where a name says too
//! little stands a guard while that rule runs, and lets only those conditions pass whose columns are told by their names.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinSide, JoinType, Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::filter_pushdown::{
    ChildFilterDescription, ChildPushdownResult, FilterDescription, FilterPushdownPhase, FilterPushdownPropagation,
};
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::joins::utils::{ColumnIndex, build_join_schema};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};

/// The rules, those that hand conditions down with guards around them.
pub(super) fn guarded(
    rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
) -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let guarded = |rule: Arc<dyn PhysicalOptimizerRule + Send + Sync>| match rule.name().starts_with("FilterPushdown") {
        true => Arc::new(Guarded(rule)) as Arc<dyn PhysicalOptimizerRule + Send + Sync>,
        false => rule,
    };
    rules.into_iter().map(guarded).collect()
}

#[derive(Debug)]
struct Guarded(Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for Guarded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = plan.transform_up(|plan| {
            let clear = clear_columns(&plan)?;
            Ok(match clear.len() == plan.schema().fields().len() {
                true => Transformed::no(plan),
                false => Transformed::yes(Arc::new(Guard { clear, input: plan }) as Arc<dyn ExecutionPlan>),
            })
        })?;
        let plan = self.0.optimize(plan.data, config)?;
        let plan = plan.transform_up(|plan| {
            Ok(match plan.downcast_ref::<Guard>() {
                Some(guard) => Transformed::yes(Arc::clone(&guard.input)),
                None => Transformed::no(plan),
            })
        })?;
        Ok(plan.data)
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

/// The columns of an operator that their names lead to in its inputs.
fn clear_columns(plan: &Arc<dyn ExecutionPlan>) -> Result<HashSet<usize>> {
    let shown = plan.schema();
    let all = 0..shown.fields().len();
    let clear: HashSet<usize> = if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        let columns = of_join(join);
        all.filter(|index| columns.get(*index).is_some_and(|column| clear_in_join(join, column))).collect()
    } else if plan.is::<ProjectionExec>() {
        all.filter(|index| once(&shown, shown.field(*index).name())).collect()
    } else if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        let input = aggregate.input().schema();
        let groups = aggregate.group_expr().expr();
        let same = |index: &usize| match groups.get(*index) {
            Some((group, name)) => {
                once(&input, name) && group.downcast_ref::<Column>().is_some_and(|column| column.name() == name)
            }
            // No condition on what is no group is handed down.
            None => true,
        };
        all.filter(same).collect()
    } else {
        let inputs: Vec<_> = plan.children().into_iter().map(|input| input.schema()).collect();
        let same = |index: &usize| {
            let name = shown.field(*index).name();
            inputs.iter().all(|input| {
                let moved = input.fields().len() == shown.fields().len() && input.field(*index).name() != name;
                once(input, name) && !moved
            })
        };
        all.filter(same).collect()
    };
    Ok(clear)
}

/// Where the columns of a join come from.
fn of_join(join: &HashJoinExec) -> Vec<ColumnIndex> {
    let (_, columns) = build_join_schema(&join.left().schema(), &join.right().schema(), join.join_type());
    match &join.projection {
        Some(shown) => shown.iter().map(|index| columns[*index].clone()).collect(),
        None => columns,
    }
}

/// Conditions of a semi join go to both sides, by the names of the one that is shown.
fn clear_in_join(join: &HashJoinExec, column: &ColumnIndex) -> bool {
    let (left, right) = (join.left().schema(), join.right().schema());
    let (own, other) = match column.side {
        JoinSide::Left => (left, right),
        JoinSide::Right => (right, left),
        JoinSide::None => return true,
    };
    let name = own.field(column.index).name();
    let named = |key: &Arc<dyn PhysicalExpr>| key.downcast_ref::<Column>().is_some_and(|key| key.name() == name);
    let semi = matches!(join.join_type(), JoinType::LeftSemi | JoinType::RightSemi);
    let elsewhere = semi && other.index_of(name).is_ok();
    once(&own, name) && (!elsewhere || join.on().iter().any(|(left, right)| named(left) && named(right)))
}

/// Whether one column has a name.
fn once(schema: &Schema, name: &str) -> bool {
    schema.fields().iter().filter(|field| field.name() == name).count() == 1
}

/// Stands above an operator while conditions are handed down.
#[derive(Debug)]
struct Guard {
    input: Arc<dyn ExecutionPlan>,
    /// The columns of which conditions may pass.
    clear: HashSet<usize>,
}

impl DisplayAs for Guard {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guard")
    }
}

impl ExecutionPlan for Guard {
    fn name(&self) -> &str {
        "Guard"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
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

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(Guard { input, clear: self.clear.clone() })),
            _ => internal_err!("Guard has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn gather_filters_for_pushdown(
        &self,
        _phase: FilterPushdownPhase,
        parent_filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterDescription> {
        // This looks for names as well: those that are there once.
        let shown = self.input.schema();
        let clear = self.clear.iter().copied().filter(|index| once(&shown, shown.field(*index).name())).collect();
        let input = ChildFilterDescription::from_child_with_allowed_indices(&parent_filters, clear, &self.input)?;
        Ok(FilterDescription::new().with_child(input))
    }

    fn handle_child_pushdown_result(
        &self,
        _phase: FilterPushdownPhase,
        result: ChildPushdownResult,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        Ok(FilterPushdownPropagation::if_all(result))
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, tasks)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

    use super::*;

    #[tokio::test]
    async fn a_condition_on_two_columns_of_one_name_stays_above_their_join() {
        let mut config = SessionConfig::new().with_target_partitions(4);
        config.options_mut().execution.parquet.pushdown_filters = true;
        let state = SessionStateBuilder::new().with_config(config).with_default_features();
        let state = state.with_physical_optimizer_rules(guarded(PhysicalOptimizer::new().rules)).build();
        let context = SessionContext::new_with_state(state);
        let dir = tempfile::tempdir().unwrap();
        for (name, rows) in [
            ("t", "(-1, 'B'), (-1, 'b'), (3, ''), (3, 'B')"),
            ("u", "(-1, ''), (-1, 'abc'), (3, 'z'), (7, 'B'), (8, 'a')"),
        ] {
            let path = dir.path().join(format!("{name}.parquet"));
            let copy =
                format!("copy (select * from (values {rows}) t(k, s)) to '{}' stored as parquet", path.display());
            context.sql(&copy).await.unwrap().collect().await.unwrap();
            context.register_parquet(name, path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
        }
        let question = "select t.s, u.s from t right join u on t.k = u.k where coalesce(t.s, u.s) < 'a'";
        let batches = context.sql(question).await.unwrap().collect().await.unwrap();
        assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 5);
    }
}
