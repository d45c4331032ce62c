//! Readable column names, and statements that describe as queries.

use std::collections::HashSet;

use datafusion::sql::sqlparser::ast::{Expr, Ident, ObjectNamePart, Select, SelectItem, SetExpr, Statement};
use datafusion::sql::sqlparser::tokenizer::Span;

/// Longest text of an expression that becomes the name of its column.
const MAX_NAME: usize = 60;

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
    let mut taken = HashSet::new();
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            continue;
        }
        let mut name: String = expr.to_string().chars().take(MAX_NAME).collect();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        let alias = Ident { value: name, quote_style: Some('"'), span: Span::empty() };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
    }
}

/// Gives names of their own to columns that the planner would call the same: `select 0, 0, 1`, `select x, t.x`,
/// `select x, cast(x as double)`.
pub(super) fn name_twins(select: &mut Select) {
    let named = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    };
    let own: Vec<String> = select.projection.iter().filter_map(named).collect();
    let mut taken: Vec<String> = Vec::new();
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let named_after = without_casts(expr);
        let name = named_after.to_string().to_lowercase();
        // What may stand for another column of the same SELECT is numbered with it.
        if own.contains(&name) {
            continue;
        }
        let column = column_of(named_after);
        // The same column with its table and without it.
        let same = |other: &String| *other == name || column.is_some_and(|_| behind_table(&name, other));
        if !taken.iter().any(same) {
            taken.push(name);
            continue;
        }
        let shown =
            column.map_or_else(|| expr.to_string().chars().take(MAX_NAME).collect(), |column| column.value.clone());
        let numbered = |number: usize| format!("{shown}_{number}");
        let free =
            (1..).map(numbered).find(|name| ![&taken, &own].iter().any(|names| names.contains(&name.to_lowercase())));
        let Some(free) = free else { continue };
        taken.push(free.to_lowercase());
        let alias = Ident { value: free, quote_style: Some('"'), span: Span::empty() };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
    }
}

/// What the planner names a column after.
fn without_casts(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { expr, .. } | Expr::Nested(expr) => without_casts(expr),
        other => other,
    }
}

fn column_of(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    }
}

/// Whether one of two names is the other one with its table before it.
fn behind_table(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() > other.len() { (one, other) } else { (other, one) };
    !short.contains('.') && long.strip_suffix(short).is_some_and(|table| table.ends_with('.'))
}
