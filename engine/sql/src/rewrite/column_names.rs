//! Readable names of columns.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{Expr, Ident, Query, Select, SelectItem, SetExpr, SetQuantifier, TableFactor};

use super::ast::table_name;
use crate::names::output_names::{MAX_NAME, NumberedNames, column_of};
use crate::tokens::without_exclusion;

/// Names the columns of the result without a name after their text: `count(*)`, `sum(value) / 1e18`.
pub(super) fn name_result(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => name_expressions(select),
        SetExpr::SetOperation { left, .. } => name_result(left),
        SetExpr::Query(query) => name_result(&mut query.body),
        _ => {}
    }
}

pub(super) fn name_expressions(select: &mut Select) {
    let (mut taken, mut numbered) = (HashSet::new(), NumberedNames::default());
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            continue;
        }
        let text: String = without_exclusion(expr.to_string()).chars().take(MAX_NAME).collect();
        let name = match taken.insert(text.clone()) {
            true => text,
            false => numbered.next(&text, |name| taken.insert(name.to_string())),
        };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', name) };
    }
}

/// Names expressions in the branches of UNION, INTERSECT and EXCEPT. The planner gives those after the first branch the names of its
/// columns, which columns beside them may have, as in `SELECT k, id FROM t UNION SELECT k + 1, k FROM t`.
pub(super) fn name_united(body: &mut SetExpr) {
    if let SetExpr::SetOperation { left, right, set_quantifier, .. } = body {
        name_united(left);
        if is_by_name(*set_quantifier) { name_united(right) } else { name_beside_columns(right) }
    }
}

fn is_by_name(quantifier: SetQuantifier) -> bool {
    matches!(quantifier, SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName)
}

/// Names the expressions of a branch that has columns or aliases, too.
fn name_beside_columns(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => {
            let is_unnamed =
                |item: &&SelectItem| matches!(item, SelectItem::UnnamedExpr(expr) if column_of(expr).is_none());
            let unnamed = select.projection.iter().filter(is_unnamed).count();
            if unnamed > 0 && unnamed < select.projection.len() {
                name_expressions(select);
            }
        }
        SetExpr::SetOperation { set_quantifier, .. } if is_by_name(*set_quantifier) => name_united(body),
        SetExpr::SetOperation { left, right, .. } => {
            name_beside_columns(left);
            name_beside_columns(right);
        }
        SetExpr::Query(query) => {
            // The planner gives the names to the first SELECT that it comes to.
            for cte in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
                name_beside_columns(&mut cte.query.body);
            }
            name_beside_columns(&mut query.body);
        }
        _ => {}
    }
}

/// Names the columns of a query in FROM that are columns of outer tables: the planner gives `select t.a` the name `a` only if `t` is
/// in its own FROM.
pub fn name_outer_columns(query: &mut Query) {
    name_outer_in_body(&mut query.body);
}

fn name_outer_in_body(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => name_outer_items(select),
        SetExpr::SetOperation { left, right, .. } => {
            [left, right].into_iter().for_each(|side| name_outer_in_body(side))
        }
        SetExpr::Query(query) => name_outer_in_body(&mut query.body),
        _ => {}
    }
}

fn name_outer_items(select: &mut Select) {
    let mut tables = HashSet::new();
    for from in &select.from {
        for table in std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)) {
            match table_name(table) {
                Some(name) => drop(tables.insert(name.value.to_lowercase())),
                None if matches!(table, TableFactor::Derived { .. }) => {}
                // Other items of FROM may have tables of any name.
                None => return,
            }
        }
    }
    let output_name = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) => column_of(expr).map(|(name, _)| name.value.to_lowercase()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    };
    let mut counts = HashMap::<String, usize>::new();
    for name in select.projection.iter().filter_map(output_name) {
        *counts.entry(name).or_default() += 1;
    }
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && let Expr::CompoundIdentifier(parts) = &*expr
            && let [table, column] = parts.as_slice()
            && !tables.contains(&table.value.to_lowercase())
            && counts.get(&column.value.to_lowercase()) == Some(&1)
        {
            *item = SelectItem::ExprWithAlias { alias: column.clone(), expr: expr.clone() };
        }
    }
}
