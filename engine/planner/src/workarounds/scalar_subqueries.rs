//! A scalar subquery is null where it has no row, also if its column is never null. The stock rules only look at the
//! column: `coalesce((select 5 from t where x > 1), 0)` is null or fails, and `is null` of it is false
//! (<https://github.com/apache/datafusion/issues/24516>, <https://github.com/apache/datafusion/issues/24534>).

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{EmptyRelation, Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::may_be_null;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// Runs before rules rely on which expressions may be null.
#[derive(Debug)]
pub struct MarkScalarSubqueriesNullable;

impl AnalyzerRule for MarkScalarSubqueriesNullable {
    fn name(&self) -> &str {
        "mark_scalar_subqueries_nullable"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let marked = plan.transform_deep_up(|plan| {
            let names = NamePreserver::new(&plan);
            plan.map_exprs(|expr| {
                let name = names.save(&expr);
                Ok(expr.transform_up(mark_nullable)?.update_data(|expr| name.restore(expr)))
            })
        })?;
        if !marked.transformed {
            return Ok(marked.data);
        }
        Ok(marked.data.transform_deep_up(|plan| plan.recompute_schema().map(Transformed::yes))?.data)
    }
}

fn mark_nullable(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::ScalarSubquery(query) = &expr else { return Ok(Transformed::no(expr)) };
    let plan = &query.subquery;
    let is_nullable = plan.schema().field(0).is_nullable() && !has_computed_columns(plan)?;
    if is_nullable || always_has_row(plan) {
        return Ok(Transformed::no(expr));
    }
    Ok(Transformed::yes(may_be_null().call(vec![expr])))
}

/// Whether a query computes columns. The optimizer may turn a nullable expression into one that is never null: `ceil(1.5)`
/// becomes 2.
fn has_computed_columns(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|plan| match plan {
        LogicalPlan::Projection(projection) => {
            Ok(!projection.expr.iter().all(|expr| matches!(expr.clone().unalias_nested().data, Expr::Column(_))))
        }
        _ => Ok(false),
    })
}

/// Whether a query has a row whatever it reads.
fn always_has_row(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => always_has_row(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => always_has_row(&alias.input),
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row, .. }) => *produce_one_row,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_rules_still_take_a_subquery_for_its_column() {
        let query = "select coalesce((select 5 from (values (1)) t(x) where x > 1), 0)";
        assert_ne!(rows(1, &[query]).await, ["0"], "DataFusion is right now: `MarkScalarSubqueriesNullable` can go");
    }
}
