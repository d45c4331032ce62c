//! Readable names of columns.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{Expr, Ident, Query, Select, SelectItem, SetExpr, TableFactor};

use super::ast::table_name;
use crate::name_resolution::{MAX_NAME, NumberedNames, column_of};
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
