//! The domain of a correlated subquery: the combinations of outer values that occur.

use std::sync::Arc;

use arrow::datatypes::FieldRef;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, ExprSchema, Result};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, Operator, Subquery, binary_expr};

use super::build;
use super::outer_references::replace_outer_columns;
use crate::subqueries::{any_expression, any_node, contains_subquery, for_each_outer_column, map_subquery};
use quarry_functions::tree_walk::TreeWalk;

/// Distinct combinations of outer values, in columns whose names no query uses.
pub(super) struct Domain {
    pub plan: LogicalPlan,
    columns: Vec<(Column, FieldRef)>,
    index: usize,
}

impl Domain {
    /// The values of the columns of `input` that a subquery refers to; `None` where there are none or `input` is volatile.
    pub fn of(input: &LogicalPlan, query: &LogicalPlan, index: usize) -> Result<Option<Domain>> {
        let columns = outer_columns(query, input.schema())?;
        if columns.is_empty() || is_volatile(input)? {
            return Ok(None);
        }
        let named = columns.iter().enumerate();
        let named = named.map(|(key, (column, _))| Expr::Column(column.clone()).alias(key_name(index, key)));
        let plan = LogicalPlan::Distinct(Distinct::All(Arc::new(build::project(input.clone(), named.collect())?)));
        Ok(Some(Domain { plan, columns, index }))
    }

    pub fn keys(&self) -> Vec<Expr> {
        (0..self.columns.len()).map(|key| Expr::Column(self.key(key))).collect()
    }

    fn key(&self, key: usize) -> Column {
        Column::new_unqualified(key_name(self.index, key))
    }

    /// Its columns under other names, for the other side of a join, and the conditions that they are equal.
    pub fn renamed_keys(&self) -> (Vec<Expr>, Vec<Expr>) {
        let name = |key: usize| format!("{}_too", key_name(self.index, key));
        let renamed = self.keys().into_iter().enumerate().map(|(index, key)| key.alias(name(index)));
        let equal = self.keys().into_iter().enumerate();
        let equal = equal.map(|(index, key)| same(key, Expr::Column(Column::new_unqualified(name(index)))));
        (renamed.collect(), equal.collect())
    }

    /// The conditions that outer rows have the values of a combination.
    pub fn matches(&self) -> Vec<Expr> {
        let outer = self.columns.iter().map(|(column, _)| Expr::Column(column.clone()));
        outer.zip(self.keys()).map(|(outer, key)| same(outer, key)).collect()
    }

    /// An expression of a node of the subquery with columns of the domain in place of outer columns; `schema` is that of the
    /// node's inputs.
    pub fn replace_outer(&self, expr: Expr, schema: &DFSchema) -> Result<Expr> {
        let replaced = expr.transform_up(|part| match &part {
            Expr::OuterReferenceColumn(_, column) => Ok(match self.position(column) {
                Some(key) => Transformed::yes(Expr::Column(self.key(key))),
                None => Transformed::no(part),
            }),
            _ => map_subquery(part, |query| self.replace_outer_in(query, schema).map(Transformed::yes)),
        })?;
        Ok(replaced.data)
    }

    /// The same for a subquery of the node, for which the columns of the domain are outer columns.
    pub fn replace_outer_in(&self, query: Subquery, schema: &DFSchema) -> Result<Subquery> {
        replace_outer_columns(query, schema, &|column| {
            let key = self.position(column)?;
            Some(Expr::OuterReferenceColumn(Arc::clone(self.plan.schema().field(key)), self.key(key)))
        })
    }

    fn position(&self, column: &Column) -> Option<usize> {
        self.columns.iter().position(|(known, _)| known == column)
    }
}

/// Whether a plan returns other rows each time that it runs.
pub(super) fn is_volatile(plan: &LogicalPlan) -> Result<bool> {
    any_node(plan, |node| Ok(node.expressions().iter().any(Expr::is_volatile)))
}

fn key_name(domain: usize, key: usize) -> String {
    format!("__domain_{domain}_{key}")
}

/// Whether two values are the same, nulls too.
fn same(left: Expr, right: Expr) -> Expr {
    binary_expr(left, Operator::IsNotDistinctFrom, right)
}

/// The columns of `outer` rows that a subquery refers to, each once.
pub(super) fn outer_columns(query: &LogicalPlan, outer: &DFSchema) -> Result<Vec<(Column, FieldRef)>> {
    let mut found: Vec<(Column, FieldRef)> = Vec::new();
    for_each_outer_column(query, &mut |column, _| {
        if outer.has_column(column) && !found.iter().any(|(known, _)| known == column) {
            found.push((column.clone(), Arc::clone(outer.field_from_column(column)?)));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Whether a subquery refers to outer columns that are not those of the `outer` rows.
pub(super) fn refers_further(query: &LogicalPlan, outer: &DFSchema) -> Result<bool> {
    let is_further = |part: &Expr| matches!(part, Expr::OuterReferenceColumn(_, column) if !outer.has_column(column));
    query.exists(|node| any_expression(node, is_further))
}

/// Whether subqueries of a subquery refer to columns of the `outer` rows.
pub(super) fn refers_from_inner(query: &LogicalPlan, outer: &DFSchema) -> Result<bool> {
    let mut found = false;
    for_each_outer_column(query, &mut |column, depth| {
        found |= depth > 0 && outer.has_column(column);
        Ok(())
    })?;
    Ok(found)
}

/// An expression over outer rows with outer references as columns; `None` where it contains subqueries.
pub(super) fn as_outer_expr(expr: Expr, outer: &DFSchema) -> Result<Option<Expr>> {
    if contains_subquery(&expr) {
        return Ok(None);
    }
    let replaced = expr.transform_up(|part| {
        Ok(match part {
            Expr::Column(column) => {
                let field = Arc::clone(outer.field_from_column(&column)?);
                Transformed::yes(Expr::OuterReferenceColumn(field, column))
            }
            other => Transformed::no(other),
        })
    })?;
    Ok(Some(replaced.data))
}

/// Whether a plan, or a subquery in it, has outer references.
pub(super) fn is_correlated(plan: &LogicalPlan) -> Result<bool> {
    any_node(plan, |node| Ok(node.contains_outer_reference()))
}
