//! `GROUP BY a WITH ROLLUP`, which the planner takes for `GROUP BY a`; `GROUP BY ()`, which it refuses; positions as in `ROLLUP (1, 2)`; and QUALIFY that names no
//! window.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArguments, GroupByExpr, GroupByWithModifier, Select, SelectItem,
};

use super::ast::{and, binary, contains, item_at, item_expr, number, same_name, window, window_call};

/// Writes the GROUP BY and QUALIFY of a SELECT as the planner reads them.
pub(super) fn rewrite(select: &mut Select) {
    modifier_to_sets(&mut select.group_by);
    empty_keys_to_set(&mut select.group_by);
    resolve_positions(select);
    add_window_to_qualify(select);
}

/// `GROUP BY a WITH ROLLUP` as `GROUP BY ROLLUP (a)`.
fn modifier_to_sets(group_by: &mut GroupByExpr) {
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

/// `GROUP BY ()` as the grouping set of all rows; beside other keys `()` changes nothing.
fn empty_keys_to_set(group_by: &mut GroupByExpr) {
    let GroupByExpr::Expressions(keys, _) = group_by else { return };
    let count = keys.len();
    keys.retain(|key| !matches!(key, Expr::Tuple(parts) if parts.is_empty()));
    if keys.is_empty() && count > 0 {
        keys.push(Expr::GroupingSets(vec![Vec::new()]));
    }
}

/// Puts the columns of the result in place of their positions in grouping sets.
fn resolve_positions(select: &mut Select) {
    let GroupByExpr::Expressions(keys, _) = &mut select.group_by else { return };
    for key in keys {
        let (Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets)) = key else { continue };
        for key in sets.iter_mut().flatten() {
            if let Some(expr) = item_at(&select.projection, key) {
                *key = expr.clone();
            }
        }
    }
}

/// The planner refuses a QUALIFY without a window, even if a column of the result has one: adds a window that is always true.
fn add_window_to_qualify(select: &mut Select) {
    let shows_window = |item: &SelectItem| item_expr(item).is_some_and(has_window);
    let Some(condition) = &select.qualify else { return };
    let names_window = contains(condition, |expr| {
        let Expr::Identifier(name) = expr else { return false };
        select.projection.iter().any(|item| match item {
            SelectItem::ExprWithAlias { alias, expr } => same_name(alias, name) && has_window(expr),
            _ => false,
        })
    });
    if has_window(condition) || names_window || !select.projection.iter().any(shows_window) {
        return;
    }
    let row_number = window_call("row_number", window(Vec::new(), Vec::new()));
    select.qualify = Some(and(condition.clone(), binary(row_number, BinaryOperator::Gt, number(0))));
}

fn has_window(expr: &Expr) -> bool {
    contains(expr, |expr| {
        matches!(expr, Expr::Function(Function { over: Some(_), args: FunctionArguments::List(_), .. }))
    })
}
