//! Comparisons of rows, `(a, b) = (1, 2)`, `(a, b) IN ((1, 2), …)` and `(a, b) NOT IN (SELECT …)`, value by value. If the other
//! values are equal, a null makes the result unknown; the planner takes such rows for different.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, Ident, Query, Select, SelectItem, UnaryOperator, Value,
    VisitorMut,
};

use super::ast::{
    arguments_of, boolean, case, derived, from_one, is_named, negated_if, nested, not, number, query_of, table_alias,
    value,
};
use crate::expansion::Growth;
use crate::syntax::visitor::{Node, visit_mut};
use quarry_types::Error;

/// The most rows of a list that are compared one by one; a longer list is looked up as a whole.
const MAX_ROWS: usize = 1_000;

/// The most values of a row for which each combination of nulls is a query of its own.
const MAX_KEYS: usize = 3;

/// The alias of the query behind IN, and the prefix of its columns.
const ROWS: &str = "__rows_in";

/// Compares rows value by value.
pub(super) fn compare_values(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    match expr {
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
            if let (Some(left), Some(right)) = (row_values(left), row_values(right))
                && left.len() == right.len()
            {
                *expr = negated_if(*op == BinaryOperator::NotEq, equal_rows(&left, &right));
            }
        }
        Expr::InList { expr: row, list, negated } if list.len() <= MAX_ROWS => {
            let Some(values) = row_values(row) else { return ControlFlow::Continue(()) };
            let rows = list.iter().map(|item| row_values(item).filter(|item| item.len() == values.len()));
            let Some(rows) = rows.collect::<Option<Vec<_>>>() else { return ControlFlow::Continue(()) };
            growth.copies(row, rows.len())?;
            let equal = rows.iter().map(|item| equal_rows(&values, item)).collect();
            *expr = negated_if(*negated, joined(equal, &BinaryOperator::Or));
        }
        _ => {}
    }
    ControlFlow::Continue(())
}

/// The values of `(a, b)` or `row(a, b)`.
fn row_values(expr: &Expr) -> Option<Vec<&Expr>> {
    match expr {
        Expr::Tuple(values) => Some(values.iter().collect()),
        Expr::Function(Function { name, args: FunctionArguments::List(list), over: None, filter: None, .. })
            if is_named(name, "row") && !list.args.is_empty() =>
        {
            arguments_of(list)
        }
        Expr::Nested(inner) => row_values(inner),
        _ => None,
    }
}

fn equal_rows(left: &[&Expr], right: &[&Expr]) -> Expr {
    let equal = left.iter().zip(right).map(|(left, right)| equal((*left).clone(), (*right).clone()));
    joined(equal.collect(), &BinaryOperator::And)
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// Conditions joined by one operator, as a balanced tree.
fn joined(mut conditions: Vec<Expr>, op: &BinaryOperator) -> Expr {
    match conditions.len() {
        0 => boolean(true),
        1 => nested(conditions.remove(0)),
        count => {
            let second = conditions.split_off(count / 2);
            nested(binary(joined(conditions, op), op.clone(), joined(second, op)))
        }
    }
}

/// Looks rows up in subqueries with EXISTS.
pub(super) fn look_up(select: &mut Select) {
    select.projection.iter_mut().for_each(look_up_values);
    select.selection.iter_mut().chain(&mut select.having).chain(&mut select.qualify).for_each(look_up_condition);
}

/// Changes look-ups in a condition. Between AND and OR null and false have the same effect, so that fewer queries are enough.
fn look_up_condition(expr: &mut Expr) {
    if let Some((lookup, negated)) = Lookup::from_expr(expr) {
        *expr = match negated {
            true => joined(lookup.possible_matches().into_iter().map(not).collect(), &BinaryOperator::And),
            false => lookup.exists(|_| false, equal),
        };
        return;
    }
    match expr {
        Expr::Nested(inner) => look_up_condition(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
            look_up_condition(left);
            look_up_condition(right);
        }
        other => look_up_values(other),
    }
}

/// Changes look-ups whose result may be null.
fn look_up_values(node: &mut impl Node) {
    // The visitor never breaks off.
    let _ = visit_mut(node, &mut Lookups);
}

struct Lookups;

impl VisitorMut for Lookups {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Some((lookup, negated)) = Lookup::from_expr(expr) {
            *expr = lookup.result(negated);
        }
        ControlFlow::Continue(())
    }
}

/// A row, and the query in which it is looked up.
struct Lookup<'a> {
    values: &'a [Expr],
    rows: &'a Query,
}

impl<'a> Lookup<'a> {
    /// The look-up of `row IN (SELECT …)`, and whether it is negated.
    fn from_expr(expr: &'a Expr) -> Option<(Lookup<'a>, bool)> {
        match expr {
            Expr::InSubquery { expr: row, subquery, negated } => match row.as_ref() {
                Expr::Tuple(values) => Some((Lookup { values, rows: subquery }, *negated)),
                _ => None,
            },
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let mut inner = expr.as_ref();
                while let Expr::Nested(nested) = inner {
                    inner = nested;
                }
                let is_lookup = matches!(inner, Expr::InSubquery { .. });
                is_lookup.then(|| Lookup::from_expr(inner))?.map(|(lookup, negated)| (lookup, !negated))
            }
            _ => None,
        }
    }

    /// Whether there is such a row; null if a null leaves that unknown.
    fn result(&self, negated: bool) -> Expr {
        let mut possible = self.possible_matches();
        let found = if possible.len() > 1 { possible.remove(0) } else { self.exists(|_| false, equal) };
        let possible = joined(possible, &BinaryOperator::Or);
        let unknown = case(possible, value(Value::Null), Some(boolean(negated)));
        nested(case(found, boolean(!negated), Some(unknown)))
    }

    /// Whether there is such a row, and whether there may be one: a condition for each combination of values that may be null.
    /// In each the other values are equal, so that rows are found by keys. Of many values there are too many combinations; then
    /// it is one condition.
    fn possible_matches(&self) -> Vec<Expr> {
        let count = self.values.len();
        if count > MAX_KEYS {
            return vec![self.exists(|_| true, may_be_equal)];
        }
        let is_unknown = |combination: usize| move |index: usize| combination >> index & 1 == 1;
        (0..1 << count).map(|combination| self.exists(is_unknown(combination), has_null)).collect()
    }

    /// Whether there is a row whose values are equal, or meet another condition where `is_other` says so.
    fn exists(&self, is_other: impl Fn(usize) -> bool, other: fn(Expr, Expr) -> Expr) -> Expr {
        let name = |index: usize| Ident::new(format!("{ROWS}_{index}"));
        let column = |index: usize| Expr::CompoundIdentifier(vec![Ident::new(ROWS), name(index)]);
        let conditions = self.values.iter().enumerate().map(|(index, value)| {
            let condition = if is_other(index) { other } else { equal };
            condition(value.clone(), column(index))
        });
        let selection = joined(conditions.collect(), &BinaryOperator::And);
        let alias = table_alias(Ident::new(ROWS), (0..self.values.len()).map(name));
        let from = from_one(derived(self.rows.clone(), alias));
        let query = query_of(vec![SelectItem::UnnamedExpr(number(1))], from, Some(selection));
        Expr::Exists { subquery: Box::new(query), negated: false }
    }
}

fn equal(value: Expr, column: Expr) -> Expr {
    binary(value, BinaryOperator::Eq, column)
}

/// Whether one of two values is null.
fn has_null(value: Expr, column: Expr) -> Expr {
    let is_null = |value: Expr| Expr::IsNull(Box::new(value));
    nested(binary(is_null(value), BinaryOperator::Or, is_null(column)))
}

/// Whether two values are equal or one is null.
fn may_be_equal(value: Expr, column: Expr) -> Expr {
    let equal = equal(value.clone(), column.clone());
    nested(binary(equal, BinaryOperator::Or, has_null(value, column)))
}
