//! Functional dependencies of groups. The stock planner takes a column that determines the others of one side of a join for
//! one that determines all columns of groups over the join, and drops group and sort keys that matter: it
//! sorts `select k, b, count(*) from (select distinct a as k from t) join u … group by k, b order by k, b` by `k`
//! alone. For DISTINCT the same fault was <https://github.com/apache/datafusion/issues/23626>; for GROUP BY and ORDER BY
//! no upstream issue found as of 2026-11.
//!
//! It also takes the keys of groups for keys of the rows that their lists are unnested to, and sorts `select k, unnest(l) as a from
//! (select k, array_agg(v) as l from t group by k) order by k, a` by `k` alone; no upstream issue found either.
//!
//! Here groups are unique by all their keys together, and by nothing less. The dependencies are set in the SQL planner, which
//! adds columns that others determine to the keys, and before each rule of the optimizer that uses them.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Dependency, FunctionalDependence, FunctionalDependencies, Result};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Aggregate, Distinct, Expr, LogicalPlan};
use datafusion::sql::sqlparser::ast::TableFactor;

use crate::optimizer::unused_joins::{is_unique_on, key_count};
use crate::subqueries::{all_columns, any_node};
use quarry_functions::tree_walk::PlanWalk;

/// The optimizer's rules that drop columns which other columns determine.
pub(crate) const FD_CONSUMING_RULES: [&str; 3] =
    ["eliminate_join", "eliminate_duplicated_expr", "optimize_projections"];

/// DISTINCT becomes groups, unless groups below make the rows distinct already. The stock rule decides by functional dependencies,
/// which it computes again on its way up.
pub(crate) fn replace_distinct(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Distinct(Distinct::All(input)) if !input.schema().fields().is_empty() => {
            let columns = (0..input.schema().fields().len()).collect();
            if is_unique_on(&input, &columns, &HashSet::new()) {
                return Ok(Transformed::yes(Arc::unwrap_or_clone(input)));
            }
            let keys = all_columns(input.schema());
            let groups = Aggregate::try_new(input, keys, Vec::new())?;
            Ok(Transformed::yes(LogicalPlan::Aggregate(groups)))
        }
        plan => Ok(Transformed::no(plan)),
    }
}

thread_local! {
    /// Whether the relation that is planned next comes from [`RelationDependencies`] itself.
    static IS_NESTED: Cell<bool> = const { Cell::new(false) };
}

/// Sets the dependencies of each table and query in FROM.
#[derive(Debug)]
pub struct RelationDependencies;

impl RelationPlanner for RelationDependencies {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let is_table = matches!(relation, TableFactor::Derived { .. } | TableFactor::Table { args: None, .. });
        if IS_NESTED.replace(false) || !is_table {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        IS_NESTED.set(true);
        let planned = context.plan(relation);
        IS_NESTED.set(false);
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(set_group_dependencies(planned?)?.data, None))))
    }
}

/// Sets the dependencies of all groups of a plan, and drops those of unnested lists.
pub(crate) fn set_group_dependencies(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let has_wrong = |node: &LogicalPlan| {
        Ok(match node {
            LogicalPlan::Aggregate(aggregate) => has_partial_dependency(aggregate),
            LogicalPlan::Unnest(unnest) => !unnest.schema.functional_dependencies().is_empty(),
            _ => false,
        })
    };
    if !any_node(&plan, has_wrong)? {
        return Ok(Transformed::no(plan));
    }
    plan.transform_deep_up(|node| {
        Ok(Transformed::yes(match node.recompute_schema()? {
            LogicalPlan::Aggregate(mut aggregate) => {
                let dependencies = key_dependencies(&aggregate);
                let schema = aggregate.schema.as_ref().clone().with_functional_dependencies(dependencies)?;
                aggregate.schema = Arc::new(schema);
                LogicalPlan::Aggregate(aggregate)
            }
            LogicalPlan::Unnest(mut unnest) => {
                let none = FunctionalDependencies::empty();
                unnest.schema = Arc::new(unnest.schema.as_ref().clone().with_functional_dependencies(none)?);
                LogicalPlan::Unnest(unnest)
            }
            node => node,
        }))
    })
}

/// Whether columns of the input determine some of the others, but not all.
fn has_partial_dependency(aggregate: &Aggregate) -> bool {
    let schema = aggregate.input.schema();
    let width = schema.fields().len();
    schema.functional_dependencies().iter().any(|dependency| dependency.target_indices.len() < width)
}

/// All keys together determine the row of a group.
fn key_dependencies(aggregate: &Aggregate) -> FunctionalDependencies {
    let (fields, count) = (aggregate.schema.fields(), key_count(aggregate));
    if count == 0 || aggregate.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_))) {
        return FunctionalDependencies::empty();
    }
    let is_nullable = fields.iter().take(count).any(|field| field.is_nullable());
    let dependency = FunctionalDependence::new((0..count).collect(), (0..fields.len()).collect(), is_nullable);
    FunctionalDependencies::new(vec![dependency.with_mode(Dependency::Single)])
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_planner_still_drops_keys_above_joins() {
        let query = "select k, b, count(*) from (select distinct a as k from (values (1), (2)) t(a)) \
            join (values (1, 9), (1, 3), (2, 8), (2, 1)) u(c, b) on k = c group by k, b order by k, b";
        let right = ["1 3 1", "1 9 1", "2 1 1", "2 8 1"];
        assert_ne!(rows(1, &[query]).await, right, "DataFusion is right now: `set_group_dependencies` can go");
    }
    #[tokio::test]
    async fn the_stock_planner_still_drops_keys_above_unnested_lists() {
        let query = "select k, unnest(l) as a from (select k, array_agg(v) as l from (values (1, 2), (1, 1)) t(k, v) group by k) \
            order by k, a";
        let part = "DataFusion is right now: this part of `set_group_dependencies` can go";
        assert_ne!(rows(1, &[query]).await, ["1 1", "1 2"], "{part}");
    }
}
