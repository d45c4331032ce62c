//! Walks over plans and expressions with subqueries.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::logical_expr::expr::{Exists, InSubquery, SetComparison};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// The subquery of an expression, if it has one itself.
pub(crate) fn subquery_of(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::ScalarSubquery(subquery)
        | Expr::Exists(Exists { subquery, .. })
        | Expr::InSubquery(InSubquery { subquery, .. })
        | Expr::SetComparison(SetComparison { subquery, .. }) => Some(subquery),
        _ => None,
    }
}

/// Rewrites the subquery of an expression, if it has one itself.
pub(crate) fn map_subquery(
    expr: Expr,
    rewrite: impl FnOnce(Subquery) -> Result<Transformed<Subquery>>,
) -> Result<Transformed<Expr>> {
    Ok(match expr {
        Expr::ScalarSubquery(subquery) => rewrite(subquery)?.update_data(Expr::ScalarSubquery),
        Expr::Exists(Exists { subquery, negated }) => {
            rewrite(subquery)?.update_data(|subquery| Expr::Exists(Exists { subquery, negated }))
        }
        Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
            rewrite(subquery)?.update_data(|subquery| Expr::InSubquery(InSubquery { expr, subquery, negated }))
        }
        Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) => rewrite(subquery)?
            .update_data(|subquery| Expr::SetComparison(SetComparison { expr, subquery, op, quantifier })),
        other => Transformed::no(other),
    })
}

/// Whether an expression contains a subquery.
pub(crate) fn contains_subquery(expr: &Expr) -> bool {
    expr.exists(|part| Ok(subquery_of(part).is_some())).unwrap_or(true)
}

/// Whether a node of a plan or of its subqueries passes a test.
pub(crate) fn any_node(plan: &LogicalPlan, mut test: impl FnMut(&LogicalPlan) -> Result<bool>) -> Result<bool> {
    let stopped =
        plan.apply_deep(|node| Ok(if test(node)? { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue }))?;
    Ok(stopped == TreeNodeRecursion::Stop)
}

/// Whether a part of an expression of a node passes a test.
pub(crate) fn any_expression(node: &LogicalPlan, test: impl Fn(&Expr) -> bool) -> Result<bool> {
    let stopped = node.apply_exprs(|expr| {
        Ok(if expr.exists(|part| Ok(test(part)))? { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(stopped == TreeNodeRecursion::Stop)
}

/// The only qualifier of the columns of a side of a join. The column that a mark join adds gets it, which distinguishes several of
/// them.
pub(crate) fn table_of(side: &DFSchema) -> Option<TableReference> {
    let mut tables = side.iter().filter_map(|(table, _)| table);
    let first = tables.next()?;
    tables.all(|table| table == first).then(|| first.clone())
}

/// All columns of a schema.
pub(crate) fn all_columns(schema: &Arc<DFSchema>) -> Vec<Expr> {
    schema.columns().into_iter().map(Expr::Column).collect()
}

/// Whether a subquery refers to columns of rows outside of it.
pub(crate) fn refers_outside(query: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    for_each_outer_column(query, &mut |_, _| {
        found = true;
        Ok(())
    })?;
    Ok(found)
}

/// Calls `found` for each outer column of a subquery, with the number of subqueries in between. A reference means the nearest
/// outer rows that have such a column: a table inside may have the name of one outside.
pub(crate) fn for_each_outer_column(
    query: &LogicalPlan,
    found: &mut dyn FnMut(&Column, usize) -> Result<()>,
) -> Result<()> {
    Walk { scopes: Vec::new(), depth: 0, found }.plan(query, None)
}

struct Walk<'a> {
    /// The schemas of the rows around the current node, inside of the subquery.
    scopes: Vec<DFSchema>,
    depth: usize,
    found: &'a mut dyn FnMut(&Column, usize) -> Result<()>,
}

impl Walk<'_> {
    /// `left` is the left side of the join whose right side the plan is.
    fn plan(&mut self, plan: &LogicalPlan, left: Option<&DFSchema>) -> Result<()> {
        if let LogicalPlan::Subquery(lateral) = plan {
            return match left {
                Some(left) => self.within(left.clone(), &lateral.subquery),
                None => self.plan(&lateral.subquery, None),
            };
        }
        let own = merge_schema(&plan.inputs());
        plan.apply_exprs(|expr| {
            expr.apply(|part| {
                if let Expr::OuterReferenceColumn(_, column) = part
                    && !self.scopes.iter().any(|scope| scope.has_column(column))
                {
                    (self.found)(column, self.depth)?;
                }
                if let Some(query) = subquery_of(part) {
                    self.depth += 1;
                    self.within(own.clone(), &query.subquery)?;
                    self.depth -= 1;
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })?;
        if let LogicalPlan::Join(join) = plan {
            self.plan(&join.left, left)?;
            return self.plan(&join.right, Some(join.left.schema()));
        }
        plan.inputs().into_iter().try_for_each(|input| self.plan(input, left))
    }

    fn within(&mut self, outer: DFSchema, query: &LogicalPlan) -> Result<()> {
        self.scopes.push(outer);
        self.plan(query, None)?;
        self.scopes.pop();
        Ok(())
    }
}
