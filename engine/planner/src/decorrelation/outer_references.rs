//! Replaces the outer references of nested subqueries. A reference means the nearest outer rows that have such a column: a table
//! inside may have the name of one outside.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, Join, LogicalPlan, Subquery};

use crate::subqueries::map_subquery;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// A subquery of a node over `outer` rows, with outer columns of rows further outside replaced.
pub(super) fn replace_outer_columns(
    query: Subquery,
    outer: &DFSchema,
    replace: &dyn Fn(&Column) -> Option<Expr>,
) -> Result<Subquery> {
    Replace { scopes: Vec::new(), replace }.query(query, outer)
}

struct Replace<'a> {
    scopes: Vec<DFSchema>,
    replace: &'a dyn Fn(&Column) -> Option<Expr>,
}

impl Replace<'_> {
    fn query(&mut self, query: Subquery, outer: &DFSchema) -> Result<Subquery> {
        self.scopes.push(outer.clone());
        let columns = query.outer_ref_columns.into_iter().map(|column| self.column(column).data);
        let outer_ref_columns = columns.collect();
        let plan = self.plan(query.subquery.as_ref().clone(), None)?;
        self.scopes.pop();
        Ok(Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: query.spans })
    }

    fn column(&self, expr: Expr) -> Transformed<Expr> {
        let replacement = match &expr {
            Expr::OuterReferenceColumn(_, column) if !self.scopes.iter().any(|scope| scope.has_column(column)) => {
                (self.replace)(column)
            }
            _ => None,
        };
        replacement.map_or_else(|| Transformed::no(expr), Transformed::yes)
    }

    fn plan(&mut self, plan: LogicalPlan, left: Option<&DFSchema>) -> Result<LogicalPlan> {
        if let LogicalPlan::Subquery(lateral) = plan {
            let none = DFSchema::empty();
            return Ok(LogicalPlan::Subquery(self.query(lateral, left.unwrap_or(&none))?));
        }
        let own = merge_schema(&plan.inputs());
        let names = NamePreserver::new(&plan);
        let plan = plan.map_exprs(|expr| {
            let name = names.save(&expr);
            let done = expr.transform_up(|part| match &part {
                Expr::OuterReferenceColumn(..) => Ok(self.column(part)),
                _ => map_subquery(part, |query| self.query(query, &own).map(Transformed::yes)),
            })?;
            Ok(done.update_data(|expr| name.restore(expr)))
        })?;
        if let LogicalPlan::Join(join) = plan.data {
            let right = self.plan(join.right.as_ref().clone(), Some(join.left.schema()))?;
            let left = self.plan(join.left.as_ref().clone(), left)?;
            return Ok(LogicalPlan::Join(Join { left: Arc::new(left), right: Arc::new(right), ..join }));
        }
        Ok(plan.data.map_children(|input| Ok(Transformed::yes(self.plan(input, left)?)))?.data)
    }
}
