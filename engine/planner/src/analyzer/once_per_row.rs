//! What is another value each time it is asked for, as `random()`, is asked for once for each row: it becomes a column, of
//! which conditions and expressions speak then.
//!
//! Without that, `random() between 0.1 and 0.2` would ask twice
//! (<https://github.com/apache/datafusion/issues/25457>), and a condition that names no column would be moved below
//! the joins and lists whose rows it is to choose from.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, JoinType, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Aggregate, Expr, ExprSchemable, Filter, Join, LogicalPlan, Projection};
use datafusion::optimizer::AnalyzerRule;

/// Runs before all rules that write an expression down again.
#[derive(Debug)]
pub struct OncePerRow;

impl AnalyzerRule for OncePerRow {
    fn name(&self) -> &str {
        "once_per_row"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(rewrite).data()
    }
}

fn rewrite(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Filter(filter) if changes(&filter.predicate) => condition(filter).map(Transformed::yes),
        LogicalPlan::Join(join) if join.join_type == JoinType::Inner && join.filter.iter().any(changes) => {
            above(join).map(Transformed::yes)
        }
        LogicalPlan::Projection(projection) if projection.expr.iter().any(changes_inside) => {
            let (expr, input) = Made::apart(projection.expr, projection.input)?;
            let projection = Projection::try_new_with_schema(expr, input, projection.schema)?;
            Ok(Transformed::yes(LogicalPlan::Projection(projection)))
        }
        LogicalPlan::Aggregate(aggregate)
            if aggregate.group_expr.iter().chain(&aggregate.aggr_expr).any(changes_inside) =>
        {
            let Aggregate { input, group_expr: mut expr, aggr_expr, schema, .. } = aggregate;
            let groups = expr.len();
            expr.extend(aggr_expr);
            let (mut expr, input) = Made::apart(expr, input)?;
            let aggregates = expr.split_off(groups);
            let aggregate = Aggregate::try_new_with_schema(input, expr, aggregates, schema)?;
            Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
        }
        plan => Ok(Transformed::no(plan)),
    }
}

/// Rows are made first, and then chosen from; what else is asked of them may be asked wherever it is cheapest.
fn condition(filter: Filter) -> Result<LogicalPlan> {
    let (changing, rest): (Vec<Expr>, Vec<Expr>) =
        split_conjunction_owned(filter.predicate).into_iter().partition(changes);
    let input = match conjunction(rest) {
        Some(rest) => Arc::new(LogicalPlan::Filter(Filter::try_new(rest, filter.input)?)),
        None => filter.input,
    };
    let (columns, schema) = (columns(&input), input.schema().clone());
    let (changing, input) = Made::apart(changing, input)?;
    let changing = changing.into_iter().map(Expr::unalias);
    let Some(predicate) = conjunction(changing) else { return Ok(Arc::unwrap_or_clone(input)) };
    let filter = Arc::new(LogicalPlan::Filter(Filter::try_new(predicate, input)?));
    Projection::try_new_with_schema(columns, filter, schema).map(LogicalPlan::Projection)
}

/// The same for what an inner join asks of each pair.
fn above(mut join: Join) -> Result<LogicalPlan> {
    let parts = join.filter.take().map(split_conjunction_owned).unwrap_or_default();
    let (changing, rest): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(changes);
    join.filter = conjunction(rest);
    let input = Arc::new(LogicalPlan::Join(join));
    match conjunction(changing) {
        Some(predicate) => condition(Filter::try_new(predicate, input)?),
        None => Ok(Arc::unwrap_or_clone(input)),
    }
}

/// All columns of a plan.
fn columns(plan: &LogicalPlan) -> Vec<Expr> {
    plan.schema().columns().into_iter().map(Expr::Column).collect()
}

/// Whether another value comes each time. What a lambda asks for it asks anew for each item.
fn changes(expr: &Expr) -> bool {
    let mut changes = false;
    // The visitor never fails.
    let _ = expr.apply(|part| {
        changes |= part.is_volatile_node();
        Ok(match part {
            _ if changes => TreeNodeRecursion::Stop,
            Expr::Lambda(_) => TreeNodeRecursion::Jump,
            _ => TreeNodeRecursion::Continue,
        })
    });
    changes
}

/// The same, of which something else is made: alone it is a column already.
fn changes_inside(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(alias) => changes_inside(&alias.expr),
        Expr::Column(_) | Expr::Literal(..) => false,
        expr => !expr.is_volatile_node() && changes(expr),
    }
}

/// Columns for what changes.
struct Made {
    input: Arc<LogicalPlan>,
    columns: Vec<Expr>,
}

impl Made {
    /// Expressions over rows that have a column for each call that changes. They keep their names.
    fn apart(exprs: Vec<Expr>, input: Arc<LogicalPlan>) -> Result<(Vec<Expr>, Arc<LogicalPlan>)> {
        let names = NamePreserver::new_for_projection();
        let mut made = Made { columns: columns(&input), input };
        let before = made.columns.len();
        let apart = |expr: Expr| {
            let name = names.save(&expr);
            expr.transform_down(|part| made.column(part)).map(|apart| name.restore(apart.data))
        };
        let exprs = exprs.into_iter().map(apart).collect::<Result<Vec<Expr>>>()?;
        if made.columns.len() == before {
            return Ok((exprs, made.input));
        }
        let input = Projection::try_new(made.columns, made.input)?;
        Ok((exprs, Arc::new(LogicalPlan::Projection(input))))
    }

    fn column(&mut self, part: Expr) -> Result<Transformed<Expr>> {
        let Expr::ScalarFunction(call) = &part else {
            let next =
                if matches!(part, Expr::Lambda(_)) { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue };
            return Ok(Transformed::new(part, false, next));
        };
        let plain = |arg: &Expr| matches!(arg, Expr::Column(_) | Expr::Literal(..));
        if !part.is_volatile_node() || !call.args.iter().all(plain) || part.get_type(self.input.schema()).is_err() {
            return Ok(Transformed::no(part));
        }
        let name = format!("__changing_{}", self.columns.len());
        self.columns.push(part.alias(&name));
        Ok(Transformed::new(Expr::Column(Column::new_unqualified(name)), true, TreeNodeRecursion::Jump))
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_between_still_computes_its_value_twice() {
        let create = "create table t as select value from generate_series(1, 10000)";
        let query = "select count(*) < 3000 from t where random() between 0.4 and 0.6";
        assert_ne!(rows(1, &[create, query]).await, ["true"], "DataFusion is right now: BETWEEN needs no column");
    }
}
