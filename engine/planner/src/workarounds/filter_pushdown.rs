//! Filters that are pushed down to the scans keep referring to the same columns.
//!
//! The stock rule finds a filter's columns again by their names, operator by operator. Rows of joins may have two
//! columns of one name, unions take the names of their first input, and groups may be called like a column that they are
//! made of: the filter is then evaluated on another column, and rows are lost, as in `select t.s, u.s from t right
//! join u on t.k = u.k where coalesce(t.s, u.s) < 'a'` (<https://github.com/apache/datafusion/issues/25244>,
//! <https://github.com/apache/datafusion/issues/25296>; fixed by <https://github.com/apache/datafusion/pull/25259>,
//! which 55.2 does not have). So while that rule runs, there is a guard above each operator where a name is not enough. It
//! only lets those filters pass whose columns are determined by their names.
//!
//! Filters on lists and structs are not pushed into scans of files. A scan adapts a filter to each file: it
//! replaces columns that are constant in the file, and casts columns of another type. If it can't evaluate the result
//! while it decodes nested columns, it silently drops the filter (<https://github.com/apache/datafusion/issues/24109>
//! is one case). Filters on doubles stay above as well. Statistics of files leave out NaN, which is greater than
//! every number here (<https://github.com/apache/datafusion/issues/15812>), and their bounds and Bloom filters may
//! distinguish `-0.0` from `0.0` (<https://github.com/apache/datafusion/pull/25186>). The tests of these two are in
//! `engine/engine/tests/engine/row_groups.rs`.
//!
//! Filters on lists and structs are not pushed through other operators either. The dynamic filter that a hash join builds from
//! its smaller side would drop rows of lists with null items. No upstream issue found as of 2026-12.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{JoinSide, JoinType, Result};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::filter_pushdown::{ChildFilterDescription, FilterDescription};
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::joins::utils::{ColumnIndex, build_join_schema};
use datafusion::physical_plan::projection::ProjectionExec;

use crate::node_rules::{PhysicalRule, WrappedRule};
use crate::pass_through::{PassThrough, PassThroughExec};
use quarry_functions::tree_walk::TreeWalk;

/// The stock rule with guards in the plan.
pub(crate) fn guard_filter_pushdown(stock: PhysicalRule) -> PhysicalRule {
    Arc::new(WrappedRule { stock, optimize })
}

fn optimize(
    stock: &PhysicalRule,
    plan: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let guarded = plan.transform_up(|plan| {
        let allowed = passing_columns(&plan);
        Ok(match allowed.len() == plan.schema().fields().len() {
            true => Transformed::no(plan),
            false => Transformed::yes(PassThroughExec::above(plan, Guard { allowed })),
        })
    })?;
    PassThroughExec::<Guard>::remove(stock.optimize(guarded.data, config)?, |_| true)
}

/// The columns of an operator on which filters may pass it.
fn passing_columns(plan: &Arc<dyn ExecutionPlan>) -> HashSet<usize> {
    let schema = plan.schema();
    let mut columns = unambiguous_columns(plan);
    columns.retain(|index| !schema.field(*index).data_type().is_nested());
    columns
}

/// The columns of an operator whose names lead to the right columns of its inputs.
fn unambiguous_columns(plan: &Arc<dyn ExecutionPlan>) -> HashSet<usize> {
    let schema = plan.schema();
    let all = 0..schema.fields().len();
    if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        return unambiguous_join_columns(join);
    }
    if plan.is::<DataSourceExec>() {
        return all.filter(|index| !schema.field(*index).data_type().is_floating()).collect();
    }
    if plan.is::<ProjectionExec>() {
        let unique = unique_names(&schema);
        return all.filter(|index| unique.contains(schema.field(*index).name().as_str())).collect();
    }
    if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        let input = aggregate.input().schema();
        let (unique, groups) = (unique_names(&input), aggregate.group_expr().expr());
        let is_same = |index: &usize| match groups.get(*index) {
            Some((group, name)) => unique.contains(name.as_str()) && is_column(group, name),
            // Only filters on group keys are pushed down.
            None => true,
        };
        return all.filter(is_same).collect();
    }
    let inputs: Vec<SchemaRef> = plan.children().into_iter().map(|input| input.schema()).collect();
    let names: Vec<HashSet<&str>> = inputs.iter().map(|input| unique_names(input)).collect();
    let is_same = |index: &usize| {
        let name = schema.field(*index).name().as_str();
        inputs.iter().zip(&names).all(|(input, names)| {
            let is_moved = input.fields().len() == schema.fields().len() && input.field(*index).name() != name;
            names.contains(name) && !is_moved
        })
    };
    all.filter(is_same).collect()
}

/// The same of a join. Filters on a semi join are pushed into both sides, by the names of the side that is in its output.
fn unambiguous_join_columns(join: &HashJoinExec) -> HashSet<usize> {
    let (left, right) = (join.left().schema(), join.right().schema());
    let (_, columns) = build_join_schema(&left, &right, join.join_type());
    let columns: Vec<&ColumnIndex> = match &join.projection {
        Some(projection) => projection.iter().map(|index| &columns[*index]).collect(),
        None => columns.iter().collect(),
    };
    let (unique_left, unique_right) = (unique_names(&left), unique_names(&right));
    let is_semi = matches!(join.join_type(), JoinType::LeftSemi | JoinType::RightSemi);
    let is_unambiguous = |column: &ColumnIndex| {
        let (own, unique, other) = match column.side {
            JoinSide::Left => (&left, &unique_left, &right),
            JoinSide::Right => (&right, &unique_right, &left),
            JoinSide::None => return true,
        };
        let name = own.field(column.index).name();
        let is_in_both = is_semi && other.index_of(name).is_ok();
        let is_key = || join.on().iter().any(|(left, right)| is_column(left, name) && is_column(right, name));
        unique.contains(name.as_str()) && (!is_in_both || is_key())
    };
    columns.iter().enumerate().filter(|(_, column)| is_unambiguous(column)).map(|(index, _)| index).collect()
}

fn is_column(expr: &Arc<dyn PhysicalExpr>, name: &str) -> bool {
    expr.downcast_ref::<Column>().is_some_and(|column| column.name() == name)
}

/// The names that one column has.
fn unique_names(schema: &Schema) -> HashSet<&str> {
    let mut counts = HashMap::<&str, usize>::new();
    schema.fields().iter().for_each(|field| *counts.entry(field.name()).or_default() += 1);
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(name, _)| name).collect()
}

/// Lets filters on some columns pass.
#[derive(Debug)]
struct Guard {
    allowed: HashSet<usize>,
}

impl PassThrough for Guard {
    const NAME: &'static str = "FilterGuardExec";

    fn renew(&self) -> Guard {
        Guard { allowed: self.allowed.clone() }
    }

    fn pushdown(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        inputs: &[&Arc<dyn ExecutionPlan>],
    ) -> Result<FilterDescription> {
        // The stock description looks for names as well: those that one column has.
        let schema = inputs[0].schema();
        let names = unique_names(&schema);
        let is_unique = |index: &usize| names.contains(schema.field(*index).name().as_str());
        let allowed = self.allowed.iter().copied().filter(is_unique).collect();
        let input = ChildFilterDescription::from_child_with_allowed_indices(&filters, allowed, inputs[0])?;
        Ok(FilterDescription::new().with_child(input))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

    use super::*;

    /// How many rows a query over these tables, each of one file, answers.
    async fn rows(rules: Vec<PhysicalRule>, tables: &[(&str, &str)], question: &str) -> usize {
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

    fn with_guards(rules: Vec<PhysicalRule>) -> Vec<PhysicalRule> {
        let guard = |rule: PhysicalRule| match rule.name().starts_with("FilterPushdown") {
            true => guard_filter_pushdown(rule),
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
