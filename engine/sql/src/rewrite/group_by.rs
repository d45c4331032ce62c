//! `GROUP BY a WITH ROLLUP`, which the planner takes for `GROUP BY a`; `GROUP BY ()`, which it refuses; ROLLUP in GROUPING SETS;
//! positions as in `ROLLUP (1, 2)` and `DISTINCT ON (1)`; and QUALIFY that names no window.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Distinct, Expr, Function, FunctionArguments, GroupByExpr, GroupByWithModifier, Select, SelectItem,
};

use super::ast::{
    and, arguments_of, binary, contains, digits_of, is_named, is_star, item_at, item_expr, number, same_name, window,
    window_call,
};

/// The most keys of a CUBE that is written as its sets; more are refused before.
const MAX_CUBE: usize = 12;

/// Writes the GROUP BY and QUALIFY of a SELECT as the planner reads them.
pub(super) fn rewrite(select: &mut Select) {
    modifier_to_sets(&mut select.group_by);
    empty_keys_to_set(&mut select.group_by);
    expand_nested_sets(&mut select.group_by);
    resolve_positions(select);
    write_out_sets(&mut select.group_by);
    resolve_distinct_positions(select);
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

/// `GROUPING SETS (ROLLUP (a, b), (b))`, where the parser takes ROLLUP for a function, as the sets of all.
fn expand_nested_sets(group_by: &mut GroupByExpr) {
    let GroupByExpr::Expressions(keys, _) = group_by else { return };
    for key in keys {
        let Expr::GroupingSets(sets) = key else { continue };
        let expanded = sets.iter().flat_map(|set| match set.as_slice() {
            [Expr::Function(function)] => nested_sets(function).unwrap_or_else(|| vec![set.clone()]),
            _ => vec![set.clone()],
        });
        *sets = expanded.collect();
    }
}

fn nested_sets(function: &Function) -> Option<Vec<Vec<Expr>>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let element = |expr: &Expr| match expr {
        Expr::Tuple(keys) => keys.clone(),
        Expr::Nested(key) => vec![key.as_ref().clone()],
        key => vec![key.clone()],
    };
    let elements: Vec<Vec<Expr>> = arguments_of(list)?.into_iter().map(element).collect();
    if is_named(&function.name, "rollup") {
        Some(sets_of_rollup(&elements))
    } else if is_named(&function.name, "cube") {
        sets_of_cube(&elements)
    } else {
        None
    }
}

fn sets_of_rollup(elements: &[Vec<Expr>]) -> Vec<Vec<Expr>> {
    (0..=elements.len()).rev().map(|count| elements[..count].concat()).collect()
}

fn sets_of_cube(elements: &[Vec<Expr>]) -> Option<Vec<Vec<Expr>>> {
    if elements.len() > MAX_CUBE {
        return None;
    }
    let mut sets: Vec<Vec<Expr>> = vec![Vec::new()];
    for element in elements {
        let with: Vec<Vec<Expr>> = sets.iter().map(|set| [set.as_slice(), element.as_slice()].concat()).collect();
        sets = with.into_iter().zip(sets).flat_map(|(with, without)| [with, without]).collect();
    }
    Some(sets)
}

/// Writes ROLLUP and CUBE with a key twice, or of several keys at once as `ROLLUP ((a, b), c)`, as their sets: the planner refuses
/// them. A key that a set has twice changes nothing.
fn write_out_sets(group_by: &mut GroupByExpr) {
    let GroupByExpr::Expressions(keys, _) = group_by else { return };
    for key in keys {
        let sets = match key {
            Expr::Rollup(elements) if !is_simple(elements) => Some(sets_of_rollup(elements)),
            Expr::Cube(elements) if !is_simple(elements) => sets_of_cube(elements),
            _ => None,
        };
        if let Some(sets) = sets {
            *key = Expr::GroupingSets(sets);
        }
        if let Expr::GroupingSets(sets) = key {
            sets.iter_mut().for_each(drop_repeated);
        }
    }
}

fn is_simple(elements: &[Vec<Expr>]) -> bool {
    let mut keys: Vec<Expr> = elements.concat();
    let count = keys.len();
    drop_repeated(&mut keys);
    keys.len() == count && elements.iter().all(|element| element.len() == 1)
}

fn drop_repeated(keys: &mut Vec<Expr>) {
    let mut index = 0;
    while index < keys.len() {
        if keys[..index].contains(&keys[index]) {
            keys.remove(index);
        } else {
            index += 1;
        }
    }
}

/// Puts the columns of the result in place of their positions in DISTINCT ON.
fn resolve_distinct_positions(select: &mut Select) {
    let Some(Distinct::On(keys)) = &mut select.distinct else { return };
    for key in keys {
        let index = digits_of(key).and_then(|digits| digits.parse::<usize>().ok()?.checked_sub(1));
        let Some(index) = index.filter(|index| !select.projection.iter().take(*index).any(is_star)) else { continue };
        match select.projection.get(index) {
            // In the expression the planner would take the name of a column of a table for the alias.
            Some(SelectItem::ExprWithAlias { alias, .. }) => *key = Expr::Identifier(alias.clone()),
            Some(SelectItem::UnnamedExpr(expr)) => *key = expr.clone(),
            _ => {}
        }
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
