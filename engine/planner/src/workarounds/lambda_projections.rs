//! Keeps expressions with lambdas where they were planned while projections are pushed down.
//!
//! A variable of a lambda is read by its place behind the columns of the input, and a rule that moves the expression to
//! another input only changes the places of columns. In `select array_transform(l, x -> x + 1) from (values (1, [2]))
//! t(k, l)` the variable becomes a column of the table. The same rule computes parts of join conditions below the join,
//! also parts of the body of a lambda, where there are no variables: `t join u on array_any_match(t.l, x -> x + t.k >
//! u.k)`. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::LambdaExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::joins::NestedLoopJoinExec;
use datafusion::physical_plan::projection::ProjectionExec;

use super::property_barrier::{Hide, PropertyBarrierExec};
use crate::node_rules::{PhysicalRule, WrappedRule};
use quarry_functions::tree_walk::TreeWalk;

/// The stock rule with barriers below projections with lambdas. It does not see joins with lambdas in their condition.
pub(crate) fn guard_projection_pushdown(stock: PhysicalRule) -> PhysicalRule {
    Arc::new(WrappedRule { stock, optimize })
}

fn optimize(
    stock: &PhysicalRule,
    plan: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let guarded = plan.transform_up(|plan| {
        if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>()
            && join.filter().is_some_and(|filter| has_lambda(filter.expression()))
        {
            // What is below a hidden join is not reached from above it.
            let inputs = [join.left(), join.right()].map(|input| run(stock, Arc::clone(input), config));
            let inputs = inputs.into_iter().collect::<Result<Vec<_>>>()?;
            let join = replace_children_if_necessary(plan, inputs)?;
            return Ok(Transformed::yes(PropertyBarrierExec::above(join, Hide::Plan)));
        }
        if let Some(projection) = plan.downcast_ref::<ProjectionExec>()
            && projection.expr().iter().any(|column| has_lambda(&column.expr))
        {
            let input = PropertyBarrierExec::above(Arc::clone(projection.input()), Hide::Nothing);
            return replace_children_if_necessary(plan, vec![input]).map(Transformed::yes);
        }
        Ok(Transformed::no(plan))
    })?;
    run(stock, guarded.data, config)
}

/// Runs the rule on a plan with barriers and takes them out.
fn run(
    stock: &PhysicalRule,
    guarded: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let plan = stock.optimize(guarded, config)?;
    PropertyBarrierExec::remove(plan, |hide| matches!(hide, Hide::Nothing | Hide::Plan))
}

fn has_lambda(expr: &Arc<dyn PhysicalExpr>) -> bool {
    expr.is::<LambdaExpr>() || expr.children().into_iter().any(has_lambda)
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::{SessionConfig, SessionContext};

    use crate::workarounds::stock::run;

    /// The rows of a query in a dialect that has lambdas.
    async fn rows(query: &str) -> Vec<String> {
        let config = SessionConfig::new().with_target_partitions(1).set_str("datafusion.sql_parser.dialect", "duckdb");
        let answer = run(&SessionContext::new_with_config(config), &[query]).await;
        answer.unwrap_or_else(|error| vec![error.to_string()])
    }

    #[tokio::test]
    async fn the_stock_rule_still_leaves_variables_at_their_place() {
        let query = "select array_transform(make_array(1, 2), x -> x + k) from (values (1, 3), (2, 4)) t(id, k)";
        assert_ne!(rows(query).await, ["[4, 5]", "[5, 6]"], "DataFusion is right now: projections need no barrier");
    }

    #[tokio::test]
    async fn the_stock_rule_still_takes_parts_out_of_lambdas() {
        let query = "select t.k, u.k from (values (make_array(1), 3)) t(l, k) join (values (3), (9)) u(k) \
            on cardinality(array_filter(t.l, x -> x + t.k > u.k)) > 0";
        assert_ne!(rows(query).await, ["3 3"], "DataFusion is right now: joins need not be hidden");
    }
}
