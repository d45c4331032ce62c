//! Rewriting the expressions of a plan, for all rules that replace them.

use crate::tree_walk::{PlanWalk, TreeWalk};
use datafusion::common::tree_node::{Transformed, TreeNodeContainer};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, GroupingSet, LogicalPlan};

/// Rewrites every expression, the innermost first; `rewrite` gets the schema of its columns.
pub fn rewrite_all_expressions(
    plan: LogicalPlan,
    rewrite: impl Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<LogicalPlan> {
    let rewrite_node =
        |node| rewrite_node_expressions(node, |expr, schema| expr.transform_up(|inner| rewrite(inner, schema)));
    plan.transform_deep_up(rewrite_node).map(|rewritten| rewritten.data)
}

/// Rewrites the expressions of one node of a plan, each as a whole. They keep their names, by which parent nodes refer to them.
pub fn rewrite_node_expressions(
    plan: LogicalPlan,
    rewrite: impl Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    let mut schema = merge_schema(&plan.inputs());
    if let LogicalPlan::TableScan(scan) = &plan {
        let table = DFSchema::try_from_qualified_schema(scan.table_name.clone(), &scan.source.schema())?;
        schema.merge(&table);
    }
    let names = NamePreserver::new(&plan);
    let renamed = |expr: Expr| {
        let name = names.save(&expr);
        Ok(rewrite(expr, &schema)?.update_data(|expr| name.restore(expr)))
    };
    plan.map_exprs(|expr| match expr {
        // Each of the keys is a column of its own.
        Expr::GroupingSet(GroupingSet::Rollup(keys)) => {
            Ok(keys.map_elements(renamed)?.update_data(|keys| Expr::GroupingSet(GroupingSet::Rollup(keys))))
        }
        Expr::GroupingSet(GroupingSet::Cube(keys)) => {
            Ok(keys.map_elements(renamed)?.update_data(|keys| Expr::GroupingSet(GroupingSet::Cube(keys))))
        }
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            Ok(sets.map_elements(renamed)?.update_data(|sets| Expr::GroupingSet(GroupingSet::GroupingSets(sets))))
        }
        expr => renamed(expr),
    })
}
