//! Joins that only ask whether a row has a partner: `in (select …)`, `exists (…)` and their opposites. A hash join makes all
//! pairs first and then drops all but one of a row: rows of both sides that share a busy key are multiplied. So the side
//! that is asked has one row a key.
//!
//! - Where the keys are all that is compared, its rows are grouped by them.
//! - One comparison beside the keys (`exists (… where y.token = x.token and y.number < x.number)`) holds of some row with the
//!   key if it holds of the least or of the greatest: the rows are grouped to that one.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::functions_aggregate::min_max::{max, min};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Operator,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::subqueries::asks;
use super::unused::{place, tells_apart};

/// What the least and the greatest value of a key are called.
const LEAST: &str = "__least";
const GREATEST: &str = "__greatest";

/// Runs when conditions are where they belong and the keys are known.
#[derive(Debug)]
pub(super) struct OnePartner;

impl OptimizerRule for OnePartner {
    fn name(&self) -> &str {
        "one_partner"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        match plan {
            LogicalPlan::Join(join) if is_asked(&join) => grouped(join),
            plan => Ok(Transformed::no(plan)),
        }
    }
}

/// Whether a join asks for partners by keys, of which a row may have several.
fn is_asked(join: &Join) -> bool {
    let kind = matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark);
    let right = join.right.schema();
    let keys: HashSet<usize> = join.on.iter().filter_map(|(_, key)| place(key, right)).collect();
    kind && !join.on.is_empty() && !tells_apart(&join.right, &keys, &HashSet::new())
}

/// The columns of the side that is asked which its keys are made of; `None` where they are not the same each time.
fn key_columns(join: &Join) -> Option<Vec<Expr>> {
    let mut columns: Vec<Expr> = Vec::new();
    for (_, key) in &join.on {
        if key.is_volatile() || asks(key) {
            return None;
        }
        for column in key.column_refs() {
            let column = Expr::Column(column.clone());
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    (!columns.is_empty()).then_some(columns)
}

/// Whether a plan has one row a key because it was grouped here: the rules run several times.
fn is_grouped(plan: &LogicalPlan, keys: &[Expr]) -> bool {
    matches!(plan, LogicalPlan::Aggregate(groups) if groups.aggr_expr.is_empty()
        && groups.group_expr.len() == keys.len()
        && groups.group_expr.iter().all(|key| keys.contains(key)))
}

fn grouped(join: Join) -> Result<Transformed<LogicalPlan>> {
    let Some(keys) = key_columns(&join).filter(|keys| !is_grouped(&join.right, keys)) else {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    };
    let right = LogicalPlanBuilder::from(Arc::clone(&join.right));
    let (right, filter) = match &join.filter {
        None => (right.aggregate(keys, Vec::<Expr>::new())?.build()?, None),
        Some(filter) => {
            let Some((value, op, compared)) = comparison(filter, &join) else {
                return Ok(Transformed::no(LogicalPlan::Join(join)));
            };
            let (least, greatest) = (min(compared.clone()), max(compared));
            let ends = match op {
                Operator::Lt | Operator::LtEq => vec![(greatest, GREATEST)],
                Operator::Gt | Operator::GtEq => vec![(least, LEAST)],
                _ => vec![(least, LEAST), (greatest, GREATEST)],
            };
            let conditions = ends.iter().map(|(_, name)| {
                let end = Expr::Column(Column::new_unqualified(*name));
                Expr::BinaryExpr(BinaryExpr::new(Box::new(value.clone()), op, Box::new(end)))
            });
            let filter = conditions.reduce(Expr::or);
            let (ends, names): (Vec<Expr>, Vec<&str>) = ends.into_iter().unzip();
            let right = right.aggregate(keys.clone(), ends)?;
            let found = right.schema().columns().split_off(keys.len());
            let named = found.into_iter().zip(names).map(|(end, name)| Expr::Column(end).alias(name));
            (right.project(keys.iter().cloned().chain(named).collect::<Vec<Expr>>())?.build()?, filter)
        }
    };
    let right = Arc::new(right);
    Ok(Transformed::yes(LogicalPlan::Join(Join { right, filter, ..join })))
}

/// A condition as a value of the row that asks, an operator, and a value of the partner that has a least and a greatest.
fn comparison(filter: &Expr, join: &Join) -> Option<(Expr, Operator, Expr)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    if join.null_aware || asks(filter) || filter.is_volatile() {
        return None;
    }
    let of = |expr: &Expr, schema: &DFSchema| expr.column_refs().iter().all(|column| schema.has_column(column));
    let (asking, asked) = (join.left.schema(), join.right.schema());
    let (value, op, compared) = match (of(left, asking) && of(right, asked), of(right, asking) && of(left, asked)) {
        (true, false) => (left, *op, right),
        (false, true) => (right, op.swap()?, left),
        _ => return None,
    };
    let ordered = matches!(op, Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq | Operator::NotEq);
    let kind = compared.get_type(asked).ok()?;
    let told = kind.is_integer()
        || kind.is_decimal()
        || matches!(kind, DataType::Timestamp(..) | DataType::Date32 | DataType::Utf8View);
    let named = |schema: &DFSchema| [LEAST, GREATEST].iter().any(|end| schema.has_column_with_unqualified_name(end));
    let free = !named(asking) && !named(asked);
    (ordered && told && free).then(|| (value.as_ref().clone(), op, compared.as_ref().clone()))
}
