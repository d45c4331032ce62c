//! What a group's keys determine. The stock planner takes a column that determines the others of one side of a join for
//! one that determines all columns of groups over the join, and drops keys of groups and of orders that matter: it
//! orders `select k, b, count(*) from (select distinct a as k from t) join u … group by k, b order by k, b` by `k`
//! alone. For DISTINCT the same fault was <https://github.com/apache/datafusion/issues/23626>; for GROUP BY and ORDER BY
//! no upstream issue found as of 2026-11.
//!
//! Groups are known by all their keys together, and by nothing less. That is said while a query is planned, where the
//! planner adds the columns to the keys that others determine, and before each rule of the optimizer that relies on it.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, Dependency, FunctionalDependence, FunctionalDependencies, Result};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Aggregate, Distinct, Expr, LogicalPlan, Projection};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::sql::sqlparser::ast::TableFactor;

/// The optimizer's rules that leave out what other columns tell.
pub const FD_CONSUMING_RULES: [&str; 3] = ["eliminate_join", "eliminate_duplicated_expr", "optimize_projections"];

/// Distinct rows are groups, but for rows that groups below them tell apart already. The stock rule believes that of what keys
/// tell, which it makes anew on its way up.
#[derive(Debug)]
pub struct DistinctRows;

impl OptimizerRule for DistinctRows {
    fn name(&self) -> &str {
        "distinct_rows"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        match plan {
            LogicalPlan::Distinct(Distinct::All(input)) if !input.schema().fields().is_empty() => {
                if distinct_keys(&input).is_some() {
                    return Ok(Transformed::yes(Arc::unwrap_or_clone(input)));
                }
                let keys = input.schema().columns().into_iter().map(Expr::Column).collect();
                let groups = Aggregate::try_new(input, keys, Vec::new())?;
                Ok(Transformed::yes(LogicalPlan::Aggregate(groups)))
            }
            plan => Ok(Transformed::no(plan)),
        }
    }
}

/// The places of columns in which no two rows are the same, because groups were made by them; `None` where that isn't sure.
fn distinct_keys(plan: &LogicalPlan) -> Option<Vec<usize>> {
    match plan {
        LogicalPlan::Aggregate(Aggregate { group_expr, .. }) => {
            let plain = !group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)));
            // A repeated key is one column.
            let keys = group_expr.iter().collect::<HashSet<_>>().len();
            plain.then(|| (0..keys).collect())
        }
        LogicalPlan::Filter(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::SubqueryAlias(_)
        // A window puts its columns behind those of its rows.
        | LogicalPlan::Window(_) => distinct_keys(plan.inputs()[0]),
        LogicalPlan::Projection(Projection { expr, input, .. }) => {
            let shown = |key: usize| {
                let column = Column::from(input.schema().qualified_field(key));
                expr.iter().position(|expr| matches!(expr.clone().unalias(), Expr::Column(shown) if shown == column))
            };
            distinct_keys(input)?.into_iter().map(shown).collect()
        }
        _ => None,
    }
}

/// Says it of a plan, before such a rule.
#[derive(Debug)]
pub struct GroupKeys;

impl OptimizerRule for GroupKeys {
    fn name(&self) -> &str {
        "group_keys"
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        with_group_by_dependencies(plan)
    }
}

thread_local! {
    /// Whether the relation that is planned next comes from [`KeysOfRelations`] itself.
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Says it of each query in FROM.
#[derive(Debug)]
pub struct KeysOfRelations;

impl RelationPlanner for KeysOfRelations {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let known = matches!(relation, TableFactor::Derived { .. } | TableFactor::Table { args: None, .. });
        if ASKED.replace(false) || !known {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        ASKED.set(true);
        let planned = context.plan(relation);
        ASKED.set(false);
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(with_group_by_dependencies(planned?)?.data, None))))
    }
}

/// The plan with what its groups' keys tell.
fn with_group_by_dependencies(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let mut doubtful = false;
    plan.apply_with_subqueries(|step| {
        doubtful |= matches!(step, LogicalPlan::Aggregate(aggregate) if believes_part(aggregate));
        Ok(if doubtful { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if !doubtful {
        return Ok(Transformed::no(plan));
    }
    plan.transform_up_with_subqueries(|step| {
        let step = step.recompute_schema()?;
        Ok(Transformed::yes(match step {
            LogicalPlan::Aggregate(mut aggregate) => {
                let schema = aggregate.schema.as_ref().clone().with_functional_dependencies(keys(&aggregate))?;
                aggregate.schema = Arc::new(schema);
                LogicalPlan::Aggregate(aggregate)
            }
            step => step,
        }))
    })
}

/// Whether columns of what is grouped tell some of the others, but not all.
fn believes_part(aggregate: &Aggregate) -> bool {
    let schema = aggregate.input.schema();
    let all = schema.fields().len();
    schema.functional_dependencies().iter().any(|dependency| dependency.target_indices.len() < all)
}

/// All keys together tell the row of a group.
fn keys(aggregate: &Aggregate) -> FunctionalDependencies {
    let count = aggregate.group_expr.len();
    if count == 0 || aggregate.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_))) {
        return FunctionalDependencies::empty();
    }
    let fields = aggregate.schema.fields();
    let nullable = fields.iter().take(count).any(|field| field.is_nullable());
    let dependency = FunctionalDependence::new((0..count).collect(), (0..fields.len()).collect(), nullable);
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
        assert_ne!(rows(1, &[query]).await, right, "DataFusion is right now: `GroupKeys` can go");
    }
}
