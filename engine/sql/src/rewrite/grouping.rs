//! Forms of GROUP BY, QUALIFY and conditions on rows: `GROUP BY a WITH ROLLUP`, which the planner would take for `GROUP BY a`;
//! places in `ROLLUP (1, 2)`; a QUALIFY that names no window; and `(a, b) IN (SELECT …)`.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, GroupByExpr, GroupByWithModifier, Ident, Select, SelectItem,
    TableAlias, TableAliasColumnDef, TableFactor, TableWithJoins, Value, WindowSpec, WindowType,
};

use super::ast::{binary, call, number, query_of};
use crate::ast_visitor::visit_expressions;

/// The name of the rows in which others are looked for.
const ROWS: &str = "sought";

/// Writes the forms of a SELECT as the planner knows them.
pub(super) fn rewrite(select: &mut Select) {
    modifier(&mut select.group_by);
    places(select);
    qualify(select);
    select.selection.iter_mut().chain(&mut select.having).chain(&mut select.qualify).for_each(rows_within);
}

/// What stands behind the keys in the place of the keys.
fn modifier(group_by: &mut GroupByExpr) {
    let GroupByExpr::Expressions(keys, modifiers) = group_by else { return };
    let [modifier] = modifiers.as_slice() else { return };
    let all = std::mem::take(keys);
    let each = |keys: Vec<Expr>| keys.into_iter().map(|key| vec![key]).collect();
    *keys = vec![match modifier {
        GroupByWithModifier::Rollup => Expr::Rollup(each(all)),
        GroupByWithModifier::Cube => Expr::Cube(each(all)),
        GroupByWithModifier::Totals => Expr::GroupingSets(vec![all, Vec::new()]),
        GroupByWithModifier::GroupingSets(sets) => sets.clone(),
    }];
    modifiers.clear();
}

/// The columns that places in grouping sets stand for.
fn places(select: &mut Select) {
    let GroupByExpr::Expressions(keys, _) = &mut select.group_by else { return };
    for key in keys {
        let (Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets)) = key else { continue };
        for part in sets.iter_mut().flatten() {
            let Expr::Value(value) = &*part else { continue };
            let Value::Number(digits, _) = &value.value else { continue };
            let place = digits.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
            let item = place.and_then(|place| select.projection.get(place));
            if let Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item {
                *part = expr.clone();
            }
        }
    }
}

/// A QUALIFY without a window filters behind the windows of the columns all the same; the planner wants to see one in it.
fn qualify(select: &mut Select) {
    let window_column = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => has_window(expr),
        _ => false,
    };
    let aliases = |name: &Ident| {
        select.projection.iter().any(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => {
                alias.value.eq_ignore_ascii_case(&name.value) && window_column(item)
            }
            _ => false,
        })
    };
    let Some(condition) = &select.qualify else { return };
    let names_window = visit_expressions(condition, |expr| match expr {
        Expr::Identifier(name) if aliases(name) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    if has_window(condition) || names_window.is_break() || !select.projection.iter().any(window_column) {
        return;
    }
    let spec = WindowSpec { window_name: None, partition_by: Vec::new(), order_by: Vec::new(), window_frame: None };
    let Expr::Function(rows) = call("row_number", Vec::new()) else { return };
    let rows = Expr::Function(Function { over: Some(WindowType::WindowSpec(spec)), ..rows });
    let always = binary(rows, BinaryOperator::Gt, number("0"));
    select.qualify = Some(binary(condition.clone(), BinaryOperator::And, always));
}

fn has_window(expr: &Expr) -> bool {
    let found = visit_expressions(expr, |expr| match expr {
        Expr::Function(Function { over: Some(_), args: FunctionArguments::List(_), .. }) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

/// `(a, b) IN (SELECT x, y …)` as `EXISTS`, where unknown and false are the same: between the ANDs and ORs of a condition.
fn rows_within(condition: &mut Expr) {
    match condition {
        Expr::Nested(inner) => rows_within(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
            rows_within(left);
            rows_within(right);
        }
        Expr::InSubquery { expr, subquery, negated: false } => {
            let Expr::Tuple(values) = expr.as_ref() else { return };
            let names: Vec<Ident> = (1..=values.len()).map(|place| Ident::new(format!("value_{place}"))).collect();
            let column = |name: &Ident| Expr::CompoundIdentifier(vec![Ident::new(ROWS), name.clone()]);
            let equal = values.iter().zip(&names);
            let equal = equal.map(|(value, name)| binary(column(name), BinaryOperator::Eq, value.clone()));
            let all = equal.reduce(|all, one| binary(all, BinaryOperator::And, one));
            let columns =
                names.iter().map(|name| TableAliasColumnDef { name: name.clone(), data_type: None }).collect();
            let alias = Some(TableAlias { explicit: true, name: Ident::new(ROWS), columns, at: None });
            let rows = TableFactor::Derived { lateral: false, subquery: subquery.clone(), alias, sample: None };
            let from = vec![TableWithJoins { relation: rows, joins: Vec::new() }];
            let subquery = Box::new(query_of(vec![SelectItem::UnnamedExpr(number("1"))], from, all));
            *condition = Expr::Exists { subquery, negated: false };
        }
        _ => {}
    }
}
