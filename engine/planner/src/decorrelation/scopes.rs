//! Whose columns a query asks for, where queries stand in one another: those of the nearest rows around that have them. A
//! table inside may have the name of one outside.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{Exists, InSubquery, SetComparison};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, Join, LogicalPlan, Subquery};

/// Calls `found` for each column that a query asks of rows around it, with how many queries inside of it lie between.
pub(super) fn each_outer(asked: &LogicalPlan, found: &mut dyn FnMut(&Column, usize) -> Result<()>) -> Result<()> {
    Walk { scopes: Vec::new(), depth: 0, found }.plan(asked, None)
}

struct Walk<'a> {
    /// The rows around what is looked at, up to those around the query, which are not among them.
    scopes: Vec<DFSchema>,
    depth: usize,
    found: &'a mut dyn FnMut(&Column, usize) -> Result<()>,
}

impl Walk<'_> {
    /// `beside` has the rows that a lateral query in the plan is asked for.
    fn plan(&mut self, plan: &LogicalPlan, beside: Option<&DFSchema>) -> Result<()> {
        if let LogicalPlan::Subquery(lateral) = plan {
            return match beside {
                Some(beside) => self.within(beside.clone(), &lateral.subquery),
                None => self.plan(&lateral.subquery, None),
            };
        }
        let own = merge_schema(&plan.inputs());
        plan.apply_expressions(|expr| {
            expr.apply(|part| {
                if let Expr::OuterReferenceColumn(_, column) = part
                    && !self.scopes.iter().any(|scope| scope.has_column(column))
                {
                    (self.found)(column, self.depth)?;
                }
                if let Some(query) = query_of(part) {
                    self.depth += 1;
                    self.within(own.clone(), &query.subquery)?;
                    self.depth -= 1;
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })?;
        if let LogicalPlan::Join(join) = plan {
            self.plan(&join.left, beside)?;
            return self.plan(&join.right, Some(join.left.schema()));
        }
        plan.inputs().into_iter().try_for_each(|input| self.plan(input, beside))
    }

    fn within(&mut self, around: DFSchema, asked: &LogicalPlan) -> Result<()> {
        self.scopes.push(around);
        self.plan(asked, None)?;
        self.scopes.pop();
        Ok(())
    }
}

fn query_of(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::ScalarSubquery(query) => Some(query),
        Expr::Exists(Exists { subquery, .. })
        | Expr::InSubquery(InSubquery { subquery, .. })
        | Expr::SetComparison(SetComparison { subquery, .. }) => Some(subquery),
        _ => None,
    }
}

/// A query of a step over rows `around`, with what `replace` gives in the place of columns of rows further around.
pub(super) fn replaced(
    query: Subquery,
    around: &DFSchema,
    replace: &dyn Fn(&Column) -> Option<Expr>,
) -> Result<Subquery> {
    Replace { scopes: Vec::new(), replace }.query(query, around)
}

struct Replace<'a> {
    scopes: Vec<DFSchema>,
    replace: &'a dyn Fn(&Column) -> Option<Expr>,
}

impl Replace<'_> {
    fn query(&mut self, query: Subquery, around: &DFSchema) -> Result<Subquery> {
        self.scopes.push(around.clone());
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

    fn plan(&mut self, plan: LogicalPlan, beside: Option<&DFSchema>) -> Result<LogicalPlan> {
        if let LogicalPlan::Subquery(lateral) = plan {
            let none = DFSchema::empty();
            return Ok(LogicalPlan::Subquery(self.query(lateral, beside.unwrap_or(&none))?));
        }
        let own = merge_schema(&plan.inputs());
        let names = NamePreserver::new(&plan);
        let plan = plan.map_expressions(|expr| {
            let name = names.save(&expr);
            let done = expr.transform_up(|part| {
                Ok(match part {
                    Expr::ScalarSubquery(query) => Transformed::yes(Expr::ScalarSubquery(self.query(query, &own)?)),
                    Expr::Exists(Exists { subquery, negated }) => {
                        Transformed::yes(Expr::Exists(Exists { subquery: self.query(subquery, &own)?, negated }))
                    }
                    Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
                        let subquery = self.query(subquery, &own)?;
                        Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated }))
                    }
                    Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) => {
                        let subquery = self.query(subquery, &own)?;
                        Transformed::yes(Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }))
                    }
                    other => self.column(other),
                })
            })?;
            Ok(done.update_data(|expr| name.restore(expr)))
        })?;
        if let LogicalPlan::Join(join) = plan.data {
            let right = self.plan(join.right.as_ref().clone(), Some(join.left.schema()))?;
            let left = self.plan(join.left.as_ref().clone(), beside)?;
            return Ok(LogicalPlan::Join(Join { left: Arc::new(left), right: Arc::new(right), ..join }));
        }
        Ok(plan.data.map_children(|input| Ok(Transformed::yes(self.plan(input, beside)?)))?.data)
    }
}
