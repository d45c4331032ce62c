//! `FROM t, LATERAL (SELECT t.a + 1 AS b) AS l`: a query without tables of its own, over a row of those before it. Its
//! columns are columns of that row; the stock rule joins only what has tables.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{
    EmptyRelation, Expr, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Subquery, SubqueryAlias, when,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::lit;

use super::subqueries::contains_subquery;

/// Runs before the stock rule that turns lateral queries into joins.
#[derive(Debug)]
pub struct LateralRows;

impl OptimizerRule for LateralRows {
    fn name(&self) -> &str {
        "lateral_rows"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Join(join) = &plan else { return Ok(Transformed::no(plan)) };
        if let Some(projected) = of_row(join)? {
            return Ok(Transformed::yes(projected));
        }
        Ok(match unasked(join)? {
            Some(right) => Transformed::yes(LogicalPlan::Join(Join { right: Arc::new(right), ..join.clone() })),
            None => Transformed::no(plan),
        })
    }
}

/// A lateral side that asks for nothing of the rows before it, as the table it is: a condition that is never true was taken away
/// with all that it asked.
fn unasked(join: &Join) -> Result<Option<LogicalPlan>> {
    let Some(asked) = query(&join.right) else { return Ok(None) };
    let asks = asked.subquery.apply_with_subqueries(|step| {
        Ok(if step.contains_outer_reference() { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if asks == TreeNodeRecursion::Stop {
        return Ok(None);
    }
    let table = LogicalPlanBuilder::from(asked.subquery.as_ref().clone());
    match join.right.as_ref() {
        LogicalPlan::SubqueryAlias(SubqueryAlias { alias, .. }) => table.alias(alias.clone())?.build().map(Some),
        _ => table.build().map(Some),
    }
}

/// Whether the rule writes a join as columns.
pub fn is_of_row(join: &Join) -> Result<bool> {
    Ok(of_row(join)?.is_some())
}

/// The query of the lateral side of a join.
pub fn query(side: &LogicalPlan) -> Option<&Subquery> {
    match side {
        LogicalPlan::Subquery(query) => Some(query),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => match input.as_ref() {
            LogicalPlan::Subquery(query) => Some(query),
            _ => None,
        },
        _ => None,
    }
}

/// A lateral side with another query.
pub fn with_query(side: &LogicalPlan, query: Subquery) -> Result<LogicalPlan> {
    let query = LogicalPlan::Subquery(query);
    match side {
        LogicalPlan::SubqueryAlias(SubqueryAlias { alias, .. }) => {
            LogicalPlanBuilder::from(query).alias(alias.clone())?.build()
        }
        _ => Ok(query),
    }
}

/// A row that a query without tables answers, and the conditions under which it does.
#[derive(Default)]
struct Row {
    columns: Vec<Expr>,
    conditions: Vec<Expr>,
}

/// The join as columns beside those of its left side; `None` leaves it.
fn of_row(join: &Join) -> Result<Option<LogicalPlan>> {
    if !join.on.is_empty() || !matches!(join.join_type, JoinType::Inner | JoinType::Left) {
        return Ok(None);
    }
    let Some(Subquery { subquery, .. }) = query(&join.right) else { return Ok(None) };
    let Some(mut row) = row(subquery)? else { return Ok(None) };
    if let Some(filter) = &join.filter {
        let width = join.left.schema().fields().len();
        let both: Vec<Expr> =
            join.schema.columns().into_iter().take(width).map(Expr::Column).chain(row.columns.clone()).collect();
        row.conditions.push(replaced(filter.clone(), &join.schema, &both)?);
    }
    let outside = join.left.schema();
    let inside =
        |exprs: Vec<Expr>| exprs.into_iter().map(|expr| of_left(expr, outside)).collect::<Result<Option<Vec<_>>>>();
    let (Some(columns), Some(conditions)) = (inside(row.columns)?, inside(row.conditions)?) else { return Ok(None) };
    let condition = conjunction(conditions.into_iter().filter(|condition| *condition != lit(true)));
    let mut left = LogicalPlanBuilder::from(join.left.as_ref().clone());
    let columns = match condition {
        None => columns,
        Some(condition) if join.join_type == JoinType::Inner => {
            left = left.filter(condition)?;
            columns
        }
        Some(condition) => {
            let known = columns.into_iter().map(|column| when(condition.clone(), column).end());
            known.collect::<Result<_>>()?
        }
    };
    let schema = join.right.schema();
    let named = columns.into_iter().enumerate().map(|(place, column)| {
        let (table, field) = schema.qualified_field(place);
        column.alias_qualified(table.cloned(), field.name())
    });
    let all: Vec<Expr> = outside.columns().into_iter().map(Expr::Column).chain(named).collect();
    Ok(Some(left.project(all)?.build()?))
}

/// The row of a query without tables; `None` for any other.
fn row(plan: &LogicalPlan) -> Result<Option<Row>> {
    let known = match plan {
        LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: true, .. }) => Some(Row::default()),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => row(input)?,
        LogicalPlan::Filter(filter) => match row(&filter.input)? {
            Some(mut below) => {
                let condition = replaced(filter.predicate.clone(), filter.input.schema(), &below.columns)?;
                below.conditions.push(condition);
                Some(below)
            }
            None => None,
        },
        LogicalPlan::Projection(projection) => match row(&projection.input)? {
            Some(below) => {
                let column = |expr: &Expr| {
                    Ok(replaced(expr.clone(), projection.input.schema(), &below.columns)?.unalias_nested().data)
                };
                let columns = projection.expr.iter().map(column).collect::<Result<_>>()?;
                Some(Row { columns, conditions: below.conditions })
            }
            None => None,
        },
        _ => None,
    };
    // A value that is another one each time can't be written out where it is used.
    let plain = |expr: &Expr| !expr.is_volatile() && !contains_subquery(expr);
    Ok(known.filter(|row| row.columns.iter().chain(&row.conditions).all(plain)))
}

/// An expression with what its columns stand for.
fn replaced(expr: Expr, schema: &Arc<DFSchema>, columns: &[Expr]) -> Result<Expr> {
    let done = expr.transform_up(|part| {
        let by = match &part {
            Expr::Column(column) => schema.maybe_index_of_column(column).and_then(|place| columns.get(place)),
            _ => None,
        };
        Ok(match by {
            Some(by) => Transformed::yes(by.clone()),
            None => Transformed::no(part),
        })
    })?;
    Ok(done.data)
}

/// An expression over a row of the left side; `None` when it asks for columns of neither.
fn of_left(expr: Expr, left: &DFSchema) -> Result<Option<Expr>> {
    let mut known = true;
    let done = expr.transform_up(|part| match part {
        Expr::OuterReferenceColumn(_, column) if left.has_column(&column) => Ok(Transformed::yes(Expr::Column(column))),
        Expr::OuterReferenceColumn(..) => {
            known = false;
            Ok(Transformed::no(part))
        }
        other => Ok(Transformed::no(other)),
    })?;
    Ok(known.then_some(done.data))
}
