//! Conditions that are pushed down to the scans keep meaning the same columns.
//!
//! The stock rule finds a condition's columns again by their names, operator by operator. Rows of joins may have two
//! columns of one name, unions take the names of their first part, and groups may be called like a column that they are
//! made of: the condition is then evaluated on another column, and rows are lost, as in `select t.s, u.s from t right
//! join u on t.k = u.k where coalesce(t.s, u.s) < 'a'` (<https://github.com/apache/datafusion/issues/25244>,
//! <https://github.com/apache/datafusion/issues/25296>; mended by <https://github.com/apache/datafusion/pull/25259>,
//! which 55.2 does not have). So while that rule runs, a guard stands above each operator where a name is not enough,
//! and only lets those conditions pass whose columns are determined by their names.
//!
//! Conditions on lists and structs are not pushed into scans of files. A scan adapts a condition to each file: it
//! replaces columns that are constant in the file, and casts columns of another type. If it can't evaluate the result
//! while it decodes nested columns, it silently drops the condition (<https://github.com/apache/datafusion/issues/24109>
//! is one case). Conditions on doubles stay above as well. Statistics of files leave out NaN, which is greater than
//! every number here (<https://github.com/apache/datafusion/issues/15812>), and their bounds and Bloom filters may
//! distinguish `-0.0` from `0.0` (<https://github.com/apache/datafusion/pull/25186>). The tests of these two are in
//! `engine/engine/tests/engine/row_groups.rs`.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinSide, JoinType, Result, internal_err};
use datafusion::datasource::source::DataSourceExec;
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

/// A stock rule that pushes conditions down, with guards around it.
pub fn guarded(rule: Arc<dyn PhysicalOptimizerRule + Send + Sync>) -> Arc<dyn PhysicalOptimizerRule + Send + Sync> {
    Arc::new(Guarded(rule))
}

#[derive(Debug)]
struct Guarded(Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for Guarded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = plan.transform_up(|plan| {
            let clear = clear_columns(&plan);
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
fn clear_columns(plan: &Arc<dyn ExecutionPlan>) -> HashSet<usize> {
    let shown = plan.schema();
    let all = 0..shown.fields().len();
    if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        return of_join(join);
    }
    if plan.is::<DataSourceExec>() {
        let stays = |index: &usize| {
            let column = shown.field(*index).data_type();
            column.is_nested() || column.is_floating()
        };
        return all.filter(|index| !stays(index)).collect();
    }
    if plan.is::<ProjectionExec>() {
        let own = single_names(&shown);
        return all.filter(|index| own.contains(shown.field(*index).name().as_str())).collect();
    }
    if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        let input = aggregate.input().schema();
        let (of_input, groups) = (single_names(&input), aggregate.group_expr().expr());
        let same = |index: &usize| match groups.get(*index) {
            Some((group, name)) => of_input.contains(name.as_str()) && is_column(group, name),
            // No condition on what is no group is handed down.
            None => true,
        };
        return all.filter(same).collect();
    }
    let inputs: Vec<SchemaRef> = plan.children().into_iter().map(|input| input.schema()).collect();
    let names: Vec<HashSet<&str>> = inputs.iter().map(|input| single_names(input)).collect();
    let same = |index: &usize| {
        let name = shown.field(*index).name().as_str();
        inputs.iter().zip(&names).all(|(input, names)| {
            let moved = input.fields().len() == shown.fields().len() && input.field(*index).name() != name;
            names.contains(name) && !moved
        })
    };
    all.filter(same).collect()
}

/// The same of a join. Conditions of a semi join go to both sides, by the names of the one that is shown.
fn of_join(join: &HashJoinExec) -> HashSet<usize> {
    let (left, right) = (join.left().schema(), join.right().schema());
    let (_, columns) = build_join_schema(&left, &right, join.join_type());
    let columns: Vec<&ColumnIndex> = match &join.projection {
        Some(shown) => shown.iter().map(|index| &columns[*index]).collect(),
        None => columns.iter().collect(),
    };
    let (of_left, of_right) = (single_names(&left), single_names(&right));
    let semi = matches!(join.join_type(), JoinType::LeftSemi | JoinType::RightSemi);
    let clear = |column: &ColumnIndex| {
        let (own, single, other) = match column.side {
            JoinSide::Left => (&left, &of_left, &right),
            JoinSide::Right => (&right, &of_right, &left),
            JoinSide::None => return true,
        };
        let name = own.field(column.index).name();
        let elsewhere = semi && other.index_of(name).is_ok();
        let both_keys = || join.on().iter().any(|(left, right)| is_column(left, name) && is_column(right, name));
        single.contains(name.as_str()) && (!elsewhere || both_keys())
    };
    columns.iter().enumerate().filter(|(_, column)| clear(column)).map(|(index, _)| index).collect()
}

fn is_column(expr: &Arc<dyn PhysicalExpr>, name: &str) -> bool {
    expr.downcast_ref::<Column>().is_some_and(|column| column.name() == name)
}

/// The names that one column has.
fn single_names(schema: &Schema) -> HashSet<&str> {
    let mut times = HashMap::<&str, usize>::new();
    schema.fields().iter().for_each(|field| *times.entry(field.name()).or_default() += 1);
    times.into_iter().filter(|(_, times)| *times == 1).map(|(name, _)| name).collect()
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
        let names = single_names(&shown);
        let told = |index: &usize| names.contains(shown.field(*index).name().as_str());
        let clear = self.clear.iter().copied().filter(told).collect();
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

    type Rules = Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>;

    /// How many rows a query over these tables, each of one file, answers.
    async fn rows(rules: Rules, tables: &[(&str, &str)], question: &str) -> usize {
        let mut config = SessionConfig::new().with_target_partitions(4);
        config.options_mut().execution.parquet.pushdown_filters = true;
        let state = SessionStateBuilder::new().with_config(config).with_default_features();
        let context = SessionContext::new_with_state(state.with_physical_optimizer_rules(rules).build());
        let dir = tempfile::tempdir().unwrap();
        for (name, query) in tables {
            let path = dir.path().join(format!("{name}.parquet"));
            let copy = format!("copy ({query}) to '{}' stored as parquet", path.display());
            context.sql(&copy).await.unwrap().collect().await.unwrap();
            context.register_parquet(*name, path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
        }
        let batches = context.sql(question).await.unwrap().collect().await.unwrap();
        batches.iter().map(|batch| batch.num_rows()).sum()
    }

    fn with_guards(
        rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
    ) -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
        let guard = |rule: Arc<dyn PhysicalOptimizerRule + Send + Sync>| match rule.name().starts_with("FilterPushdown")
        {
            true => guarded(rule),
            false => rule,
        };
        rules.into_iter().map(guard).collect()
    }

    #[tokio::test]
    async fn a_condition_on_two_columns_of_one_name_stays_above_their_join() {
        let tables = [
            ("t", "select * from (values (-1, 'B'), (-1, 'b'), (3, ''), (3, 'B')) t(k, s)"),
            ("u", "select * from (values (-1, ''), (-1, 'abc'), (3, 'z'), (7, 'B'), (8, 'a')) t(k, s)"),
        ];
        let question = "select t.s, u.s from t right join u on t.k = u.k where coalesce(t.s, u.s) < 'a'";
        let stock = PhysicalOptimizer::new().rules;
        assert_ne!(
            rows(stock.clone(), &tables, question).await,
            5,
            "the stock rule is right now: the guards at names can go"
        );
        assert_eq!(rows(with_guards(stock), &tables, question).await, 5);
    }

    #[tokio::test]
    async fn a_condition_on_a_list_stays_above_the_scan() {
        let tables = [("t", "select cast(null as int) as k, make_array(1) as l from (values (1), (2))")];
        let question = "select k from t where l <> make_array(1) or k is not null";
        let stock = PhysicalOptimizer::new().rules;
        assert_eq!(
            rows(stock.clone(), &tables, question).await,
            2,
            "the stock rule is right now: the guard at scans can go"
        );
        assert_eq!(rows(with_guards(stock), &tables, question).await, 0);
    }
}
