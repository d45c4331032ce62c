//! `x < any (select …)` and `x < all (select …)` as whether there are rows for which it holds, or nobody knows. The stock rule says
//! so when queries are joined already, and takes the names of columns away.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{Exists, SetComparison, SetQuantifier};
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery, binary_expr, when};
use datafusion::prelude::lit;

use super::build;
use super::domain::from_inside;
use quarry_functions::pass::every_part;

/// The plan without such comparisons, but for those with a query in what is compared.
pub(super) fn as_rows(plan: LogicalPlan) -> Result<LogicalPlan> {
    if !compares(&plan)? {
        return Ok(plan);
    }
    every_part(plan, |expr, around| match expr {
        Expr::SetComparison(comparison) => Ok(match answer(&comparison, around)? {
            Some(answer) => Transformed::yes(answer),
            None => Transformed::no(Expr::SetComparison(comparison)),
        }),
        other => Ok(Transformed::no(other)),
    })
}

fn compares(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|step| {
        step.apply_expressions(|expr| {
            found |= expr.exists(|part| Ok(matches!(part, Expr::SetComparison(_))))?;
            Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        })
    })?;
    Ok(found)
}

fn answer(comparison: &SetComparison, around: &DFSchema) -> Result<Option<Expr>> {
    let SetComparison { expr, subquery, op, quantifier } = comparison;
    let Some(value) = from_inside(expr.as_ref().clone(), around)? else { return Ok(None) };
    let row = Expr::Column(Column::from(subquery.subquery.schema().qualified_field(0)));
    let compared = binary_expr(value, *op, row);
    let (told, answer) = match quantifier {
        SetQuantifier::Any => (compared.clone().is_true(), true),
        SetQuantifier::All => (compared.clone().is_false(), false),
    };
    let answer = when(exists(subquery, told)?, lit(answer))
        .when(exists(subquery, compared.is_null())?, lit(ScalarValue::Boolean(None)))
        .otherwise(lit(!answer))?;
    Ok(Some(answer))
}

/// Whether a query has rows of a kind.
fn exists(rows: &Subquery, condition: Expr) -> Result<Expr> {
    let plan = build::filter(rows.subquery.as_ref().clone(), condition)?;
    let outer_ref_columns = plan.all_out_ref_exprs();
    let subquery = Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: rows.spans.clone() };
    Ok(Expr::Exists(Exists { subquery, negated: false }))
}
