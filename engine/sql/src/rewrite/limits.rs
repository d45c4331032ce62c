//! `FETCH FIRST n ROWS` and `SELECT TOP n` as `LIMIT n`; `WITH TIES` as a condition on the rank.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, LimitClause, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr, TopQuantity,
};

use super::ast::{binary, digits_of, item_expr, number, same_name, window, window_call};

/// Writes the row limit of a query as the planner reads it. Limits in percent stay.
pub(super) fn rewrite(query: &mut Query) {
    ties_to_rank(query);
    top_to_limit(query);
    fetch_to_limit(query);
}

/// The row count of FETCH, if it has or has no ties as asked.
fn fetch_count(query: &Query, with_ties: bool) -> Option<Expr> {
    let fetch = query.fetch.as_ref().filter(|fetch| fetch.with_ties == with_ties && !fetch.percent)?;
    Some(fetch.quantity.clone().unwrap_or_else(|| number(1)))
}

/// The same of TOP.
fn top_count(select: &Select, with_ties: bool) -> Option<Expr> {
    match select.top.as_ref().filter(|top| top.with_ties == with_ties && !top.percent)?.quantity.clone() {
        Some(TopQuantity::Constant(count)) => Some(number(count)),
        Some(TopQuantity::Expr(count)) => Some(count),
        None => with_ties.then(|| number(1)),
    }
}

fn limit(count: Expr) -> LimitClause {
    LimitClause::LimitOffset { limit: Some(count), offset: None, limit_by: Vec::new() }
}

fn top_to_limit(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    if query.limit_clause.is_none()
        && query.fetch.is_none()
        && let Some(count) = top_count(select, false)
    {
        select.top = None;
        query.limit_clause = Some(limit(count));
    }
}

fn fetch_to_limit(query: &mut Query) {
    let Some(count) = fetch_count(query, false) else { return };
    match &mut query.limit_clause {
        None => query.limit_clause = Some(limit(count)),
        Some(LimitClause::LimitOffset { limit: limit @ None, .. }) => *limit = Some(count),
        Some(_) => return,
    }
    query.fetch = None;
}

/// `FETCH FIRST n ROWS WITH TIES` and `TOP n WITH TIES` as the rows whose rank in the order of the query is at most `n`.
fn ties_to_rank(query: &mut Query) {
    let fetch = fetch_count(query, true);
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    let Some(count) = fetch.or_else(|| top_count(select, true)) else { return };
    if select.distinct.is_some() || select.qualify.is_some() || query.limit_clause.is_some() {
        return;
    }
    let Some(OrderByKind::Expressions(order)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
    let keys = order.iter().map(|key| Some(OrderByExpr { expr: resolved(select, &key.expr)?, ..key.clone() }));
    let Some(keys) = keys.collect::<Option<Vec<_>>>() else { return };
    select.qualify = Some(binary(window_call("rank", window(Vec::new(), keys)), BinaryOperator::LtEq, count));
    select.top = None;
    query.fetch = None;
}

/// A key of the order with the column of the result in place of its position or name.
fn resolved(select: &Select, key: &Expr) -> Option<Expr> {
    if let Some(digits) = digits_of(key) {
        let index = digits.parse::<usize>().ok()?.checked_sub(1)?;
        // After a star the position is unknown.
        let items = select.projection.iter().take(index + 1).map(item_expr);
        return items.collect::<Option<Vec<_>>>()?.get(index).copied().cloned();
    }
    let aliased = |name| {
        select.projection.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => same_name(alias, name).then_some(expr),
            _ => None,
        })
    };
    let column = if let Expr::Identifier(name) = key { aliased(name) } else { None };
    Some(column.unwrap_or(key).clone())
}
