//! Clauses of a whole query: windows, set operations, WITH, and the order of its rows.

use datafusion::sql::sqlparser::ast::{
    Expr, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, Query, Select, SetExpr, SetOperator, SetQuantifier, Values,
};

use super::step::Walk;
use crate::ast::{Rewritten, refuse, tables_read};
use quarry_sql::named_windows;

pub(super) fn refuse_locks(query: &mut Query, _: &mut Walk) -> Rewritten {
    if query.locks.is_empty() { Rewritten::Continue(()) } else { refuse("FOR UPDATE is not supported in HiveQL.") }
}

pub(super) fn refuse_select(select: &mut Select, _: &mut Walk) -> Rewritten {
    if select.into.is_some() || select.top.is_some() || !select.connect_by.is_empty() {
        return refuse("This form of SELECT is not supported in HiveQL.");
    }
    Rewritten::Continue(())
}

pub(super) fn inline_windows(query: &mut Query, walk: &mut Walk) -> Rewritten {
    match query.body.as_mut() {
        SetExpr::Select(select) => named_windows::expand(select, query.order_by.as_mut(), &mut walk.growth),
        _ => Rewritten::Continue(()),
    }
}

/// The same for a SELECT that is a part of a set operation.
pub(super) fn inline_select_windows(select: &mut Select, walk: &mut Walk) -> Rewritten {
    named_windows::expand(select, None, &mut walk.growth)
}

/// `MINUS` is `EXCEPT`, and set operations without parentheses go from left to right.
pub(super) fn rewrite_set_operations(query: &mut Query) {
    if !matches!(*query.body, SetExpr::SetOperation { .. }) {
        return;
    }
    let nothing = SetExpr::Values(Values { explicit_row: false, value_keyword: false, rows: Vec::new() });
    let (mut operands, mut operators) = (Vec::new(), Vec::new());
    flatten(std::mem::replace(&mut query.body, nothing), &mut operands, &mut operators);
    let mut operands = operands.into_iter();
    let Some(mut left) = operands.next() else { return };
    for ((op, set_quantifier), right) in operators.into_iter().zip(operands) {
        let op = if op == SetOperator::Minus { SetOperator::Except } else { op };
        left = SetExpr::SetOperation { op, set_quantifier, left: Box::new(left), right: Box::new(right) };
    }
    *query.body = left;
}

/// The operands and operators of a chain of set operations in the order of the text.
fn flatten(body: SetExpr, operands: &mut Vec<SetExpr>, operators: &mut Vec<(SetOperator, SetQuantifier)>) {
    match body {
        SetExpr::SetOperation { op, set_quantifier, left, right } => {
            flatten(*left, operands, operators);
            operators.push((op, set_quantifier));
            flatten(*right, operands, operators);
        }
        operand => operands.push(operand),
    }
}

/// Puts common table expressions after those that they read: Hive accepts them in any order.
pub(super) fn order_ctes(query: &mut Query) {
    let Some(with) = &mut query.with else { return };
    let mut left = std::mem::take(&mut with.cte_tables);
    while !left.is_empty() {
        let names: Vec<String> = left.iter().map(|cte| cte.alias.name.value.to_lowercase()).collect();
        let free = left
            .iter()
            .zip(&names)
            .position(|(cte, own)| !tables_read(&cte.query).iter().any(|read| read != own && names.contains(read)));
        // The planner refuses those that read each other.
        with.cte_tables.push(left.remove(free.unwrap_or(0)));
    }
}

/// `SORT BY` and `CLUSTER BY` order all rows, as with one reducer.
pub(super) fn sort_by_as_order_by(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    let columns = std::mem::take(&mut select.cluster_by).into_iter().flat_map(|expr| match expr {
        Expr::Tuple(list) => list,
        Expr::Nested(inner) => vec![*inner],
        other => vec![other],
    });
    let ascending = |expr| OrderByExpr { expr, options: OrderByOptions::default(), with_fill: None };
    let mut sorted = std::mem::take(&mut select.sort_by);
    sorted.extend(columns.map(ascending));
    if query.order_by.is_none() && !sorted.is_empty() {
        query.order_by = Some(OrderBy { kind: OrderByKind::Expressions(sorted), interpolate: None });
    }
}

/// Drops `DISTRIBUTE BY`, and the order of a SELECT that is a part of a set operation.
pub(super) fn drop_distribution(select: &mut Select) {
    select.distribute_by.clear();
    select.cluster_by.clear();
    select.sort_by.clear();
}
