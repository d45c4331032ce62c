//! `x < any (select …)` and `x < all (select …)` as EXISTS of rows for which the comparison is true, or null. The stock rule does
//! so when subqueries are joined already, and drops the names of columns; and rules that rewrite comparisons see none in it.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{Exists, SetComparison, SetQuantifier};
use datafusion::logical_expr::{Expr, LogicalPlan, Subquery, binary_expr, when};
use datafusion::optimizer::AnalyzerRule;
use datafusion::prelude::lit;

use super::domain::as_outer_expr;
use super::{build, in_operands};
use crate::subqueries::{any_expression, any_node};
use quarry_functions::plan_rewrite::rewrite_all_expressions;

/// The name of the column that is compared.
const COMPARED: &str = "__compared_row";

/// Runs when types are known, and before comparisons are rewritten.
#[derive(Debug)]
pub struct ReplaceSetComparisons;

impl AnalyzerRule for ReplaceSetComparisons {
    fn name(&self) -> &str {
        "replace_set_comparisons"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        replace_set_comparisons(in_operands::project_operands(plan)?)
    }
}

/// The plan without such comparisons, except for those with a subquery in the operand.
fn replace_set_comparisons(plan: LogicalPlan) -> Result<LogicalPlan> {
    let is_set_comparison = |expr: &Expr| matches!(expr, Expr::SetComparison(_));
    if !any_node(&plan, |node| any_expression(node, is_set_comparison))? {
        return Ok(plan);
    }
    rewrite_all_expressions(plan, |expr, outer| match expr {
        Expr::SetComparison(comparison) => Ok(match as_exists(&comparison, outer)? {
            Some(exists) => Transformed::yes(exists),
            None => Transformed::no(Expr::SetComparison(comparison)),
        }),
        other => Ok(Transformed::no(other)),
    })
}

fn as_exists(comparison: &SetComparison, outer: &DFSchema) -> Result<Option<Expr>> {
    let SetComparison { expr, subquery, op, quantifier } = comparison;
    let Some(value) = as_outer_expr(expr.as_ref().clone(), outer)? else { return Ok(None) };
    // Under a name of its own: where the filter becomes that of a join, the outer column may have the same table and name.
    let row = Expr::Column(Column::from(subquery.subquery.schema().qualified_field(0))).alias(COMPARED);
    let rows = build::project(subquery.subquery.as_ref().clone(), vec![row])?;
    let subquery = &Subquery { subquery: Arc::new(rows), ..subquery.clone() };
    let compared = binary_expr(value, *op, Expr::Column(Column::new_unqualified(COMPARED)));
    let (condition, result) = match quantifier {
        SetQuantifier::Any => (compared.clone().is_true(), true),
        SetQuantifier::All => (compared.clone().is_false(), false),
    };
    let result = when(exists(subquery, condition)?, lit(result))
        .when(exists(subquery, compared.is_null())?, lit(ScalarValue::Boolean(None)))
        .otherwise(lit(!result))?;
    Ok(Some(result))
}

/// Whether a subquery has rows that meet a condition.
fn exists(rows: &Subquery, condition: Expr) -> Result<Expr> {
    let plan = build::filter(rows.subquery.as_ref().clone(), condition)?;
    let outer_ref_columns = plan.all_out_ref_exprs();
    let subquery = Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: rows.spans.clone() };
    Ok(Expr::Exists(Exists { subquery, negated: false }))
}
