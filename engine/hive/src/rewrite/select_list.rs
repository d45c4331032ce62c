//! The SELECT list: names and types of its columns, columns by regular expressions, and the conditions of a SELECT.

use std::collections::HashSet;

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, JoinConstraint, JoinOperator, Select, SelectItem, SelectItemQualifiedWildcardKind, UnaryOperator,
    Value,
};

use super::stars::{PATTERN, pattern_of};
use super::step::Walk;
use crate::ast::{Rewritten, call, cast, condition, last_part, table_alias, take, text};
use quarry_types::Error;

/// Replaces names in backquotes that are regular expressions by calls that represent the columns that they match.
pub(super) fn mark_regexes(select: &mut Select, walk: &mut Walk) -> Rewritten {
    let items = select.projection.iter_mut().filter(|_| walk.regex_columns);
    for item in items {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let parts = match expr {
            Expr::Identifier(name) => std::slice::from_ref(name),
            Expr::CompoundIdentifier(parts) => parts.as_slice(),
            _ => continue,
        };
        let Some((name, table)) = parts.split_last() else { continue };
        let is_name = name.value.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if name.quote_style == Some('`') && !is_name {
            let table = table.last().map(|table| text(&table.value));
            *expr = call(PATTERN, std::iter::once(text(&name.value)).chain(table).collect());
        }
    }
    Rewritten::Continue(())
}

/// Columns without a name are called `_c0`, `_c1` by their position; a repeated name gets a number.
pub(super) fn name_columns(select: &mut Select) {
    let mut seen = HashSet::new();
    let is_repeated: Vec<bool> = select.projection.iter().map(|item| is_in_star(select, item)).collect();
    for (index, item) in select.projection.iter_mut().enumerate() {
        let name = match &*item {
            SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name),
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => names.last(),
            SelectItem::ExprWithAlias { alias, .. } => Some(alias),
            SelectItem::UnnamedExpr(expr) if pattern_of(expr).is_none() => None,
            _ => continue,
        };
        let new = match name.map(|name| name.value.to_lowercase()) {
            None => format!("_c{index}"),
            Some(name) if !is_repeated[index] && seen.insert(name.clone()) => continue,
            Some(name) => format!("{name}_{index}"),
        };
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item {
            *item = SelectItem::ExprWithAlias { expr: take(expr), alias: Ident::new(new) };
        }
    }
}

/// Whether a column is also in a star of the same SELECT list.
fn is_in_star(select: &Select, column: &SelectItem) -> bool {
    let relations = select
        .from
        .iter()
        .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)));
    let tables: Vec<String> = relations.filter_map(table_alias).map(|name| name.value.to_lowercase()).collect();
    let table = match column {
        SelectItem::UnnamedExpr(Expr::Identifier(_)) => None,
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => {
            let [table, _] = parts.as_slice() else { return false };
            Some(table.value.to_lowercase())
        }
        _ => return false,
    };
    // What is before the period may be a struct.
    if table.as_ref().is_some_and(|table| !tables.contains(table)) {
        return false;
    }
    select.projection.iter().any(|item| match item {
        SelectItem::Wildcard(_) => true,
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
            let star = last_part(name).map(|name| name.value.to_lowercase());
            // Without its table, a column is sure to be in the star only when there is one table.
            if table.is_some() { star == table } else { tables.len() == 1 && star.as_ref() == tables.first() }
        }
        _ => false,
    })
}

pub(super) fn cast_small_numbers(select: &mut Select, _: &mut Walk) -> Rewritten {
    for item in &mut select.projection {
        if let SelectItem::ExprWithAlias { expr, .. } = item
            && let Err(error) = cast_small_number(expr)
        {
            return Rewritten::Break(error);
        }
    }
    Rewritten::Continue(())
}

/// Casts a whole number to int if it fits. The planner would make it a bigint.
pub(super) fn cast_small_number(expr: &mut Expr) -> Result<(), Box<Error>> {
    let (sign, digits) = match &*expr {
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => ("-", expr.as_ref()),
        other => ("", other),
    };
    if let Expr::Value(value) = digits
        && let Value::Number(digits, _) = &value.value
        && format!("{sign}{digits}").parse::<i32>().is_ok()
    {
        *expr = cast(take(expr), "int")?;
    }
    Ok(())
}

/// Casts WHERE, HAVING and ON to boolean.
pub(super) fn cast_conditions(select: &mut Select) {
    select.selection.iter_mut().chain(&mut select.having).for_each(condition);
    for join in select.from.iter_mut().flat_map(|table| &mut table.joins) {
        if let JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on))
        | JoinOperator::Right(JoinConstraint::On(on))
        | JoinOperator::RightOuter(JoinConstraint::On(on))
        | JoinOperator::FullOuter(JoinConstraint::On(on)) = &mut join.join_operator
        {
            condition(on);
        }
    }
}
