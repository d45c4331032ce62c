//! Queries in the condition of an inner join, `a JOIN b ON a.x > ALL (SELECT …)`: they go to WHERE, where the rows that meet are
//! the same and queries may ask for columns of both sides.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, Query, Select, Visitor};

use super::ast::{and, truth};
use crate::ast_visitor::{visit, visit_expressions};

/// Moves them where a condition means the same in WHERE.
pub(super) fn to_where(select: &mut Select) {
    let alone = select.from.len() == 1;
    let mut moved = Vec::new();
    for joins in select.from.iter_mut().map(|table| &mut table.joins) {
        let last = joins.len().saturating_sub(1);
        // What fills the left side up with nulls behind a join makes rows that its condition says nothing of.
        let fills = joins.iter().rposition(|join| fills_left(&join.join_operator)).map_or(0, |place| place + 1);
        for (place, join) in joins.iter_mut().enumerate().skip(fills) {
            let (JoinOperator::Join(JoinConstraint::On(condition))
            | JoinOperator::Inner(JoinConstraint::On(condition))) = &mut join.join_operator
            else {
                continue;
            };
            if !asks(condition) {
                continue;
            }
            // A name without its table may be that of a table behind, too.
            let told = alone && place == last;
            let (ask, stay): (Vec<Expr>, Vec<Expr>) =
                parts(condition.clone()).into_iter().partition(|part| asks(part) && (told || names_tables(part)));
            if !ask.is_empty() {
                *condition = stay.into_iter().reduce(and).unwrap_or_else(truth);
                moved.extend(ask);
            }
        }
    }
    if !moved.is_empty() {
        select.selection = select.selection.take().into_iter().chain(moved).reduce(and);
    }
}

fn fills_left(operator: &JoinOperator) -> bool {
    !matches!(
        operator,
        JoinOperator::Join(_)
            | JoinOperator::Inner(_)
            | JoinOperator::CrossJoin(_)
            | JoinOperator::Left(_)
            | JoinOperator::LeftOuter(_)
    )
}

/// The conditions that ANDs put together.
fn parts(condition: Expr) -> Vec<Expr> {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            let mut all = parts(*left);
            all.extend(parts(*right));
            all
        }
        Expr::Nested(inner) if matches!(*inner, Expr::BinaryOp { op: BinaryOperator::And, .. }) => parts(*inner),
        other => vec![other],
    }
}

/// Whether a query stands in an expression.
fn asks(expr: &Expr) -> bool {
    struct Queries;
    impl Visitor for Queries {
        type Break = ();

        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    visit(expr, &mut Queries).is_break()
}

/// Whether each name in an expression has its table before it.
fn names_tables(expr: &Expr) -> bool {
    let bare = |expr: &Expr| match expr {
        Expr::Identifier(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    visit_expressions(expr, bare).is_continue()
}
