//! Semi, anti and mark joins: `in (select …)`, `exists (…)` and their opposites. A hash join makes all
//! pairs first and then drops all but one of a row: rows of both sides that share a frequent key are multiplied. So the right side
//! is grouped to one row a key.
//!
//! - Without a filter its rows are grouped by the keys.
//! - One comparison beside the keys (`exists (… where y.token = x.token and y.number < x.number)`) holds for some row with the
//!   key if it holds for the least or the greatest value: these are kept.
//! - Two comparisons hold for some row if they hold for one of the pairs of values that no other pair beats in both,
//!   [`pareto_frontier`]. If one of them is `<>`, two rows are enough: the best one, and the best with another value,
//!   [`best_and_second_best`].
//! - A condition on the right side alone (`y.to is null` of `x.to is null or y.to is null`) is one more key to group by.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::functions_aggregate::min_max::{max, min};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Operator,
};

use super::unused_joins::{column_index, is_unique_on};
use crate::subqueries::{all_columns, contains_subquery, table_of};
use quarry_functions::tree_walk::TreeWalk;
use quarry_functions::{
    best_and_second_best, best_and_second_best_reaches, has_order, pareto_frontier, pareto_frontier_reaches,
};
use quarry_types::byte_columns::is_bytes;

/// Names of the columns with the least and the greatest value of a key, the pairs of its frontier, its two best rows, and the values of
/// conditions on the right side alone.
const LEAST: &str = "__least";
const GREATEST: &str = "__greatest";
const FRONTIER: &str = "__frontier";
const BEST_TWO: &str = "__best_two";
const CONDITION: &str = "__right_condition";

/// Most conditions that rows are grouped by: each may double the rows of a key.
const MAX_CONDITIONS: usize = 4;

/// Runs when filters are where they are evaluated and the join keys are known.
pub(crate) fn deduplicate_semi_join_build(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Join(join) if has_duplicate_matches(&join) => group_right_side(join),
        plan => Ok(Transformed::no(plan)),
    }
}

/// Whether a join only checks for matches, of which a row may have several.
fn has_duplicate_matches(join: &Join) -> bool {
    let is_check = matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark);
    let right = join.right.schema();
    let keys: HashSet<usize> = join.on.iter().filter_map(|(_, key)| column_index(key, right)).collect();
    is_check && !is_unique_on(&join.right, &keys, &HashSet::new())
}

/// The columns of the right side in its keys; `None` where a key is volatile or has a subquery.
fn key_columns(join: &Join) -> Option<Vec<Expr>> {
    let mut columns: Vec<Expr> = Vec::new();
    for (_, key) in &join.on {
        if key.is_volatile() || contains_subquery(key) {
            return None;
        }
        for column in key.column_refs() {
            let column = Expr::Column(column.clone());
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    (join.on.is_empty() || !columns.is_empty()).then_some(columns)
}

/// Whether a plan was grouped here before: the optimizer runs its rules several times.
fn is_grouped(plan: &LogicalPlan, keys: &[Expr]) -> bool {
    matches!(plan, LogicalPlan::Aggregate(groups) if groups.aggr_expr.is_empty()
        && groups.group_expr.len() == keys.len()
        && groups.group_expr.iter().all(|key| keys.contains(key)))
}

fn group_right_side(join: Join) -> Result<Transformed<LogicalPlan>> {
    let keys = key_columns(&join).filter(|keys| !is_grouped(&join.right, keys)).zip(Condition::of(&join));
    let Some((keys, Condition { mut filters, conditions, comparisons })) = keys else {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    };
    let table = table_of(join.right.schema());
    let named = conditions.into_iter().enumerate().map(|(index, condition)| {
        let name = condition_name(index);
        condition.alias_qualified(table.clone(), name)
    });
    let groups: Vec<Expr> = keys.into_iter().chain(named).collect();
    let (best, condition) = best(comparisons, table.as_ref());
    if groups.is_empty() && best.is_empty() {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    filters.extend(condition);
    let count = groups.len();
    let (best, names): (Vec<Expr>, Vec<&str>) = best.into_iter().unzip();
    let right = LogicalPlanBuilder::from(Arc::clone(&join.right)).aggregate(groups, best)?;
    let mut columns = all_columns(right.schema());
    let right = if names.is_empty() {
        right.build()?
    } else {
        let best = columns.split_off(count);
        columns.extend(best.into_iter().zip(names).map(|(best, name)| best.alias_qualified(table.clone(), name)));
        right.project(columns)?.build()?
    };
    let (right, filter) = (Arc::new(right), conjunction(filters));
    Ok(Transformed::yes(LogicalPlan::Join(Join { right, filter, ..join })))
}

fn condition_name(index: usize) -> String {
    format!("{CONDITION}_{index}")
}

/// The aggregates over the compared values, with their names, and the condition on them.
fn best(comparisons: Vec<Comparison>, table: Option<&TableReference>) -> (Vec<(Expr, &'static str)>, Option<Expr>) {
    let column = |name: &str| Expr::Column(Column::new(table.cloned(), name));
    match <[Comparison; 2]>::try_from(comparisons) {
        Ok([differing, ordered] | [ordered, differing]) if differing.op == Operator::NotEq => {
            let best_two = best_and_second_best(ordered.compared, differing.compared, ordered.op);
            let reaches = best_and_second_best_reaches(column(BEST_TWO), ordered.value, differing.value, ordered.op);
            (vec![(best_two, BEST_TWO)], Some(reaches))
        }
        Ok([one, other]) => {
            let ops = [one.op, other.op];
            let pairs = pareto_frontier([one.compared, other.compared], ops);
            let reaches = pareto_frontier_reaches(column(FRONTIER), [one.value, other.value], ops);
            (vec![(pairs, FRONTIER)], Some(reaches))
        }
        Err(mut single) => {
            let Some(Comparison { value, op, compared }) = single.pop() else { return (Vec::new(), None) };
            let (least, greatest) = (min(compared.clone()), max(compared));
            let ends = match op {
                Operator::Lt | Operator::LtEq => vec![(greatest, GREATEST)],
                Operator::Gt | Operator::GtEq => vec![(least, LEAST)],
                _ => vec![(least, LEAST), (greatest, GREATEST)],
            };
            let conditions = ends.iter().map(|(_, name)| {
                Expr::BinaryExpr(BinaryExpr::new(Box::new(value.clone()), op, Box::new(column(name))))
            });
            let condition = conditions.reduce(Expr::or);
            (ends, condition)
        }
    }
}

/// The filter of a join beside its keys.
#[derive(Default)]
struct Condition {
    /// Parts that refer to the right side by conditions on it alone, as columns.
    filters: Vec<Expr>,
    /// These conditions.
    conditions: Vec<Expr>,
    /// One comparison, or two, one of which may be `<>`.
    comparisons: Vec<Comparison>,
}

/// A value of the left side, an operator, and a value of the right side.
struct Comparison {
    value: Expr,
    op: Operator,
    compared: Expr,
}

impl Condition {
    /// `None` for filters that can't be evaluated on groups.
    fn of(join: &Join) -> Option<Condition> {
        let Some(filter) = &join.filter else { return Some(Condition::default()) };
        let own = |name: &str| [LEAST, GREATEST, FRONTIER, BEST_TWO].contains(&name) || name.starts_with(CONDITION);
        let is_grouped = |schema: &DFSchema| schema.fields().iter().any(|field| own(field.name()));
        let is_known = is_grouped(join.left.schema()) || is_grouped(join.right.schema());
        if is_known || join.null_aware || contains_subquery(filter) || filter.is_volatile() {
            return None;
        }
        let mut condition = Condition::default();
        for part in split_conjunction(filter) {
            match comparison(part, join) {
                Some(comparison) => condition.comparisons.push(comparison),
                None => condition.add_filter(part, join)?,
            }
        }
        let is_supported = match condition.comparisons.as_slice() {
            [] => true,
            [one] => one.has_ends(join),
            [Comparison { op: Operator::NotEq, .. }, Comparison { op: Operator::NotEq, .. }] => false,
            [differing @ Comparison { op: Operator::NotEq, .. }, ordered]
            | [ordered, differing @ Comparison { op: Operator::NotEq, .. }] => {
                ordered.has_ends(join) && [ordered, differing].iter().all(|side| side.kind(join).is_some())
            }
            [one, other] => one.has_order(join) && other.has_order(join),
            _ => false,
        };
        (is_supported && condition.conditions.len() <= MAX_CONDITIONS).then_some(condition)
    }

    /// Adds a part of the filter that refers to the right side by conditions on it alone; `None` for any other part.
    fn add_filter(&mut self, part: &Expr, join: &Join) -> Option<()> {
        let (left, right) = (join.left.schema(), join.right.schema());
        let conditions = &mut self.conditions;
        let filter = part.clone().transform_down(|part| {
            let is_condition = part.get_type(right).is_ok_and(|kind| kind == DataType::Boolean);
            if !is_condition || part.column_refs().is_empty() || !is_of(&part, right) {
                return Ok(Transformed::no(part));
            }
            let index = conditions.iter().position(|known| *known == part).unwrap_or_else(|| {
                conditions.push(part);
                conditions.len() - 1
            });
            let column = Expr::Column(Column::new(table_of(right), condition_name(index)));
            Ok(Transformed::new(column, true, TreeNodeRecursion::Jump))
        });
        let filter = filter.ok()?.data;
        let is_known = |column: &Column| left.has_column(column) || column.name.starts_with(CONDITION);
        filter.column_refs().into_iter().all(is_known).then(|| self.filters.push(filter.clone()))
    }
}

impl Comparison {
    /// Whether its values can be in a Pareto frontier.
    fn has_order(&self, join: &Join) -> bool {
        self.kind(join).is_some_and(|kind| has_order(&kind))
    }

    /// Whether its values have a least and a greatest one.
    fn has_ends(&self, join: &Join) -> bool {
        self.compared.get_type(join.right.schema()).is_ok_and(|kind| !is_bytes(&kind))
    }

    /// The type of both of its values; `None` where they have two.
    fn kind(&self, join: &Join) -> Option<DataType> {
        let kind = self.compared.get_type(join.right.schema()).ok()?;
        (self.value.get_type(join.left.schema()).ok()? == kind).then_some(kind)
    }
}

/// Whether all columns of an expression are those of one side.
fn is_of(expr: &Expr, side: &DFSchema) -> bool {
    expr.column_refs().into_iter().all(|column| side.has_column(column))
}

/// A comparison of a value of the left side with a value of the right side that has an order.
fn comparison(part: &Expr, join: &Join) -> Option<Comparison> {
    let Expr::BinaryExpr(BinaryExpr { left: a, op, right: b }) = part else { return None };
    let (left, right) = (join.left.schema(), join.right.schema());
    let (value, op, compared) = match (is_of(a, left) && is_of(b, right), is_of(b, left) && is_of(a, right)) {
        (true, false) => (a, *op, b),
        (false, true) => (b, op.swap()?, a),
        _ => return None,
    };
    let is_supported = matches!(op, Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq | Operator::NotEq);
    let kind = compared.get_type(right).ok()?;
    let has_order = kind.is_integer()
        || kind.is_decimal()
        || matches!(kind, DataType::Timestamp(..) | DataType::Date32 | DataType::Utf8View)
        || op == Operator::NotEq && is_bytes(&kind);
    let has_columns = !compared.column_refs().is_empty();
    (is_supported && has_order && has_columns).then(|| Comparison {
        value: value.as_ref().clone(),
        op,
        compared: compared.as_ref().clone(),
    })
}
