//! Joins that only ask whether a row has a partner: `in (select …)`, `exists (…)` and their opposites. A hash join makes all
//! pairs first and then drops all but one of a row: rows of both sides that share a busy key are multiplied. So the side
//! that is asked has one row a key.
//!
//! - Where the keys are all that is compared, its rows are grouped by them.
//! - One comparison beside the keys (`exists (… where y.token = x.token and y.number < x.number)`) holds of some row with the
//!   key if it holds of the least or of the greatest: the rows are grouped to that one.
//! - Two comparisons hold for some row if they hold for one of the pairs of values that no other pair beats in both,
//!   [`pareto_frontier`]. If one of them is `<>`, two rows are enough: the best one, and the best with another value,
//!   [`best_and_second_best`].
//! - What a partner answers by itself with yes or no (`x.to is null or y.to is null`) is one more key to group by.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::functions_aggregate::min_max::{max, min};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, Join, JoinType, LogicalPlan, LogicalPlanBuilder, Operator,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::unused_joins::{is_unique_on, place};
use crate::sql_extensions::subqueries::contains_subquery;
use quarry_functions::{
    best_and_second_best, best_and_second_best_reaches, has_order, pareto_frontier, pareto_frontier_reaches,
};
use quarry_types::byte_columns::is_bytes;

/// What the least and the greatest value of a key are called, its pairs, its two rows, and what its rows answer by themselves.
const LEAST: &str = "__least";
const GREATEST: &str = "__greatest";
const STAIRS: &str = "__frontier";
const TWO: &str = "__best_two";
const ANSWER: &str = "__partner_says";

/// Most answers that rows are grouped by: each may double the rows of a key.
const MOST_ANSWERS: usize = 4;

/// Runs when conditions are where they belong and the keys are known.
#[derive(Debug)]
pub struct DeduplicateSemiJoinBuild;

impl OptimizerRule for DeduplicateSemiJoinBuild {
    fn name(&self) -> &str {
        "deduplicate_semi_join_build"
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

/// Whether a join asks for partners, of which a row may have several.
fn is_asked(join: &Join) -> bool {
    let kind = matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark);
    let right = join.right.schema();
    let keys: HashSet<usize> = join.on.iter().filter_map(|(_, key)| place(key, right)).collect();
    kind && !is_unique_on(&join.right, &keys, &HashSet::new())
}

/// The columns of the side that is asked which its keys are made of; `None` where they are not the same each time.
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

/// Whether a plan has one row a key because it was grouped here: the rules run several times.
fn is_grouped(plan: &LogicalPlan, keys: &[Expr]) -> bool {
    matches!(plan, LogicalPlan::Aggregate(groups) if groups.aggr_expr.is_empty()
        && groups.group_expr.len() == keys.len()
        && groups.group_expr.iter().all(|key| keys.contains(key)))
}

fn grouped(join: Join) -> Result<Transformed<LogicalPlan>> {
    let found = key_columns(&join).filter(|keys| !is_grouped(&join.right, keys)).zip(Condition::of(&join));
    let Some((keys, Condition { mut told, answers, comparisons })) = found else {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    };
    let table = table_of(join.right.schema());
    let named = answers.into_iter().enumerate().map(|(at, answer)| {
        let name = answer_name(at);
        answer.alias_qualified(table.clone(), name)
    });
    let groups: Vec<Expr> = keys.into_iter().chain(named).collect();
    let (best, condition) = best(comparisons, table.as_ref());
    if groups.is_empty() && best.is_empty() {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    told.extend(condition);
    let count = groups.len();
    let (best, names): (Vec<Expr>, Vec<&str>) = best.into_iter().unzip();
    let right = LogicalPlanBuilder::from(Arc::clone(&join.right)).aggregate(groups, best)?;
    let mut columns: Vec<Expr> = right.schema().columns().into_iter().map(Expr::Column).collect();
    let right = if names.is_empty() {
        right.build()?
    } else {
        let best = columns.split_off(count);
        columns.extend(best.into_iter().zip(names).map(|(best, name)| best.alias_qualified(table.clone(), name)));
        right.project(columns)?.build()?
    };
    let (right, filter) = (Arc::new(right), conjunction(told));
    Ok(Transformed::yes(LogicalPlan::Join(Join { right, filter, ..join })))
}

/// The only table of the columns of a side. The column that a mark join adds is called after it, so that several of them are told
/// apart.
fn table_of(side: &DFSchema) -> Option<TableReference> {
    let mut tables = side.iter().filter_map(|(table, _)| table);
    let first = tables.next()?;
    tables.all(|table| table == first).then(|| first.clone())
}

fn answer_name(at: usize) -> String {
    format!("{ANSWER}_{at}")
}

/// What is kept of the values that are compared, with its names, and the condition on it.
fn best(comparisons: Vec<Comparison>, table: Option<&TableReference>) -> (Vec<(Expr, &'static str)>, Option<Expr>) {
    let column = |name: &str| Expr::Column(Column::new(table.cloned(), name));
    match <[Comparison; 2]>::try_from(comparisons) {
        Ok([differing, ordered] | [ordered, differing]) if differing.op == Operator::NotEq => {
            let kept = best_and_second_best(ordered.compared, differing.compared, ordered.op);
            let reaches = best_and_second_best_reaches(column(TWO), ordered.value, differing.value, ordered.op);
            (vec![(kept, TWO)], Some(reaches))
        }
        Ok([one, other]) => {
            let ops = [one.op, other.op];
            let pairs = pareto_frontier([one.compared, other.compared], ops);
            let reaches = pareto_frontier_reaches(column(STAIRS), [one.value, other.value], ops);
            (vec![(pairs, STAIRS)], Some(reaches))
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

/// What a join asks of a partner beside its keys.
#[derive(Default)]
struct Condition {
    /// Parts that ask only what partners answer by themselves, by the names of these answers.
    told: Vec<Expr>,
    answers: Vec<Expr>,
    /// One comparison, or two, one of which may be `<>`.
    comparisons: Vec<Comparison>,
}

/// A value of the row that asks, an operator, and a value of the partner.
struct Comparison {
    value: Expr,
    op: Operator,
    compared: Expr,
}

impl Condition {
    /// `None` for what can't be told of groups.
    fn of(join: &Join) -> Option<Condition> {
        let Some(filter) = &join.filter else { return Some(Condition::default()) };
        let own = |name: &str| [LEAST, GREATEST, STAIRS, TWO].contains(&name) || name.starts_with(ANSWER);
        let made = |schema: &DFSchema| schema.fields().iter().any(|field| own(field.name()));
        let known = made(join.left.schema()) || made(join.right.schema());
        if known || join.null_aware || contains_subquery(filter) || filter.is_volatile() {
            return None;
        }
        let mut condition = Condition::default();
        for part in split_conjunction(filter) {
            match comparison(part, join) {
                Some(comparison) => condition.comparisons.push(comparison),
                None => condition.tell(part, join)?,
            }
        }
        let fit = match condition.comparisons.as_slice() {
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
        (fit && condition.answers.len() <= MOST_ANSWERS).then_some(condition)
    }

    /// Takes a part of the condition in which all that a partner is asked is a truth of its own.
    fn tell(&mut self, part: &Expr, join: &Join) -> Option<()> {
        let (asking, asked) = (join.left.schema(), join.right.schema());
        let answers = &mut self.answers;
        let told = part.clone().transform_down(|part| {
            let own = part.get_type(asked).is_ok_and(|kind| kind == DataType::Boolean);
            if !own || part.column_refs().is_empty() || !is_of(&part, asked) {
                return Ok(Transformed::no(part));
            }
            let at = answers.iter().position(|known| *known == part).unwrap_or_else(|| {
                answers.push(part);
                answers.len() - 1
            });
            let answer = Expr::Column(Column::new(table_of(asked), answer_name(at)));
            Ok(Transformed::new(answer, true, TreeNodeRecursion::Jump))
        });
        let told = told.ok()?.data;
        let rest = |column: &Column| asking.has_column(column) || column.name.starts_with(ANSWER);
        told.column_refs().into_iter().all(rest).then(|| self.told.push(told.clone()))
    }
}

impl Comparison {
    /// Whether pareto_frontiers can be made of its values.
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

/// A comparison with a value of the partner that has a least and a greatest.
fn comparison(part: &Expr, join: &Join) -> Option<Comparison> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = part else { return None };
    let (asking, asked) = (join.left.schema(), join.right.schema());
    let (value, op, compared) =
        match (is_of(left, asking) && is_of(right, asked), is_of(right, asking) && is_of(left, asked)) {
            (true, false) => (left, *op, right),
            (false, true) => (right, op.swap()?, left),
            _ => return None,
        };
    let ordered = matches!(op, Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq | Operator::NotEq);
    let kind = compared.get_type(asked).ok()?;
    let told = kind.is_integer()
        || kind.is_decimal()
        || matches!(kind, DataType::Timestamp(..) | DataType::Date32 | DataType::Utf8View)
        || op == Operator::NotEq && is_bytes(&kind);
    let some = !compared.column_refs().is_empty();
    (ordered && told && some).then(|| Comparison {
        value: value.as_ref().clone(),
        op,
        compared: compared.as_ref().clone(),
    })
}
