//! Rows beside rows: `(a, b) = (1, 2)`, `(a, b) in ((1, 2), …)` and `(a, b) not in (select …)`, value by value. A null
//! inside makes the answer unknown where the rest is the same; the planner takes two rows for different then.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Query, Select, SelectItem, TableAlias, TableAliasColumnDef, TableFactor,
    TableWithJoins, UnaryOperator, Value, VisitMut, VisitorMut,
};

use super::ast::{case, not, number, query_of, truth};
use crate::ast_visitor::visit_mut;
use crate::growth::Growth;
use quarry_types::Error;

/// Most rows of a list that are compared one by one; a longer one is looked up as a whole.
const MOST: usize = 1_000;

/// Most values of a row that are looked for as keys.
const MOST_KEYS: usize = 3;

/// The name of the query behind IN, and of its columns.
const ROWS: &str = "__rows_in";

/// A comparison of rows as comparisons of their values.
pub(super) fn compared(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    match expr {
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
            let (Expr::Tuple(left), Expr::Tuple(right)) = (left.as_ref(), right.as_ref()) else {
                return ControlFlow::Continue(());
            };
            if left.len() == right.len() {
                let same = same(left, right);
                *expr = if *op == BinaryOperator::Eq { same } else { not(same) };
            }
        }
        Expr::InList { expr: row, list, negated } if list.len() <= MOST => {
            let Expr::Tuple(values) = row.as_ref() else { return ControlFlow::Continue(()) };
            let rows: Option<Vec<&Vec<Expr>>> = list
                .iter()
                .map(|item| match item {
                    Expr::Tuple(item) if item.len() == values.len() => Some(item),
                    _ => None,
                })
                .collect();
            let Some(rows) = rows else { return ControlFlow::Continue(()) };
            growth.copies(row, rows.len())?;
            let found = joined(rows.into_iter().map(|item| same(values, item)).collect(), &BinaryOperator::Or);
            *expr = if *negated { not(found) } else { found };
        }
        _ => {}
    }
    ControlFlow::Continue(())
}

fn same(left: &[Expr], right: &[Expr]) -> Expr {
    let each = left.iter().zip(right).map(|(left, right)| plain(left.clone(), BinaryOperator::Eq, right.clone()));
    joined(each.collect(), &BinaryOperator::And)
}

fn plain(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// Truths between one operator, as a tree that is no deeper than it must be.
fn joined(mut truths: Vec<Expr>, op: &BinaryOperator) -> Expr {
    match truths.len() {
        0 => truth(),
        1 => Expr::Nested(Box::new(truths.remove(0))),
        count => {
            let behind = truths.split_off(count / 2);
            Expr::Nested(Box::new(plain(joined(truths, op), op.clone(), joined(behind, op))))
        }
    }
}

/// Rows that are looked for in queries, where the planner does not: behind NOT IN, and as a value that is shown.
pub(super) fn in_queries(select: &mut Select) {
    for item in &mut select.projection {
        shown(item);
    }
    select.having.iter_mut().for_each(shown);
    select.selection.iter_mut().for_each(condition);
}

/// Those in a condition: null is as good as false between AND and OR, so that one question is enough there.
fn condition(expr: &mut Expr) {
    if let Some((row, subquery, negated)) = asked(expr) {
        let Expr::Tuple(values) = row else { return };
        let within = Within { values, rows: subquery };
        *expr = match negated {
            true => joined(within.perhaps().into_iter().map(not).collect(), &BinaryOperator::And),
            false => within.exists(|_| false, equal),
        };
        return;
    }
    match expr {
        Expr::Nested(inner) => condition(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
            condition(left);
            condition(right);
        }
        other => shown(other),
    }
}

/// Those whose answer may be null.
fn shown(part: &mut impl VisitMut) {
    // The visitor never breaks off.
    let _ = visit_mut(part, &mut Shown);
}

struct Shown;

impl VisitorMut for Shown {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Some((Expr::Tuple(values), rows, negated)) = asked(expr) {
            *expr = Within { values, rows }.answer(negated);
        }
        ControlFlow::Continue(())
    }
}

/// A row that an expression looks for, where, and whether it must not be there.
fn asked(expr: &Expr) -> Option<(&Expr, &Query, bool)> {
    match expr {
        Expr::InSubquery { expr: row, subquery, negated } if matches!(row.as_ref(), Expr::Tuple(_)) => {
            Some((row, subquery, *negated))
        }
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
            let mut inner = expr.as_ref();
            while let Expr::Nested(nested) = inner {
                inner = nested;
            }
            match inner {
                Expr::InSubquery { .. } => asked(inner).map(|(row, rows, negated)| (row, rows, !negated)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A row that is looked for, and the query in which it is.
struct Within<'a> {
    values: &'a [Expr],
    rows: &'a Query,
}

impl Within<'_> {
    /// Whether there is such a row, null where nobody knows.
    fn answer(&self, negated: bool) -> Expr {
        let mut perhaps = self.perhaps();
        let found = if perhaps.len() > 1 { perhaps.remove(0) } else { self.exists(|_| false, equal) };
        let told = |truth: bool| Expr::Value(Value::Boolean(truth).into());
        let perhaps = joined(perhaps, &BinaryOperator::Or);
        let unknown = case(perhaps, Expr::Value(Value::Null.into()), Some(told(negated)));
        Expr::Nested(Box::new(case(found, told(!negated), Some(unknown))))
    }

    /// Whether there is such a row, and whether there may be one: asked for each choice of values that nobody knows, so that the
    /// others are equal and rows are found by them. There are many choices of many values; then it is one question.
    fn perhaps(&self) -> Vec<Expr> {
        let count = self.values.len();
        if count > MOST_KEYS {
            return vec![self.exists(|_| true, may_be)];
        }
        let unknown = |choice: usize| move |place: usize| choice >> place & 1 == 1;
        (0..1 << count).map(|choice| self.exists(unknown(choice), is_unknown)).collect()
    }

    /// Whether there is a row of which some values are asked otherwise than by being equal.
    fn exists(&self, is_other: impl Fn(usize) -> bool, other: fn(Expr, Expr) -> Expr) -> Expr {
        let name = |place: usize| Ident::new(format!("{ROWS}_{place}"));
        let columns = (0..self.values.len()).map(|place| TableAliasColumnDef { name: name(place), data_type: None });
        let alias = TableAlias { explicit: true, name: Ident::new(ROWS), columns: columns.collect(), at: None };
        let subquery = Box::new(self.rows.clone());
        let relation = TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None };
        let column = |place: usize| Expr::CompoundIdentifier(vec![Ident::new(ROWS), name(place)]);
        let all = self.values.iter().enumerate().map(|(place, value)| {
            let condition = if is_other(place) { other } else { equal };
            condition(value.clone(), column(place))
        });
        let selection = joined(all.collect(), &BinaryOperator::And);
        let from = vec![TableWithJoins { relation, joins: Vec::new() }];
        let query = query_of(vec![SelectItem::UnnamedExpr(number("1"))], from, Some(selection));
        Expr::Exists { subquery: Box::new(query), negated: false }
    }
}

fn equal(value: Expr, column: Expr) -> Expr {
    plain(value, BinaryOperator::Eq, column)
}

/// Whether nobody knows one of two values.
fn is_unknown(value: Expr, column: Expr) -> Expr {
    let unknown = |value: Expr| Expr::IsNull(Box::new(value));
    Expr::Nested(Box::new(plain(unknown(value), BinaryOperator::Or, unknown(column))))
}

/// Whether two values may be the same: only then the answer is not that there is no such row.
fn may_be(value: Expr, column: Expr) -> Expr {
    let same = equal(value.clone(), column.clone());
    Expr::Nested(Box::new(plain(same, BinaryOperator::Or, is_unknown(value, column))))
}
