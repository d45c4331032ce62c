//! DuckDB's `SEMI JOIN` and `ANTI JOIN`; and subqueries in the condition of an inner join, `a JOIN b ON a.x > ALL (SELECT …)`: they
//! move to WHERE, where they keep the same rows and may name columns of both sides.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, Query, Select, Visitor};

use super::ast::{and, boolean, contains};
use crate::syntax::visitor::visit;

/// Names the side that a SEMI or ANTI JOIN keeps: the left one.
pub(super) fn name_kept_side(select: &mut Select) {
    for join in select.from.iter_mut().flat_map(|table| &mut table.joins) {
        join.join_operator = match &join.join_operator {
            JoinOperator::Semi(on) => JoinOperator::LeftSemi(on.clone()),
            JoinOperator::Anti(on) => JoinOperator::LeftAnti(on.clone()),
            _ => continue,
        };
    }
}

/// Moves conditions with subqueries to WHERE where they mean the same there.
pub(super) fn move_subqueries_to_where(select: &mut Select) {
    let is_only_table = select.from.len() == 1;
    let mut moved = Vec::new();
    for joins in select.from.iter_mut().map(|table| &mut table.joins) {
        let last = joins.len().saturating_sub(1);
        // A later join that adds rows with nulls on its left side: the condition does not apply to them.
        let first = joins.iter().rposition(|join| fills_left_side(&join.join_operator)).map_or(0, |index| index + 1);
        for (index, join) in joins.iter_mut().enumerate().skip(first) {
            let (JoinOperator::Join(JoinConstraint::On(condition))
            | JoinOperator::Inner(JoinConstraint::On(condition))) = &mut join.join_operator
            else {
                continue;
            };
            // A name without its table may also be one of a later table.
            let is_last = is_only_table && index == last;
            let movable = |part: &Expr| has_subquery(part) && (is_last || names_tables(part));
            let (movable, rest): (Vec<Expr>, Vec<Expr>) = conjuncts(condition.clone()).into_iter().partition(movable);
            if !movable.is_empty() {
                *condition = rest.into_iter().reduce(and).unwrap_or_else(|| boolean(true));
                moved.extend(movable);
            }
        }
    }
    if !moved.is_empty() {
        select.selection = select.selection.take().into_iter().chain(moved).reduce(and);
    }
}

fn fills_left_side(operator: &JoinOperator) -> bool {
    use JoinOperator::{CrossJoin, Inner, Join, Left, LeftOuter};
    !matches!(operator, Join(_) | Inner(_) | CrossJoin(_) | Left(_) | LeftOuter(_))
}

/// The conditions between the ANDs.
fn conjuncts(condition: Expr) -> Vec<Expr> {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            let mut all = conjuncts(*left);
            all.extend(conjuncts(*right));
            all
        }
        Expr::Nested(inner) if matches!(*inner, Expr::BinaryOp { op: BinaryOperator::And, .. }) => conjuncts(*inner),
        other => vec![other],
    }
}

fn has_subquery(expr: &Expr) -> bool {
    struct Queries;
    impl Visitor for Queries {
        type Break = ();

        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    visit(expr, &mut Queries).is_break()
}

/// Whether each column in an expression has its table before it.
fn names_tables(expr: &Expr) -> bool {
    !contains(expr, |part| matches!(part, Expr::Identifier(_)))
}
