//! The outer values that a query is asked for.

use std::sync::Arc;

use arrow::datatypes::FieldRef;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, ExprSchema, Result};
use datafusion::logical_expr::expr::{Exists, InSubquery, SetComparison};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, Operator, Subquery, binary_expr};

use super::{build, scopes};
use crate::sql_extensions::subqueries::contains_subquery;

/// Combinations of outer values, each once, in columns whose names nobody writes.
pub(super) struct Domain {
    pub plan: LogicalPlan,
    columns: Vec<(Column, FieldRef)>,
    place: usize,
}

impl Domain {
    /// Of the columns of `input` that a query asks for; `None` where each reading of `input` gives other rows.
    pub fn of(input: &LogicalPlan, asked: &LogicalPlan, place: usize) -> Result<Option<Domain>> {
        let columns = outer_columns(asked, input.schema())?;
        if columns.is_empty() || changes(input)? {
            return Ok(None);
        }
        let named = columns.iter().enumerate();
        let named = named.map(|(at, (column, _))| Expr::Column(column.clone()).alias(key_name(place, at)));
        let plan = LogicalPlan::Distinct(Distinct::All(Arc::new(build::project(input.clone(), named.collect())?)));
        Ok(Some(Domain { plan, columns, place }))
    }

    /// Its columns.
    pub fn keys(&self) -> Vec<Expr> {
        (0..self.columns.len()).map(|at| Expr::Column(self.key(at))).collect()
    }

    fn key(&self, at: usize) -> Column {
        Column::new_unqualified(key_name(self.place, at))
    }

    /// Its columns under other names, for the second side of a join.
    pub fn twins(&self) -> (Vec<Expr>, Vec<Expr>) {
        let name = |at: usize| format!("{}_too", key_name(self.place, at));
        let renamed = self.keys().into_iter().enumerate().map(|(at, key)| key.alias(name(at)));
        let equal = self.keys().into_iter().enumerate();
        let equal = equal.map(|(at, key)| same(key, Expr::Column(Column::new_unqualified(name(at)))));
        (renamed.collect(), equal.collect())
    }

    /// That rows of `input` have the values of a combination.
    pub fn matches(&self) -> Vec<Expr> {
        let outer = self.columns.iter().map(|(column, _)| Expr::Column(column.clone()));
        outer.zip(self.keys()).map(|(outer, key)| same(outer, key)).collect()
    }

    /// An expression of a step of the query with columns of the domain in the place of the outer ones; `own` are the rows of
    /// the step.
    pub fn inside(&self, expr: Expr, own: &DFSchema) -> Result<Expr> {
        let replaced = expr.transform_up(|part| {
            Ok(match part {
                Expr::OuterReferenceColumn(_, ref column) => match self.at(column) {
                    Some(at) => Transformed::yes(Expr::Column(self.key(at))),
                    None => Transformed::no(part),
                },
                Expr::ScalarSubquery(query) => Transformed::yes(Expr::ScalarSubquery(self.query_inside(query, own)?)),
                Expr::Exists(Exists { subquery, negated }) => {
                    Transformed::yes(Expr::Exists(Exists { subquery: self.query_inside(subquery, own)?, negated }))
                }
                Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
                    let subquery = self.query_inside(subquery, own)?;
                    Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated }))
                }
                Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) => {
                    let subquery = self.query_inside(subquery, own)?;
                    Transformed::yes(Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }))
                }
                other => Transformed::no(other),
            })
        })?;
        Ok(replaced.data)
    }

    /// A query further inside, of a step over rows `own`, for which the columns of the domain are outer ones now.
    pub fn query_inside(&self, query: Subquery, own: &DFSchema) -> Result<Subquery> {
        scopes::replaced(query, own, &|column| {
            let at = self.at(column)?;
            Some(Expr::OuterReferenceColumn(Arc::clone(self.plan.schema().field(at)), self.key(at)))
        })
    }

    fn at(&self, column: &Column) -> Option<usize> {
        self.columns.iter().position(|(known, _)| known == column)
    }
}

/// Whether each reading gives other rows.
pub(super) fn changes(rows: &LogicalPlan) -> Result<bool> {
    let mut changing = false;
    rows.apply_with_subqueries(|step| {
        changing |= step.expressions().iter().any(Expr::is_volatile);
        Ok(if changing { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(changing)
}

fn key_name(place: usize, at: usize) -> String {
    format!("__around_{place}_{at}")
}

/// Whether two values are the same, nulls too.
fn same(left: Expr, right: Expr) -> Expr {
    binary_expr(left, Operator::IsNotDistinctFrom, right)
}

/// The columns of `around` that a query inside asks for, each once.
pub(super) fn outer_columns(asked: &LogicalPlan, around: &DFSchema) -> Result<Vec<(Column, FieldRef)>> {
    let mut found: Vec<(Column, FieldRef)> = Vec::new();
    scopes::each_outer(asked, &mut |column, _| {
        if around.has_column(column) && !found.iter().any(|(known, _)| known == column) {
            found.push((column.clone(), Arc::clone(around.field_from_column(column)?)));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Whether a query inside asks for columns of rows that are not `around` it.
pub(super) fn asks_further(asked: &LogicalPlan, around: &DFSchema) -> Result<bool> {
    let mut further = false;
    asked.apply(|step| {
        step.apply_expressions(|expr| {
            expr.apply(|part| {
                further |= matches!(part, Expr::OuterReferenceColumn(_, column) if !around.has_column(column));
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(further)
}

/// Whether queries further inside a query ask for columns of the rows around all of them.
pub(super) fn asks_deeper(asked: &LogicalPlan, around: &DFSchema) -> Result<bool> {
    let mut deeper = false;
    scopes::each_outer(asked, &mut |column, depth| {
        deeper |= depth > 0 && around.has_column(column);
        Ok(())
    })?;
    Ok(deeper)
}

/// An expression over rows as a query inside names it; `None` where it has queries itself.
pub(super) fn from_inside(expr: Expr, around: &DFSchema) -> Result<Option<Expr>> {
    if contains_subquery(&expr) {
        return Ok(None);
    }
    let inside = expr.transform_up(|part| {
        Ok(match part {
            Expr::Column(column) => {
                let field = Arc::clone(around.field_from_column(&column)?);
                Transformed::yes(Expr::OuterReferenceColumn(field, column))
            }
            other => Transformed::no(other),
        })
    })?;
    Ok(Some(inside.data))
}

/// Whether a plan, or a query in it, names columns of rows around it.
pub(super) fn is_correlated(plan: &LogicalPlan) -> Result<bool> {
    let mut asks = false;
    plan.apply_with_subqueries(|step| {
        asks |= step.contains_outer_reference();
        Ok(if asks { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(asks)
}
