//! Readable column names, and statements that describe as queries.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectNamePart, Query, Select, SelectItem, SetExpr, Statement, TableFactor,
};
use datafusion::sql::sqlparser::tokenizer::Span;

use crate::kinds::sql::frames;

/// Longest text of an expression that becomes the name of its column.
pub(super) const MAX_NAME: usize = 60;

/// `SHOW TABLES` and `DESCRIBE` as queries.
pub(in crate::kinds::sql) fn describing(statement: &Statement) -> Option<String> {
    match statement {
        Statement::ShowTables { .. } => {
            Some("select table_schema, table_name from information_schema.tables order by 1, 2".to_string())
        }
        Statement::ExplainTable { table_name, .. } => {
            let mut parts = table_name.0.iter().rev().filter_map(ObjectNamePart::as_ident);
            let word = |part: &Ident| part.value.to_lowercase().replace('\'', "''");
            let name = word(parts.next()?);
            let schema = parts.next().map(|part| format!(" and table_schema = '{}'", word(part))).unwrap_or_default();
            Some(format!(
                "select column_name, data_type, is_nullable from information_schema.columns \
                 where table_name = '{name}'{schema} order by table_schema, ordinal_position"
            ))
        }
        _ => None,
    }
}

/// Names the columns of the result that have no name after their own text: `count(*)`, `sum(value) / 1e18`.
pub(super) fn name_columns(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => name_items(select),
        SetExpr::SetOperation { left, .. } => name_columns(left),
        SetExpr::Query(query) => name_columns(&mut query.body),
        _ => {}
    }
}

pub(super) fn name_items(select: &mut Select) {
    let (mut taken, mut times) = (HashSet::new(), HashMap::<String, usize>::new());
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            continue;
        }
        let text: String = frames::as_written(expr.to_string()).chars().take(MAX_NAME).collect();
        let mut name = text.clone();
        while !taken.insert(name.clone()) {
            let times = times.entry(text.clone()).or_default();
            *times += 1;
            name = format!("{text}_{times}");
        }
        let alias = Ident { value: name, quote_style: Some('"'), span: Span::empty() };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
    }
}

/// Names the columns of a query in FROM that belong to the rows around it: the planner gives `select t.a` the name `a` only where
/// `t` stands in its own FROM.
pub(in crate::kinds) fn name_outer(query: &mut Query) {
    outer_of(&mut query.body);
}

fn outer_of(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => name_outer_items(select),
        SetExpr::SetOperation { left, right, .. } => [left, right].into_iter().for_each(|side| outer_of(side)),
        SetExpr::Query(query) => outer_of(&mut query.body),
        _ => {}
    }
}

fn name_outer_items(select: &mut Select) {
    let mut tables = HashSet::new();
    for from in &select.from {
        for table in std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)) {
            let name = match table {
                TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
                    Some(&alias.name)
                }
                TableFactor::Table { name, .. } => name.0.last().and_then(ObjectNamePart::as_ident),
                TableFactor::Derived { .. } => continue,
                _ => None,
            };
            // What else stands in FROM may bring tables of any name.
            let Some(name) = name else { return };
            tables.insert(name.value.to_lowercase());
        }
    }
    let last = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last().cloned(),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name.clone()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.clone()),
        _ => None,
    };
    let mut times = HashMap::<String, usize>::new();
    for name in select.projection.iter().filter_map(last) {
        *times.entry(name.value.to_lowercase()).or_default() += 1;
    }
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr @ Expr::CompoundIdentifier(_)) = &*item else { continue };
        let Expr::CompoundIdentifier(parts) = expr else { continue };
        let [table, column] = parts.as_slice() else { continue };
        if !tables.contains(&table.value.to_lowercase()) && times.get(&column.value.to_lowercase()) == Some(&1) {
            *item = SelectItem::ExprWithAlias { alias: column.clone(), expr: expr.clone() };
        }
    }
}
