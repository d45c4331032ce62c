//! Computes `random()` and other volatile expressions once for each row, as columns.
//!
//! Otherwise `random() between 0.1 and 0.2` computes two numbers
//! (<https://github.com/apache/datafusion/issues/25457>), and a filter that names no column is pushed below
//! the joins and unnestings whose rows it filters.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, JoinType, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Aggregate, Expr, ExprSchemable, Filter, Join, LogicalPlan, Projection};

use crate::subqueries::all_columns;
use quarry_functions::tree_walk::TreeWalk;

/// Runs before all rules that copy expressions.
pub(crate) fn extract_volatile_expressions(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Filter(filter) if is_volatile(&filter.predicate) => {
            extract_from_filter(filter).map(Transformed::yes)
        }
        LogicalPlan::Join(join) if join.join_type == JoinType::Inner && join.filter.iter().any(is_volatile) => {
            filter_above_join(join).map(Transformed::yes)
        }
        LogicalPlan::Projection(projection) if projection.expr.iter().any(contains_volatile) => {
            let (expr, input) = VolatileColumns::extract(projection.expr, projection.input)?;
            let projection = Projection::try_new_with_schema(expr, input, projection.schema)?;
            Ok(Transformed::yes(LogicalPlan::Projection(projection)))
        }
        LogicalPlan::Aggregate(aggregate)
            if aggregate.group_expr.iter().chain(&aggregate.aggr_expr).any(contains_volatile) =>
        {
            let Aggregate { input, group_expr: mut expr, aggr_expr, schema, .. } = aggregate;
            let groups = expr.len();
            expr.extend(aggr_expr);
            let (mut expr, input) = VolatileColumns::extract(expr, input)?;
            let aggregates = expr.split_off(groups);
            let aggregate = Aggregate::try_new_with_schema(input, expr, aggregates, schema)?;
            Ok(Transformed::yes(LogicalPlan::Aggregate(aggregate)))
        }
        plan => Ok(Transformed::no(plan)),
    }
}

/// The volatile parts of a filter are evaluated right above its input; its other parts may be pushed down.
fn extract_from_filter(filter: Filter) -> Result<LogicalPlan> {
    let (volatile, rest): (Vec<Expr>, Vec<Expr>) =
        split_conjunction_owned(filter.predicate).into_iter().partition(is_volatile);
    let input = match conjunction(rest) {
        Some(rest) => Arc::new(LogicalPlan::Filter(Filter::try_new(rest, filter.input)?)),
        None => filter.input,
    };
    let (columns, schema) = (all_columns(input.schema()), input.schema().clone());
    let (volatile, input) = VolatileColumns::extract(volatile, input)?;
    let volatile = volatile.into_iter().map(Expr::unalias);
    let Some(predicate) = conjunction(volatile) else { return Ok(Arc::unwrap_or_clone(input)) };
    let filter = Arc::new(LogicalPlan::Filter(Filter::try_new(predicate, input)?));
    Projection::try_new_with_schema(columns, filter, schema).map(LogicalPlan::Projection)
}

/// The same for the filter of an inner join, which becomes a filter above it.
fn filter_above_join(mut join: Join) -> Result<LogicalPlan> {
    let parts = join.filter.take().map(split_conjunction_owned).unwrap_or_default();
    let (volatile, rest): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(is_volatile);
    join.filter = conjunction(rest);
    let input = Arc::new(LogicalPlan::Join(join));
    match conjunction(volatile) {
        Some(predicate) => extract_from_filter(Filter::try_new(predicate, input)?),
        None => Ok(Arc::unwrap_or_clone(input)),
    }
}

/// Whether an expression is volatile outside of lambdas, which are evaluated for each item.
fn is_volatile(expr: &Expr) -> bool {
    let mut is_volatile = false;
    // The visitor never fails.
    let _ = expr.apply(|part| {
        is_volatile |= part.is_volatile_node();
        Ok(match part {
            _ if is_volatile => TreeNodeRecursion::Stop,
            Expr::Lambda(_) => TreeNodeRecursion::Jump,
            _ => TreeNodeRecursion::Continue,
        })
    });
    is_volatile
}

/// Whether an expression has a volatile part; a volatile expression on its own is a column already.
fn contains_volatile(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(alias) => contains_volatile(&alias.expr),
        Expr::Column(_) | Expr::Literal(..) => false,
        expr => !expr.is_volatile_node() && is_volatile(expr),
    }
}

/// Rows with further columns for volatile calls.
struct VolatileColumns {
    input: Arc<LogicalPlan>,
    columns: Vec<Expr>,
}

impl VolatileColumns {
    /// The expressions over rows with a column for each volatile call. They keep their names.
    fn extract(exprs: Vec<Expr>, input: Arc<LogicalPlan>) -> Result<(Vec<Expr>, Arc<LogicalPlan>)> {
        let names = NamePreserver::new_for_projection();
        let mut rows = VolatileColumns { columns: all_columns(input.schema()), input };
        let before = rows.columns.len();
        let extract = |expr: Expr| {
            let name = names.save(&expr);
            expr.transform_down(|part| rows.column(part)).map(|expr| name.restore(expr.data))
        };
        let exprs = exprs.into_iter().map(extract).collect::<Result<Vec<Expr>>>()?;
        if rows.columns.len() == before {
            return Ok((exprs, rows.input));
        }
        let input = Projection::try_new(rows.columns, rows.input)?;
        Ok((exprs, Arc::new(LogicalPlan::Projection(input))))
    }

    fn column(&mut self, part: Expr) -> Result<Transformed<Expr>> {
        let Expr::ScalarFunction(call) = &part else {
            let next =
                if matches!(part, Expr::Lambda(_)) { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue };
            return Ok(Transformed::new(part, false, next));
        };
        let is_simple = |arg: &Expr| matches!(arg, Expr::Column(_) | Expr::Literal(..));
        if !part.is_volatile_node() || !call.args.iter().all(is_simple) || part.get_type(self.input.schema()).is_err() {
            return Ok(Transformed::no(part));
        }
        let name = format!("__volatile_{}", self.columns.len());
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
