//! Readable column names, and statements that describe as queries.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SelectItem, SetExpr, ShowStatementFilter,
    ShowStatementFilterPosition, ShowStatementOptions, Statement, TableFactor,
};
use datafusion::sql::sqlparser::tokenizer::Span;

use crate::frames;
use crate::session::tables::{BIGQUERY_CHAINS, CHAIN, MAIN};

/// Longest text of an expression that becomes the name of its column.
pub(super) const MAX_NAME: usize = 60;

/// `SHOW SCHEMAS`, `SHOW TABLES`, `SHOW COLUMNS` and `DESCRIBE` as queries.
pub(crate) fn describing(statement: &Statement) -> Option<String> {
    let (table, pattern) = match statement {
        Statement::ShowSchemas { show_options, .. } | Statement::ShowDatabases { show_options, .. } => {
            let pattern = pattern(show_options, "table_schema");
            return Some(format!(
                "select distinct table_schema from information_schema.tables where true{pattern} order by 1"
            ));
        }
        Statement::ShowTables { show_options, .. } => {
            let schema = shown_in(show_options).and_then(last_word);
            let schema = schema.map(|schema| format!(" and table_schema = '{schema}'")).unwrap_or_default();
            let pattern = pattern(show_options, "table_name");
            return Some(format!(
                "select table_schema, table_name from information_schema.tables where true{schema}{pattern} order by 1, 2"
            ));
        }
        Statement::ShowColumns { show_options, .. } => (shown_in(show_options)?, pattern(show_options, "column_name")),
        Statement::ExplainTable { table_name, .. } => (table_name, String::new()),
        _ => return None,
    };
    let name = last_word(table)?;
    let schema = match table.0.len().checked_sub(2).and_then(|place| table.0[place].as_ident()).map(word) {
        Some(schema) if BIGQUERY_CHAINS.contains(&schema.as_str()) => format!("'{CHAIN}'"),
        Some(schema) => format!("'{schema}'"),
        // That in which a name alone is found: `main` comes before the chain's, which is before it in the alphabet.
        None => format!(
            "(select max(table_schema) from information_schema.tables \
             where table_name = '{name}' and table_schema in ('{CHAIN}', '{MAIN}'))"
        ),
    };
    // Read too, without a row, so that one that is not there is told.
    Some(format!(
        "select column_name, data_type, is_nullable from information_schema.columns \
         where table_name = '{name}' and table_schema = {schema}{pattern} and not exists (select 1 from {table} limit 0) \
         order by ordinal_position"
    ))
}

fn shown_in(options: &ShowStatementOptions) -> Option<&ObjectName> {
    options.show_in.as_ref()?.parent_name.as_ref()
}

fn word(name: &Ident) -> String {
    name.value.to_lowercase().replace('\'', "''")
}

fn last_word(name: &ObjectName) -> Option<String> {
    name.0.last().and_then(ObjectNamePart::as_ident).map(word)
}

/// The condition that LIKE says of a name.
fn pattern(options: &ShowStatementOptions, column: &str) -> String {
    use ShowStatementFilterPosition::{Infix, Suffix};
    match &options.filter_position {
        Some(Infix(ShowStatementFilter::Like(like)) | Suffix(ShowStatementFilter::Like(like))) => {
            format!(" and {column} like '{}'", like.to_lowercase().replace('\'', "''"))
        }
        _ => String::new(),
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
pub fn name_outer(query: &mut Query) {
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
