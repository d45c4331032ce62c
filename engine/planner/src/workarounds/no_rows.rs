//! A scalar subquery is null where it has no row, also when its column never is. The stock rules only look at the
//! column: `coalesce((select 5 from t where x > 1), 0)` is null or fails, and `is null` of it is false
//! (<https://github.com/apache/datafusion/issues/24516>, <https://github.com/apache/datafusion/issues/24534>).

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{EmptyRelation, Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::may_be_null;

/// Runs before anything asks whether such a value may be null.
#[derive(Debug)]
pub struct NullForNoRows;

impl AnalyzerRule for NullForNoRows {
    fn name(&self) -> &str {
        "null_for_no_rows"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let told = plan.transform_up_with_subqueries(|plan| {
            let names = NamePreserver::new(&plan);
            plan.map_expressions(|expr| {
                let name = names.save(&expr);
                Ok(expr.transform_up(nullable)?.update_data(|expr| name.restore(expr)))
            })
        })?;
        if !told.transformed {
            return Ok(told.data);
        }
        Ok(told.data.transform_up_with_subqueries(|plan| plan.recompute_schema().map(Transformed::yes))?.data)
    }
}

fn nullable(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::ScalarSubquery(query) = &expr else { return Ok(Transformed::no(expr)) };
    let plan = &query.subquery;
    let known = plan.schema().field(0).is_nullable() && !calculates(plan)?;
    if known || has_a_row(plan) {
        return Ok(Transformed::no(expr));
    }
    Ok(Transformed::yes(may_be_null().call(vec![expr])))
}

/// Whether a query calculates values. What may be null now is not null any more once the optimizer has calculated it:
/// `ceil(1.5)` becomes 2.
fn calculates(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|plan| match plan {
        LogicalPlan::Projection(projection) => Ok(projection.expr.iter().any(|expr| !is_column(expr))),
        _ => Ok(false),
    })
}

fn is_column(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(alias) => is_column(&alias.expr),
        expr => matches!(expr, Expr::Column(_)),
    }
}

/// Whether a query has a row whatever it reads.
fn has_a_row(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => has_a_row(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => has_a_row(&alias.input),
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
        assert_ne!(rows(1, &[query]).await, ["0"], "DataFusion is right now: `NullForNoRows` can go");
    }
}
